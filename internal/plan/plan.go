// Package plan tells users how a program runs: which of its lines became which
// loops, what is stored and where, what threads share, and what the C compiler
// made vector code of. In comes a compilation; out comes a text with a section
// a source line.
//
//	sum.apl:2  +/x×x
//	  loop over 50,000,000: sum; lines 1, 2 in one pass
//	    threads: in blocks of 1024 terms
//	    vectors: 32 bytes
package plan

import (
	"fmt"
	"io"
	"sort"
	"strings"

	"github.com/tailor-lang/tailor/cgen"
	"github.com/tailor-lang/tailor/internal/driver"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/memory"
)

// plan is a plan that is being written.
type plan struct {
	file    string
	notes   *cgen.Notes
	vectors *driver.Vectors // nil where no compiler was asked
	source  []string        // lines of C
	threads bool            // the target shares loops

	sections []*section
	byLine   map[int]*section
	now      *section
	pending  []int // lines whose comments have been met since the last loop
	heap     int64 // bytes of arrays of known size
	copied   map[*ir.Copy]memory.Verdict
	stored   map[*ir.Buf]string
}

// section is what is said about a line.
type section struct {
	line  int
	text  string
	items []string
}

// Section is what is said about a line of the source, from 1.
type Section struct {
	Line  int
	Items []string // those below others begin with blanks
}

// Sections returns the plan of a program, without what the C compiler says.
func Sections(c *driver.Compilation) ([]Section, error) {
	p, err := made(c, nil)
	if err != nil {
		return nil, err
	}
	var all []Section
	for _, s := range p.sections {
		all = append(all, Section{s.line, s.items})
	}
	return all, nil
}

// Write writes the plan of a program. Without a C compiler it says nothing
// about vector code.
func Write(w io.Writer, c *driver.Compilation, cc *driver.Compiler) error {
	p, err := made(c, cc)
	if err == nil {
		p.write(w)
	}
	return err
}

// made makes the plan of a program.
func made(c *driver.Compilation, cc *driver.Compiler) (*plan, error) {
	text, notes, err := c.Noted()
	if err != nil {
		return nil, err
	}
	loops, err := c.Loops()
	if err != nil {
		return nil, err
	}
	p := &plan{file: c.Source.Name, notes: notes, source: strings.Split(text, "\n"), threads: c.Target == driver.OpenMP, byLine: map[int]*section{}}
	if cc != nil {
		if p.vectors, err = cc.VectorReport(text, c.Options); err != nil {
			return nil, err
		}
	}
	for _, f := range append(append([]*ir.Func{}, loops.Funcs...), loops.Main) {
		if f == loops.Main || len(f.Body) > 0 {
			p.function(f, f == loops.Main)
		}
	}
	return p, nil
}

func (p *plan) write(w io.Writer) {
	for _, s := range p.sections {
		if len(s.items) == 0 {
			continue
		}
		fmt.Fprintf(w, "%s:%d  %s\n", p.file, s.line, s.text)
		for _, item := range s.items {
			fmt.Fprintf(w, "  %s\n", item)
		}
	}
	if p.heap > 0 {
		fmt.Fprintf(w, "arrays on the heap whose size is known: %s, not all at once\n", bytes(p.heap))
	}
}

// function describes the statements of a function.
func (p *plan) function(f *ir.Func, main bool) {
	p.now, p.pending = nil, nil
	p.copied, p.stored = memory.Copied(f), memory.Stored(f)
	if !main {
		p.now = &section{text: "function " + f.Name}
	}
	p.block(f.Body, 0)
}

// say adds to the section of the line at hand.
func (p *plan) say(depth int, format string, args ...any) {
	if p.now == nil {
		p.now = p.section(0, "the program")
	}
	p.now.items = append(p.now.items, strings.Repeat("  ", depth)+fmt.Sprintf(format, args...))
}

func (p *plan) section(line int, text string) *section {
	if s, ok := p.byLine[line]; ok {
		return s
	}
	s := &section{line: line, text: strings.TrimSpace(text)}
	p.byLine[line] = s
	p.sections = append(p.sections, s)
	return s
}

// block describes statements in order.
func (p *plan) block(list []ir.Stmt, depth int) {
	for _, s := range list {
		p.stmt(s, depth)
	}
}

func (p *plan) stmt(s ir.Stmt, depth int) {
	switch s := s.(type) {
	case *ir.Comment:
		line, _ := s.At.Src.Position(s.At.Start)
		p.now = p.section(line, s.Text)
		p.pending = append(p.pending, line)
	case *ir.DeclBuf:
		p.array(s, depth)
	case *ir.Nest:
		p.nest(s, depth)
	case *ir.For:
		p.loop(s, depth)
	case *ir.Loop:
		p.say(depth, "loop until a test ends it")
		p.pending = nil
		p.block(s.Body, depth+1)
	case *ir.If:
		if !findsFault(s) {
			p.block(s.Then, depth)
		}
		p.block(s.Else, depth)
	case *ir.Copy:
		p.say(depth, "copies an array of %s elements%s", expr(s.Count), because(string(p.copied[s])))
	case *ir.Call:
		p.say(depth, "calls function %s", s.Fn.Name)
	case *ir.Runtime:
		p.say(depth, "calls the run-time library: %s", s.Fn)
	case *ir.Micro:
		p.say(depth, "a tile of %d rows by two vectors, in registers", ir.MicroRows)
	}
}

