package ir

import (
	"fmt"
	"strings"
)

// Check returns an error that names the function and the statement where a loop
// program is not well-formed. It runs after every pass in tests and with
// --verify; a program that users compile is not checked.
//
// A program is well-formed where, on every path through each function,
//
//   - a variable is declared in the block of its use or in one around it, at most
//     once there, and has been written before it is read. A loop over a range
//     runs at least once only where its ends are constants; a nest declares in
//     Pre for the statements behind it, if it has no Dims; results of a function
//     are declared at its head;
//   - a buffer is declared before it is mentioned; where it is read or written it
//     may refer to storage, which cannot have been freed; where one in the stack
//     frame that belongs to the points of a nest is read, something may have
//     written to it; storage is freed once, and what a buffer owns is freed, moved,
//     or a result when its block ends. Parameters are neither written nor freed,
//     unless they are owned;
//   - operands and results have the kinds that ir.go and runtime.go say
//     (checkkinds.go);
//   - the points of a nest assign to nothing outside but its Flags and Accs, which
//     are declared before the nest or in Pre, and neither free nor move what is
//     outside;
//   - breaks are in loops, returns outside of nests, and results are written.
//
// Values are not followed: a variable that is written under a condition has to be
// written before, though the same condition guards the use.
func Check(p *Program) error {
	funcs := append([]*Func{}, p.Funcs...)
	if n := len(funcs); n == 0 || funcs[n-1] != p.Main {
		funcs = append(funcs, p.Main)
	}
	for _, f := range funcs {
		if err := CheckFunc(p, f); err != nil {
			return err
		}
	}
	return nil
}

// CheckFunc is Check of one function.
func CheckFunc(p *Program, f *Func) error {
	c := &checker{fn: f, ids: map[any]int{}, visible: map[any]bool{}, consts: map[*Buf]bool{}, params: map[*Buf]bool{},
		results: map[any]bool{}, roots: map[*Buf]*Buf{}, decls: map[*Var]*Decl{}, rows: map[*Buf]bool{}, now: state{}}
	for _, k := range p.Consts {
		c.consts[k.Buf] = true
	}
	c.head()
	c.block(f.Body)
	if c.now != nil {
		c.leave()
	}
	return c.err
}

// state has for every variable and buffer what may be so at a point of the
// function; nil is a point that is never reached.
type state []facts

// facts are sets of possibilities.
type facts uint8

const (
	unwritten facts = 1 << iota // of a variable: nothing was assigned
	null                        // of a buffer: it refers to no storage
	live                        // it refers to storage
	gone                        // its storage was freed
	filled                      // something may have written to the storage
)

// join returns what may be so at a point that is reached from two.
func join(a, b state) state {
	if a == nil || b == nil {
		if a == nil {
			return b
		}
		return a
	}
	if len(a) < len(b) {
		a, b = b, a
	}
	out := a.clone()
	for i, f := range b {
		out[i] |= f
	}
	return out
}

func (s state) clone() state {
	if s == nil {
		return nil
	}
	return append(state{}, s...)
}

// equal reports whether states are the same; what is behind the end of one is
// not declared there.
func equal(a, b state) bool {
	if (a == nil) != (b == nil) {
		return false
	}
	if len(a) < len(b) {
		a, b = b, a
	}
	for i, f := range a {
		if i < len(b) && f != b[i] || i >= len(b) && f != 0 {
			return false
		}
	}
	return true
}

// checker checks one function.
type checker struct {
	fn      *Func
	err     error // the first one
	at      Stmt
	ids     map[any]int  // places in states
	visible map[any]bool // variables and buffers in scope
	scope   []any        // these, in the order of their declarations
	now     state
	exits   []*exit // of the loops and nests around
	nests   []*region
	consts  map[*Buf]bool
	params  map[*Buf]bool
	results map[any]bool
	roots   map[*Buf]*Buf // the buffer that an alias is another name of
	decls   map[*Var]*Decl
	rows    map[*Buf]bool // arrays in the stack frame that belong to points of a nest
}

// region is what the points of a nest around run.
type region struct {
	from   int // what is declared there in scope belongs to the points
	shared map[*Var]bool
}

func (c *checker) fail(format string, args ...any) {
	if c.err != nil {
		return
	}
	text := "the head"
	if c.at != nil {
		w := newTextWriter()
		w.stmt(c.at)
		text, _, _ = strings.Cut(w.b.String(), "\n")
	}
	c.err = fmt.Errorf("internal error: loops of %s: %s: %s", c.fn.Name, text, fmt.Sprintf(format, args...))
}

func (c *checker) id(x any) int {
	n, ok := c.ids[x]
	if !ok {
		n = len(c.ids)
		c.ids[x] = n
	}
	for n >= len(c.now) && c.now != nil {
		c.now = append(c.now, 0)
	}
	return n
}

func (c *checker) get(x any) facts {
	n := c.id(x)
	if c.now == nil {
		return 0
	}
	return c.now[n]
}

func (c *checker) put(x any, f facts) {
	if n := c.id(x); c.now != nil {
		c.now[n] = f
	}
}

