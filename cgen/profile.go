package cgen

import (
	"strings"

	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/laila/ir"
)

// A program that is profiled says which line of its source runs:
//
//	tl_begin_line(3);       the code of line 3 begins
//	f(x);             a function, which says so of its own lines
//	tl_resume_line(3);       the code of line 3 goes on
//
// Lines begin where the lowering wrote a comment: there are none inside nests, so that
// counting costs nothing there.

// profiled is what is known of the line that runs.
type profiled struct {
	line    int // 0 where it is not known
	written map[*ir.Comment]bool
}

// lines returns the number of lines of the source, with one that is none.
func (e *emitter) lines() int {
	if e.prog.Source == nil {
		return 1
	}
	return strings.Count(e.prog.Source.Text, "\n") + 2
}

// lineOf returns the line of the program's own source where a span begins, or 0.
func (e *emitter) lineOf(at diag.Span) int {
	if !at.Valid() || at.Src != e.prog.Source {
		return 0
	}
	line, _ := at.Src.Position(at.Start)
	return line
}

// beginFunction writes that the line of a function's definition begins.
func (b *body) beginFunction() {
	b.profiled = profiled{written: map[*ir.Comment]bool{}}
	if line := b.lineOf(b.fn.At); line > 0 && b.fn != b.prog.Main {
		b.line("tl_begin_line(%d);", line)
		b.profiled.line = line
	}
}

// beginLine writes that the code of a line begins, unless it runs already. A comment
// that is written twice stands in copies of the same code.
func (b *body) beginLine(s *ir.Comment) {
	line := b.lineOf(s.At)
	if line == 0 || line == b.profiled.line && !b.profiled.written[s] {
		return
	}
	b.profiled.written[s] = true
	b.profiled.line = line
	b.line("tl_begin_line(%d);", line)
}

// inLine writes a statement. Behind one that has lines of its own the line goes on that
// the statement stands in.
func (b *body) inLine(s ir.Stmt) {
	before := b.profiled.line
	_, calls := s.(*ir.Call)
	inner := b.hasLines(s)
	if inner {
		b.profiled.line = 0
	}
	b.plain(s)
	if !calls && !inner {
		return
	}
	if before > 0 {
		b.line("tl_resume_line(%d);", before)
	}
	b.profiled.line = before
}

// hasLines reports whether a line begins inside a statement.
func (b *body) hasLines(s ir.Stmt) bool {
	found := false
	for _, list := range blocks(s) {
		walk(list, func(s ir.Stmt) {
			c, ok := s.(*ir.Comment)
			found = found || ok && b.lineOf(c.At) > 0
		})
	}
	return found
}
