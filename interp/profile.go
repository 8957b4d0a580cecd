package interp

import "github.com/tailor-lang/tailor/apl"

// What the lines of a program cost, where Env.Meter counts it. A line that ⎕FIX made, or
// ⍎, is none of the program's: what it costs is that of the line that runs it.

// meterLine says that a statement begins.
func (in *Interp) meterLine(s apl.Stmt) {
	m := in.env.Meter
	m.Begin(m.Line(s.Span()))
}

// meterBody says that statement i of a dfn begins; the first one counts as a run of its
// line even where the caller stands on it.
func (in *Interp) meterBody(i int, s apl.Stmt) {
	if m := in.env.Meter; i == 0 {
		m.Enter(m.Line(s.Span()))
	} else {
		in.meterLine(s)
	}
}
