package interp

import (
	"errors"
	"fmt"
	"strings"
	"syscall"
	"unicode"
	"unicode/utf8"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/interp/prim"
	"github.com/tailor-lang/tailor/interp/value"
)

type diagnosis = diag.Error

// Fault is an error on its way to the error guard, or the user, that takes it.
type Fault struct {
	*diagnosis
	number  int            // ⎕EN
	message string         // ⎕DMX.Message
	name    string         // of the event where the program gave one
	fields  map[string]any // what ⎕SIGNAL gave ⎕DMX
	system  syscall.Errno  // the error of the operating system, or 0
	place   string         // the function and the line that it comes from, as f[2]
	stopped bool           // ⎕TRAP says that nobody takes it
	leaves  *Frame         // the call that ⎕SIGNAL ends: its own error guards do not see the error
	left    bool           // that call has ended, and where it stands is not known yet
	seen    diag.Span      // where it stands, which is where the error happened for ⎕DM
}

// leave notes that a call has ended: an error that ⎕SIGNAL raised in it happened
// where the call stands.
func (e *Fault) leave(f *Frame) {
	if e.leaves == f {
		e.leaves, e.left, e.place = nil, true, ""
	}
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
	23: "FILE DAMAGED", 24: "FILE TIED", 25: "FILE TIED REMOTELY", 26: "FILE SYSTEM ERROR", 28: "FILE SYSTEM NOT AVAILABLE",
	30: "FILE SYSTEM TIES USED UP", 31: "FILE TIE QUOTA USED UP", 32: "FILE NAME QUOTA USED UP", 34: "FILE SYSTEM NO SPACE",
	35: "FILE ACCESS ERROR - CONVERTING FILE", 38: "FILE COMPONENT DAMAGED",
	52: "FIELD CONTENTS RANK ERROR", 53: "FIELD CONTENTS TOO MANY COLUMNS", 54: "FIELD POSITION ERROR", 55: "FIELD SIZE ERROR",
	56: "FIELD CONTENTS/TYPE MISMATCH", 57: "FIELD TYPE/BEHAVIOUR UNRECOGNISED", 58: "FIELD ATTRIBUTES RANK ERROR",
	59: "FIELD ATTRIBUTES LENGTH ERROR", 60: "FULL-SCREEN ERROR", 61: "KEY CODE UNRECOGNISED", 62: "KEY CODE RANK ERROR",
	63: "KEY CODE TYPE ERROR", 70: "FORMAT FILE ACCESS ERROR", 71: "FORMAT FILE ERROR", 72: "NO PIPES", 76: "PROCESSOR TABLE FULL",
	84: "TRAP ERROR", 90: "EXCEPTION", 92: "TRANSLATION ERROR", 99: "INTERNAL ERROR",
	1001: "Stop vector", 1002: "Weak interrupt", 1003: "INTERRUPT", 1005: "EOF INTERRUPT", 1006: "TIMEOUT", 1007: "RESIZE", 1008: "DEADLOCK",
}

// eventCodes are the general codes of the kinds that event numbers are shown as; others are System.
var eventCodes = map[int]diag.Code{
	1: diag.NoMemory, 2: diag.Unreadable, 3: diag.WrongIndex, 4: diag.WrongRank, 5: diag.WrongLength, 6: diag.MissingValue, 10: diag.AtLimit, 11: diag.WrongDomain,
}

func codeOf(number int) diag.Code {
	if c, ok := eventCodes[number]; ok {
		return c
	}
	return diag.FileOrTool
}

// fault returns an error at a node.
func (in *Interp) fault(n apl.Node, code diag.Code, format string, args ...any) error {
	return asFault(&diag.Error{Code: code, Message: fmt.Sprintf(format, args...), Span: n.Span(), RunTime: true})
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
		return &Fault{diagnosis: d, number: numbers[d.Kind()], message: d.Message}
	}
	var list diag.List
	if errors.As(err, &list) && len(list) > 0 {
		return asFault(list[0])
	}
	return &Fault{diagnosis: &diag.Error{Code: diag.FileOrTool, Message: err.Error(), RunTime: true}, number: 22, message: err.Error()}
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

// called adds the place of a call of fn to an error that happened inside it.
func called(err error, site, fn apl.Node, name string) error {
	if final(err) {
		return err
	}
	f := asFault(err)
	if f.left {
		f.left, f.seen = false, fn.Span()
	}
	if len(f.Notes) < maxCalls {
		f.Notes = append(f.Notes, diag.Note{Span: site.Span(), Message: "in this call of " + name})
	}
	return f
}

// noValue is the error of a function without a result where one is needed.
func (in *Interp) noValue(n apl.Node) error {
	return in.fault(n, diag.NoValue, "the function returned no value")
}

// event returns the name of the error.
func (e *Fault) event() string {
	switch {
	case e.name != "":
		return e.name
	case eventNames[e.number] != "":
		return eventNames[e.number]
	case e.number > 0:
		return fmt.Sprintf("ERROR %d", e.number)
	}
	return e.Kind().String()
}

// property returns what ⎕SIGNAL gave a name of ⎕DMX, or v.
func (e *Fault) property(name string, v *V) *V {
	if set, ok := e.fields[name].(*V); ok {
		return set
	}
	return v
}

// systemError is ⎕DMX.OSError: 0 for an error of the C library, its number and its text.
func (e *Fault) systemError() *V {
	text := ""
	if e.system != 0 {
		text = e.system.Error()
		first, size := utf8.DecodeRuneInString(text)
		text = string(unicode.ToUpper(first)) + text[size:]
	}
	return value.Vector(value.Integer(0), value.Integer(int(e.system)), value.Text(text))
}

// lines returns ⎕DM: the name, the line and a mark under the function.
func (e *Fault) lines() []string {
	at := e.Span
	if e.seen.Valid() {
		at = e.seen
	}
	if !at.Valid() {
		return []string{e.event(), "", ""}
	}
	line, column := at.Src.Position(at.Start)
	text := at.Src.Line(line)
	code := strings.TrimLeft(text, " \t")
	before := "      "
	if e.place != "" {
		before = e.place + " "
	}
	column += len([]rune(before)) - (len(text) - len(code)) - 1
	return []string{e.event(), before + code, strings.Repeat(" ", max(column, 0)) + "∧"}
}

// eventMessages is ⎕EM: the names of events with these numbers.
func eventMessages(_ *Interp, _ *Frame, x, y *V) (*V, error) {
	if x != nil {
		return nil, prim.Errorf(diag.WrongValence, "⎕EM takes one argument")
	}
	if y.Rank() > 1 {
		return nil, prim.Errorf(diag.ArgumentRank, "⎕EM of an array of rank %d", y.Rank())
	}
	numbers, err := prim.Ints(y)
	if err != nil {
		return nil, err
	}
	out := make([]string, len(numbers))
	for i, n := range numbers {
		name, ok := eventNames[int(n)]
		switch {
		case n < 0:
			return nil, prim.Errorf(diag.WrongDomain, "%s is no event", prim.Plain(value.Int64(n), 17))
		case !ok:
			name = fmt.Sprintf("ERROR NUMBER %d", n)
		}
		out[i] = name
	}
	if y.Rank() == 0 {
		return value.Text(out[0]), nil
	}
	return value.Texts(out), nil
}
