package lsp

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"go.lsp.dev/protocol"

	"github.com/tailor-lang/tailor/check"
	"github.com/tailor-lang/tailor/infer"
	"github.com/tailor-lang/tailor/internal/diag"
)

// A mechanical fix replaces text by text.
type replacement struct {
	start, end int
	text       string
}

var (
	didYouMean = regexp.MustCompile(`^did you mean (\S+)\?$`)
	greek      = regexp.MustCompile(`is a letter of Greek; .*: (.+)$`)
	useInstead = regexp.MustCompile(`^(?:use|write) (\S+)$`)
)

// mechanical returns the edit that the help of an error describes; ok is false where it
// takes thought.
func mechanical(e *diag.Error) (replacement, bool) {
	text, at := e.Span.Text(), replacement{start: e.Span.Start, end: e.Span.End}
	rest := ""
	if e.Span.Valid() {
		rest = e.Span.Src.Text[e.Span.End:]
	}
	switch m := didYouMean.FindStringSubmatch(e.Fix); {
	case m != nil:
		at.text = m[1]
		return at, true
	case strings.Contains(e.Fix, "a comment begins with ⍝"):
		if i := strings.LastIndexAny(e.Span.Src.Text[:e.Span.Start], "#\n"); i >= 0 && e.Span.Src.Text[i] == '#' {
			return replacement{i, i + 1, "⍝"}, true
		}
	case strings.HasPrefix(e.Fix, "= compares; a value is assigned with ←"):
		if i := strings.Index(text+rest, "="); i >= 0 && strings.TrimSpace((text + rest)[min(len(text), i):i]) == "" {
			return replacement{at.start + i, at.start + i + 1, "←"}, true
		}
	case strings.HasPrefix(e.Fix, "write ' for a quote"), strings.HasPrefix(e.Fix, "write '…' with the quote"):
		at.text = "'"
		return at, true
	case strings.HasPrefix(e.Fix, "write '…'; a quote inside is doubled") && len(text) > 1 && strings.HasSuffix(text, `"`):
		at.text = "'" + strings.ReplaceAll(text[1:len(text)-1], "'", "''") + "'"
		return at, true
	case strings.HasPrefix(e.Fix, "write ' at its end"):
		return replacement{at.end, at.end, "'"}, true
	case strings.HasPrefix(e.Fix, "write - for the function negate"):
		at.text = strings.Replace(text, "¯", "-", 1)
		return at, true
	}
	if m := greek.FindStringSubmatch(e.Fix); m != nil {
		at.text = m[1]
		return at, true
	}
	if m := useInstead.FindStringSubmatch(e.Fix); m != nil {
		at.text = m[1]
		return at, true
	}
	return at, false
}

// actions returns what the editor offers at a range: the fix of each fault, by an edit
// where it is mechanical, and by the page of its code; and the types that can be written.
func (a *analysis) actions(at protocol.Range) []protocol.CodeAction {
	all := []protocol.CodeAction{}
	from, to := a.doc.offset(at.Start), a.doc.offset(at.End)
	shown := a.diagnostics()
	for i, f := range a.faults {
		if f.Span.Src != a.doc.src || f.Span.End < from || f.Span.Start > to {
			continue
		}
		if edit, ok := mechanical(f.Error); ok {
			all = append(all, protocol.CodeAction{
				Title: "Fix: " + f.Fix, Kind: protocol.QuickFix, Diagnostics: shown[i : i+1], IsPreferred: true,
				Edit: a.edit([]protocol.TextEdit{{Range: a.doc.span(edit.start, edit.end), NewText: edit.text}}),
			})
		} else if f.Fix != "" {
			all = append(all, a.explanation("Help: "+f.Fix, f, shown[i]))
		}
		all = append(all, a.explanation("Explain "+f.Shown().String(), f, shown[i]))
	}
	return append(all, a.annotations(from, to)...)
}

func (a *analysis) explanation(title string, f fault, d protocol.Diagnostic) protocol.CodeAction {
	return protocol.CodeAction{
		Title: title, Kind: protocol.QuickFix, Diagnostics: []protocol.Diagnostic{d},
		Command: &protocol.Command{Title: title, Command: explainCommand, Arguments: []any{f.Shown().String()}},
	}
}

func (a *analysis) edit(edits []protocol.TextEdit) *protocol.WorkspaceEdit {
	return &protocol.WorkspaceEdit{Changes: map[protocol.DocumentURI][]protocol.TextEdit{a.doc.uri: edits}}
}

// annotations offers to write the principal type of a function.
func (a *analysis) annotations(from, to int) []protocol.CodeAction {
	var all []protocol.CodeAction
	for _, s := range a.schemes {
		def := s.Def.Span()
		if s.Principal == "" || def.Src != a.doc.src || def.End < from || def.Start > to {
			continue
		}
		text, written := check.Annotate(a.tree, []*infer.Scheme{s})
		if written == 0 {
			continue
		}
		at := 0 // where the texts begin to differ
		for at < len(a.doc.src.Text) && text[at] == a.doc.src.Text[at] {
			at++
		}
		for at > 0 && !utf8.RuneStart(text[at]) {
			at--
		}
		note := text[at : at+len(text)-len(a.doc.src.Text)]
		all = append(all, protocol.CodeAction{
			Title: "Write the type of " + s.Name + ": " + s.Principal, Kind: protocol.RefactorRewrite,
			Edit: a.edit([]protocol.TextEdit{{Range: a.doc.span(at, at), NewText: note}}),
		})
	}
	return all
}
