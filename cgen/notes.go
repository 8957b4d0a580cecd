package cgen

import (
	"strings"

	"github.com/tailor-lang/tailor/laila/ir"
)

// Notes say what became of the loops of a program; those who explain a plan
// ask for them.
type Notes struct {
	// Lines has the lines of the C source, from 1, where the loops over a
	// variable begin.
	Lines map[*ir.Var][]int
	// Sharing says of the outermost variable of a nest or loop whether threads
	// share it, and how or why not.
	Sharing map[*ir.Var]Sharing
}

// Sharing says whether threads share a loop.
type Sharing struct {
	Shared bool
	Text   string // how, or why not
}

// noteLoop notes the loop that was opened last.
func (b *body) noteLoop(d ir.Dim) {
	n := b.opt.Notes
	if n == nil {
		return
	}
	if n.Lines == nil {
		n.Lines = map[*ir.Var][]int{}
	}
	n.Lines[d.Var] = append(n.Lines[d.Var], strings.Count(b.text.String(), "\n"))
}

// finish makes lines of the functions' text lines of the file, in which some
// stand before.
func (n *Notes) finish(before int) {
	if n == nil {
		return
	}
	for _, lines := range n.Lines {
		for i := range lines {
			lines[i] += before
		}
	}
}

// noteSharing notes whether n is shared.
func (b *body) noteSharing(n *ir.Nest, shared bool, text string) {
	notes := b.opt.Notes
	if notes == nil {
		return
	}
	if notes.Sharing == nil {
		notes.Sharing = map[*ir.Var]Sharing{}
	}
	for _, dims := range [][]ir.Dim{n.Dims, n.Red} {
		if len(dims) > 0 {
			notes.Sharing[dims[0].Var] = Sharing{shared, text}
			return
		}
	}
}

// obstacle says why the iterations of n cannot run at once.
func (b *body) obstacle(n *ir.Nest) string {
	body := append(append(append([]ir.Stmt{}, n.Pre...), n.Body...), n.Post...)
	text := "steps depend on each other"
	if len(n.Dims) == 0 {
		if len(n.Red) > 0 && !joinable(n) {
			text = "partial results cannot be joined, or their sum is checked for overflow"
		}
		body = n.Body
	}
	walk(body, func(s ir.Stmt) {
		switch s := s.(type) {
		case *ir.Runtime:
			text = "it calls the run-time library (" + s.Fn + ")"
		case *ir.Fail:
			text = "it may stop the program (" + s.Fault.Row().Code.Kind().String() + ")"
		case *ir.Call:
			if s.Fn.Recursive {
				text = "it calls " + s.Fn.Name + ", which calls itself"
			}
		}
	})
	return text
}
