package cgen

import "github.com/tailor-lang/tailor/laila/ir"

// A program that shows its progress says before each turn of a loop how many are done,
// when a timer asks for it:
//
//	tl_loop_begins();
//	for (int64_t i = 0; i < n; i++) {
//	  if (tl_progress_due) tl_progress(i, n, 3);
//	  …
//	}
//	tl_loop_ends();
//
// Loops that become vector code, and those inside nests and on several threads, say nothing.

// shows reports whether a loop over a range shows its progress. One that may be left by a
// return does not.
func (b *body) shows(d ir.Dim, inner []ir.Stmt) bool {
	if !b.opt.Progress || b.parallel || b.threaded[b.fn] || b.device != nil {
		return false
	}
	leaves := false
	walk(inner, func(s ir.Stmt) { leaves = leaves || isReturn(s) })
	trips, known := constantTrips(d)
	return !leaves && (!known || trips > shortLoop)
}

// loopBegins is written before a loop, turn at the beginning of its body, and loopEnds
// behind it.
func (b *body) loopBegins() { b.line("tl_loop_begins();") }
func (b *body) loopEnds()   { b.line("tl_loop_ends();") }

func (b *body) turn(d ir.Dim) {
	at := ir.Sub(&ir.Use{Var: d.Var}, d.Lo)
	b.line("  if (tl_progress_due) tl_progress(%s, %s, %d);", b.expr(at), b.expr(ir.Sub(d.Hi, d.Lo)), b.reached)
}