// head declares parameters and results.
func (c *checker) head() {
	for _, a := range c.fn.Params {
		if a.Buf == nil {
			c.declare(a.Scalar, 0)
			continue
		}
		c.params[a.Buf] = true
		c.declare(a.Buf, live|filled)
		c.extents(a.Dims)
	}
	for _, a := range c.fn.Results {
		for _, d := range a.Dims {
			c.result(d.(*Use).Var, unwritten)
		}
		if a.Buf == nil {
			c.result(a.Scalar, unwritten)
		} else {
			c.result(a.Buf, null)
		}
	}
}

func (c *checker) result(x any, f facts) {
	if !c.visible[x] {
		c.declare(x, f)
	}
	c.results[x] = true
}

// extents declares the variables of an array's extents, which have been written.
func (c *checker) extents(dims []Expr) {
	for _, d := range dims {
		if u, ok := d.(*Use); ok && !c.visible[u.Var] {
			c.declare(u.Var, 0)
		}
	}
}

// declare brings a variable or a buffer into the scope of the current block.
func (c *checker) declare(x any, f facts) {
	if c.visible[x] && !c.results[x] {
		c.fail("%s is declared again", nameOf(x))
	}
	if !c.visible[x] {
		c.visible[x] = true
		c.scope = append(c.scope, x)
	}
	c.put(x, f)
}

func nameOf(x any) string {
	switch x := x.(type) {
	case *Var:
		return x.Name
	case *Buf:
		return x.Name
	}
	panic("internal error: neither a variable nor a buffer")
}

// scoped runs f in a block of its own.
func (c *checker) scoped(f func()) {
	outer := len(c.scope)
	f()
	for _, x := range c.scope[outer:] {
		if b, ok := x.(*Buf); ok {
			c.lost(b)
		}
		delete(c.visible, x)
	}
	c.scope = c.scope[:outer]
}

// lost reports storage that nothing refers to any more.
func (c *checker) lost(b *Buf) {
	if b.Stack == 0 && c.get(b)&live != 0 && c.roots[b] == nil && !c.params[b] {
		c.fail("the storage of %s is not freed", b.Name)
	}
}

// leave checks what holds where the function returns.
func (c *checker) leave() {
	for _, x := range c.scope {
		b, ok := x.(*Buf)
		switch {
		case !ok && c.results[x] && c.get(x)&unwritten != 0:
			c.fail("the result %s is not written", nameOf(x))
		case ok && c.results[x] && c.get(x)&(null|gone) != 0:
			c.fail("the result %s may have no storage", b.Name)
		case ok && !c.results[x]:
			c.lost(b)
		}
	}
	c.now = nil
}

// read checks the use of a variable.
func (c *checker) read(v *Var) {
	if !c.visible[v] {
		c.fail("%s is read before it is declared", v.Name)
	} else if c.get(v)&unwritten != 0 {
		c.fail("%s is read before it is written", v.Name)
	}
}

// write checks an assignment to a variable; a flag that is ORed into is read.
func (c *checker) write(v *Var) {
	if !c.visible[v] {
		c.fail("%s is written before it is declared", v.Name)
	}
	for _, r := range c.nests {
		if !r.shared[v] && !c.within(r, v) {
			c.fail("%s is outside of the nest, and none of its flags and accumulators", v.Name)
		}
	}
	c.put(v, 0)
}

// within reports whether the points of a nest declare x.
func (c *checker) within(r *region, x any) bool {
	for _, y := range c.scope[r.from:] {
		if x == y {
			return true
		}
	}
	return false
}

// storage checks that a buffer refers to storage.
func (c *checker) storage(b *Buf) {
	switch {
	case b.Const:
		if !c.consts[b] {
			c.fail("%s is no constant of the program", b.Name)
		}
		return
	case !c.visible[b]:
		c.fail("%s is mentioned before it is declared", b.Name)
	case c.get(b)&gone != 0:
		c.fail("the storage of %s may have been freed", b.Name)
	case c.get(b)&(null|live) == null:
		c.fail("%s has no storage", b.Name)
	}
	if root := c.roots[b]; root != nil {
		c.storage(root)
	}
}

// load checks that a buffer is read.
func (c *checker) load(b *Buf) {
	c.storage(b)
	if c.now != nil && c.rows[b] && c.get(b)&filled == 0 {
		c.fail("%s is read, and nothing has written to it", b.Name)
	}
}

// store checks that a buffer is written to.
func (c *checker) store(b *Buf) {
	c.storage(b)
	if b.Const || c.params[b] && !b.Owned {
		c.fail("%s is not to be written to", b.Name)
	}
	for ; b != nil; b = c.roots[b] {
		c.put(b, c.get(b)|filled)
	}
}

// owned checks that the storage of a buffer may change hands here.
func (c *checker) owned(b *Buf) {
	switch {
	case !c.visible[b]:
		c.fail("%s is mentioned before it is declared", b.Name)
	case b.Const || c.params[b] && !b.Owned || c.roots[b] != nil:
		c.fail("%s does not own its storage", b.Name)
	}
	for _, r := range c.nests {
		if !c.within(r, b) {
			c.fail("%s is outside of the nest", b.Name)
		}
	}
}