// array describes the storage of an array.
func (p *plan) array(s *ir.DeclBuf, depth int) {
	switch {
	case s.Count == nil:
	case s.Buf.Stack > 0:
		p.say(depth, "array %s: %s %s, %s on the stack%s", s.Buf.Name, count(s.Buf.Stack), s.Buf.Elem, bytes(s.Buf.Stack*width(s.Buf.Elem)), because(p.stored[s.Buf]))
	default:
		if n, ok := s.Count.(*ir.Int); ok {
			size := n.Val * width(s.Buf.Elem)
			p.heap += size
			p.say(depth, "array %s: %s %s, %s on the heap%s", s.Buf.Name, count(n.Val), s.Buf.Elem, bytes(size), because(p.stored[s.Buf]))
			return
		}
		p.say(depth, "array %s: %s %s, %d bytes each, on the heap%s", s.Buf.Name, expr(s.Count), s.Buf.Elem, width(s.Buf.Elem), because(p.stored[s.Buf]))
	}
}

// fused returns which lines became one pass, when several did.
func (p *plan) fused() string {
	lines := p.pending
	p.pending = nil
	sort.Ints(lines)
	var words []string
	for i, l := range lines {
		if i == 0 || l != lines[i-1] {
			words = append(words, fmt.Sprint(l))
		}
	}
	if len(words) < 2 {
		return ""
	}
	return "; lines " + strings.Join(words, ", ") + " in one pass"
}

// nest describes a parallel nest.
func (p *plan) nest(n *ir.Nest, depth int) {
	dims := append(append([]ir.Dim{}, n.Dims...), n.Red...)
	if len(dims) == 0 {
		p.block(n.Body, depth)
		return
	}
	p.say(depth, "loop over %s: %s%s", space(dims), p.does(n), p.fused())
	p.details(dims, n.Body, depth+1)
	for _, list := range [][]ir.Stmt{n.Pre, n.Body, n.Post} {
		p.block(list, depth+1)
	}
}

// does names what a nest computes.
func (p *plan) does(n *ir.Nest) string {
	var words []string
	for _, a := range n.Accs {
		words = append(words, reductionName(a))
	}
	if stores(n.Body) || len(n.Accs) == 0 {
		words = append([]string{"elements"}, words...)
	}
	return strings.Join(words, ", ")
}

// loop describes a sequential loop.
func (p *plan) loop(s *ir.For, depth int) {
	d := ir.Dim{Var: s.Var, Lo: s.Lo, Hi: s.Hi}
	kind := "in order"
	if s.Independent {
		kind = "elements"
	}
	p.say(depth, "loop over %s: %s%s", space([]ir.Dim{d}), kind, p.fused())
	p.details([]ir.Dim{d}, s.Body, depth+1)
	p.block(s.Body, depth+1)
}

// details says what threads and vectors do for a loop.
func (p *plan) details(dims []ir.Dim, body []ir.Stmt, depth int) {
	if s, ok := p.notes.Sharing[dims[0].Var]; ok && p.threads && !short(dims) {
		switch {
		case s.Shared && s.Text == "":
			p.say(depth, "threads: shared")
		case s.Shared:
			p.say(depth, "threads: shared, %s", s.Text)
		default:
			p.say(depth, "threads: one, as %s", s.Text)
		}
	}
	if p.vectors == nil || hasLoops(body) {
		return
	}
	inner := dims[len(dims)-1]
	if short([]ir.Dim{inner}) {
		return // it is unrolled
	}
	p.say(depth, "vectors: %s", p.vectorised(inner.Var))
}

// short reports whether a space is known to have few points.
func short(dims []ir.Dim) bool {
	n := int64(1)
	for _, d := range dims {
		lo, lok := d.Lo.(*ir.Int)
		hi, hok := d.Hi.(*ir.Int)
		if !lok || !hok {
			return false
		}
		n *= min(max(hi.Val-lo.Val, 0), 1<<20)
	}
	return n < 16
}

// vectorised says what the C compiler made of the innermost loop over v.
func (p *plan) vectorised(v *ir.Var) string {
	why := ""
	for _, begin := range p.notes.Lines[v] {
		end := p.end(begin)
		widths := map[string]bool{}
		for line := begin - 1; line <= end; line++ {
			for _, w := range p.vectors.Done[line] {
				widths[w] = true
			}
			if text := p.vectors.Missed[line]; text != "" {
				why = text
			}
		}
		if len(widths) > 0 {
			return strings.Join(ordered(widths), " and ")
		}
	}
	if why == "" {
		return "none"
	}
	return "none, as the C compiler says: " + why
}

// end returns the line where the loop that begins at a line of C ends.
func (p *plan) end(begin int) int {
	indent := len(p.source[begin-1]) - len(strings.TrimLeft(p.source[begin-1], " "))
	closing := strings.Repeat(" ", indent) + "}"
	for line := begin + 1; line <= len(p.source); line++ {
		if p.source[line-1] == closing {
			return line
		}
	}
	return begin
}
