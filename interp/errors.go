package interp

import (
	"errors"
	"fmt"
	"strings"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/internal/diag"
)

type diagnosis = diag.Error

// Fault is an error on its way to the error guard, or the user, that takes it.
type Fault struct {
	*diagnosis
	number  int            // ⎕EN
	message string         // ⎕DMX.Message
	name    string         // ⎕EM where the program gave one
	fields  map[string]any // what ⎕SIGNAL gave ⎕DMX
	place   string         // the function and the line that it comes from, as f[2]
	leaves  *Frame         // the call that ⎕SIGNAL ends: its own error guards do not see the error
}

// Unwrap returns the diagnostic.
func (e *Fault) Unwrap() error { return e.diagnosis }

// numbers are the event numbers of the kinds of errors.
var numbers = map[diag.Kind]int{
	diag.Syntax: 2, diag.Index: 3, diag.Rank: 4, diag.Length: 5, diag.Value: 6,
	diag.Space: 1, diag.Limit: 10, diag.Domain: 11, diag.Unsupported: 16, diag.Type: 11, diag.System: 22,
}

// eventNames are the names of events, by their numbers.
var eventNames = map[int]string{
	1: "WS FULL", 2: "SYNTAX ERROR", 3: "INDEX ERROR", 4: "RANK ERROR", 5: "LENGTH ERROR", 6: "VALUE ERROR",
	7: "FORMAT ERROR", 10: "LIMIT ERROR", 11: "DOMAIN ERROR", 12: "HOLD ERROR", 13: "OPTION ERROR", 16: "NONCE ERROR",
	18: "FILE TIE ERROR", 19: "FILE ACCESS ERROR", 20: "FILE INDEX ERROR", 21: "FILE FULL", 22: "FILE NAME ERROR",
	23: "FILE DAMAGED", 24: "FILE TIED", 53: "DEFN ERROR", 72: "NO PIPES", 84: "TRANSLATION ERROR", 90: "EXCEPTION",
	92: "TRANSLATION ERROR", 99: "INTERNAL ERROR", 1000: "Stop set", 1001: "Weak interrupt", 1002: "INTERRUPT", 1003: "EOF INTERRUPT",
}

// kinds are the kinds that event numbers are shown as; others are System.
var kinds = map[int]diag.Kind{
	1: diag.Space, 2: diag.Syntax, 3: diag.Index, 4: diag.Rank, 5: diag.Length, 6: diag.Value, 10: diag.Limit, 11: diag.Domain,
}

func kindOf(number int) diag.Kind {
	if k, ok := kinds[number]; ok {
		return k
	}
	return diag.System
}

// fault returns an error at a node.
func (in *Interp) fault(n apl.Node, kind diag.Kind, format string, args ...any) error {
	return asFault(&diag.Error{Kind: kind, Message: fmt.Sprintf(format, args...), Span: n.Span(), RunTime: true})
}

// asFault returns an error as a *Fault.
func asFault(err error) *Fault {
	var f *Fault
	if errors.As(err, &f) {
		return f
	}
	var d *diag.Error
	if errors.As(err, &d) {
		d.RunTime = true
		return &Fault{diagnosis: d, number: numbers[d.Kind], message: d.Message}
	}
	var list diag.List
	if errors.As(err, &list) && len(list) > 0 {
		return asFault(list[0])
	}
	return &Fault{diagnosis: &diag.Error{Kind: diag.System, Message: err.Error(), RunTime: true}, number: 22, message: err.Error()}
}

// diagnostic returns the error that users see.
func diagnostic(err error) error {
	if final(err) {
		return err
	}
	return asFault(err).diagnosis
}

// at gives an error its place: the function, and its arguments.
func at(err error, fn apl.Node, x, y apl.Node) error {
	if final(err) {
		return err
	}
	f := asFault(err)
	if f.Span.Valid() {
		return f
	}
	f.Span = fn.Span()
	if x != nil && y != nil {
		f.Operands = [2]diag.Span{x.Span(), y.Span()}
	}
	return f
}

// maxCalls is the number of calls that a message lists.
const maxCalls = 4

// called adds the place of a call to an error that happened inside it.
func called(err error, site apl.Node, name string) error {
	if final(err) {
		return err
	}
	f := asFault(err)
	if len(f.Notes) < maxCalls {
		f.Notes = append(f.Notes, diag.Note{Span: site.Span(), Message: "in this call of " + name})
	}
	return f
}

// noValue is the error of a function without a result where one is needed.
func (in *Interp) noValue(n apl.Node) error {
	return in.fault(n, diag.Value, "the function returned no value")
}

// event returns ⎕EM: the name of the error.
func (e *Fault) event() string {
	switch {
	case e.name != "":
		return e.name
	case eventNames[e.number] != "":
		return eventNames[e.number]
	case e.number > 0:
		return fmt.Sprintf("ERROR %d", e.number)
	}
	return e.Kind.String()
}

// lines returns ⎕DM: the name, the line and a mark under the function.
func (e *Fault) lines() []string {
	if !e.Span.Valid() {
		return []string{e.event(), "", ""}
	}
	line, column := e.Span.Src.Position(e.Span.Start)
	text := e.Span.Src.Line(line)
	code := strings.TrimLeft(text, " \t")
	before := "      "
	if e.place != "" {
		before = e.place + " "
	}
	column += len([]rune(before)) - (len(text) - len(code)) - 1
	return []string{e.event(), before + code, strings.Repeat(" ", max(column, 0)) + "∧"}
}
