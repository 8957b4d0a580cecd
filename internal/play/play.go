// Package play is what a page asks of Tailor: cmd/page answers it in a browser, where
// there are neither files nor a shell, and tests answer it here. A program comes in as
// text; out come the values that it shows, the checker's messages with their places,
// types, and the stages of the compiler.
package play

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode/utf16"

	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/internal/display"
	"github.com/tailor-lang/tailor/internal/driver"
	"github.com/tailor-lang/tailor/internal/pictures"
	"github.com/tailor-lang/tailor/internal/session"
	"github.com/tailor-lang/tailor/interp"
	"github.com/tailor-lang/tailor/interp/prim"
	"github.com/tailor-lang/tailor/interp/value"
	"github.com/tailor-lang/tailor/tail/eval"
)

// Item is something that a program shows.
type Item struct {
	// Kind is value, output (that has no type, as of ⎕←), note (the type of a definition),
	// picture or error.
	Kind string `json:"kind"`
	Text string `json:"text"`
	Type string `json:"type,omitempty"` // of a value
	// Rows are the texts of the items of a nested matrix.
	Rows     [][]string `json:"rows,omitempty"`
	Messages []Message  `json:"messages,omitempty"`
	// MIME and Data are those of a picture, which Text describes.
	MIME string `json:"mime,omitempty"`
	Data []byte `json:"data,omitempty"`
}

// Message is a message about a place in a program. Offsets are those of JavaScript's
// strings, in units of UTF-16.
type Message struct {
	Severity string   `json:"severity"` // error, warning (it will fail when it runs) or info
	Line     int      `json:"line"`     // from 1; 0 where the message has no place
	Column   int      `json:"column"`   // from 1, in characters
	Start    int      `json:"start"`
	End      int      `json:"end"`
	Code     string   `json:"code"`
	Text     string   `json:"text"`
	Notes    []string `json:"notes,omitempty"`
	Help     string   `json:"help,omitempty"`
}

// Page is a session of a page.
type Page struct {
	session *session.Session
	show    func(Item)
}

// mostRows is the number of lines of a value that is not elided.
const mostRows = 200

// noFiles says why programs have neither files nor a shell.
const noFiles = "a program in a page has neither files nor a shell"

// New returns a page that shows by show.
func New(show func(Item)) *Page {
	p := &Page{show: show}
	p.Clear()
	return p
}

// Clear forgets what programs defined.
func (p *Page) Clear() {
	s := session.New(output{p})
	s.Rows = mostRows
	s.Access = interp.Access{Nothing: noFiles}
	s.Values = func(v session.Shown) { p.show(Item{Kind: "value", Text: v.Text, Type: v.Note, Rows: rows(v.Value)}) }
	s.Notes = func(text string) { p.show(Item{Kind: "note", Text: text}) }
	s.Pictures = func(picture *pictures.Picture) { p.show(drawn(picture)) }
	p.session = s
}

// Bounds of tables: a larger matrix is text.
const (
	mostTableRows    = 60
	mostTableColumns = 40
)

// rows returns the texts of the items of a nested matrix, or nil of any other value.
func rows(v *value.Array) [][]string {
	if v == nil || v.Rank() != 2 || v.Kind != value.Mixed || v.Len() == 0 || v.Shape[0] > mostTableRows || v.Shape[1] > mostTableColumns {
		return nil
	}
	all := make([][]string, v.Shape[0])
	for i := range all {
		for j := range v.Shape[1] {
			text := prim.Display(&prim.Context{Precision: display.DefaultPrecision, Width: display.Width}, v.Item(i*v.Shape[1]+j))
			all[i] = append(all[i], strings.TrimSuffix(text, "\n"))
		}
	}
	return all
}

// Run runs a program or a line; what it defines is kept.
func (p *Page) Run(ctx context.Context, text string) {
	failed := false
	p.session.Faults = func(err error) {
		failed = true
		p.show(fault(err))
	}
	for _, part := range p.session.Parts(text) {
		if errors.Is(p.session.Execute(ctx, part), session.ErrLeave) {
			p.show(Item{Kind: "note", Text: "close the page to leave it"})
		}
		if failed {
			return
		}
	}
}

// Complete returns the completions of what is typed, and where they stand.
func (p *Page) Complete(typed string) (from int, found []string) {
	return session.NewKeyboard(session.DefaultPrefix).Complete([]rune(typed), p.session.Names())
}

// output shows what is written.
type output struct{ page *Page }

func (o output) Write(b []byte) (int, error) {
	o.page.show(Item{Kind: "output", Text: string(b)})
	return len(b), nil
}

// drawn returns the item of a picture.
func drawn(p *pictures.Picture) Item {
	data, err := p.Encode("svg")
	if err != nil {
		return fault(err)
	}
	return Item{Kind: "picture", Text: p.Describe(), MIME: "image/svg+xml", Data: data}
}

// fault returns the item of an error.
func fault(err error) Item {
	if errors.Is(err, eval.ErrInterrupted) {
		return Item{Kind: "error", Text: "interrupted"}
	}
	var text strings.Builder
	driver.Report(&text, err)
	return Item{Kind: "error", Text: text.String(), Messages: messages(err, "error")}
}

// messages returns the messages of an error that have places.
func messages(err error, severity string) []Message {
	var list diag.List
	var one *diag.Error
	switch {
	case errors.As(err, &list):
	case errors.As(err, &one):
		list = diag.List{one}
	}
	all := []Message{}
	for _, e := range list {
		all = append(all, message(e, severity))
	}
	return all
}

// message returns the message of a diagnostic.
func message(e *diag.Error, severity string) Message {
	m := Message{Severity: severity, Code: e.Shown().String(), Text: e.Kind().String() + ": " + e.Message, Help: e.Fix}
	if severity == "info" {
		m.Text = "interpreted: " + e.Message
	}
	if e.Span.Valid() {
		m.Line, m.Column = e.Span.Src.Position(e.Span.Start)
		m.Start, m.End = units(e.Span.Src.Text[:e.Span.Start]), units(e.Span.Src.Text[:e.Span.End])
	}
	for _, n := range e.Notes {
		text := n.Message
		if n.Span.Valid() {
			line, _ := n.Span.Src.Position(n.Span.Start)
			text = fmt.Sprintf("line %d: %s", line, text)
		}
		m.Notes = append(m.Notes, text)
	}
	return m
}

// units returns the length of a text in UTF-16.
func units(text string) int {
	n := 0
	for _, r := range text {
		n += utf16.RuneLen(r)
	}
	return n
}
