package memory

import (
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/pass"
)

// Handover gives functions that call themselves the arrays that their callers do
// not need any more: a matrix of which each call passes on a smaller one is freed
// before the call, not after it, so that few of them are there at once, and the
// argument itself can be the result.
//
//	fun rec f(w: f64[d]) …           fun rec f(w: f64[d], own: u8) …
//	  alloc a: f64[n]                  alloc a: f64[n]
//	  segmap … a[i] = … w[i] …         segmap … a[i] = … w[i] …
//	                                   if own
//	                                     free w
//	  (r: f64) = f(a: f64[n])          var given: u8 = 1
//	  free a                           (r: f64) = f(a: f64[n], given: u8)
//
// A parameter is handed over where a call in a recursive function is the last
// mention of its argument, which the caller owns; other calls keep theirs, and
// say so. A function that is handed a parameter frees it after the last mention
// on each path, hands it on, or makes it the result instead of a copy.
//
// Requires: every Free follows the last mention of its buffer in its block, and
// no alias of a buffer is mentioned after it. Parameters that are aliased, moved
// or exchanged stay with the caller.
func Handover(l *pass.Context) {
	h := &handing{l: l, owned: map[*ir.Func]map[int]*ir.Var{}}
	for _, f := range l.Out.Funcs {
		if f.Recursive {
			h.find(f.Body)
		}
	}
	for f, owned := range h.owned {
		for i := range owned {
			if f.Params[i].Buf == nil || h.shared(f, i) {
				delete(owned, i)
			}
		}
		if len(owned) == 0 {
			delete(h.owned, f)
		}
	}
	if len(h.owned) == 0 {
		return
	}
	for _, f := range append(append([]*ir.Func{}, l.Out.Funcs...), l.Out.Main) {
		f.Body = h.calls(f.Body)
	}
	for _, f := range l.Out.Funcs {
		h.function(f)
	}
}

// handing is what is known of the parameters that are handed over.
type handing struct {
	l     *pass.Context
	owned map[*ir.Func]map[int]*ir.Var // for a parameter the variable that says who owns it
}

// find notes the parameters whose arguments end with a call.
func (h *handing) find(block []ir.Stmt) {
	for i, s := range block {
		for _, inner := range ir.Blocks(s) {
			h.find(*inner)
		}
		c, ok := s.(*ir.Call)
		if !ok || !c.Fn.Recursive {
			continue
		}
		for k := range c.Args {
			if freed(block, i, c, k) {
				if h.owned[c.Fn] == nil {
					h.owned[c.Fn] = map[int]*ir.Var{}
				}
				h.owned[c.Fn][k] = h.l.NewVar("own", ir.U8)
			}
		}
	}
}

// freed reports whether argument k of the call at block[i] is freed right after
// the call, and is no other argument of it.
func freed(block []ir.Stmt, i int, c *ir.Call, k int) bool {
	b := c.Args[k].Buf
	if b == nil || c.Args[k].At != nil || b.Stack > 0 || b.Const || !passedOnce(c, b) {
		return false
	}
	for _, s := range block[i+1:] {
		f, ok := s.(*ir.Free)
		if !ok {
			return false
		}
		if f.Buf == b {
			return true
		}
	}
	return false
}

func passedOnce(c *ir.Call, b *ir.Buf) bool {
	n := 0
	for _, a := range c.Args {
		if a.Buf == b {
			n++
		}
	}
	return n == 1
}

// shared reports whether the storage of parameter i of f changes hands.
func (h *handing) shared(f *ir.Func, i int) bool {
	held := map[*ir.Buf]bool{}
	ShareStorage(f.Body, held)
	return held[f.Params[i].Buf]
}

// calls adds to the calls of functions that take arguments over whether they do,
// and drops the Frees of those that are.
func (h *handing) calls(block []ir.Stmt) []ir.Stmt {
	var out []ir.Stmt
	gone := map[ir.Stmt]bool{}
	for i, s := range block {
		for _, inner := range ir.Blocks(s) {
			*inner = h.calls(*inner)
		}
		if gone[s] {
			continue
		}
		c, ok := s.(*ir.Call)
		if !ok || h.owned[c.Fn] == nil {
			out = append(out, s)
			continue
		}
		n := len(c.Fn.Params)
		for k := 0; k < n; k++ {
			if h.owned[c.Fn][k] == nil {
				continue
			}
			given := h.l.NewVar("given", ir.U8)
			if freed(block, i, c, k) {
				for _, t := range block[i+1:] {
					if f, ok := t.(*ir.Free); ok && f.Buf == c.Args[k].Buf {
						gone[t] = true
						break
					}
				}
				out = append(out, given.Decl(ir.Boolean(true)))
			} else {
				out = append(out, given.Decl(ir.Boolean(false)))
			}
			c.Args = append(c.Args, ir.Array{Elem: ir.U8, Scalar: given})
		}
		out = append(out, c)
	}
	return out
}

// function adds to f the parameters that say who owns the others, and ends each
// of these after its last mention. It is called when the calls have their
// arguments.
func (h *handing) function(f *ir.Func) {
	n := len(f.Params)
	for k := 0; k < n; k++ {
		own := h.owned[f][k]
		if own == nil {
			continue
		}
		p := f.Params[k].Buf
		p.Owned = true
		f.Params = append(f.Params, ir.Array{Elem: ir.U8, Scalar: own})
		e := &ending{handing: h, p: p, own: own, mentions: map[ir.Stmt]bool{}}
		for _, s := range f.Body {
			e.note(s)
		}
		f.Body = e.block(f.Body)
	}
}

// ending ends a parameter where it is mentioned last.
type ending struct {
	*handing
	p        *ir.Buf
	own      *ir.Var
	mentions map[ir.Stmt]bool
}

// note finds the statements that mention the parameter, in them or themselves.
func (e *ending) note(s ir.Stmt) bool {
	found := false
	ir.EachBuffer(s, func(b *ir.Buf) { found = found || b == e.p })
	for _, inner := range ir.Blocks(s) {
		for _, t := range *inner {
			found = e.note(t) || found
		}
	}
	e.mentions[s] = found
	return found
}

func (e *ending) free() ir.Stmt {
	return &ir.If{Cond: e.own.Use(), Then: []ir.Stmt{&ir.Free{Buf: e.p}}}
}

// block ends the parameter in a block.
func (e *ending) block(block []ir.Stmt) []ir.Stmt {
	i := len(block) - 1
	for i >= 0 && !e.mentions[block[i]] {
		i--
	}
	if i < 0 {
		return append([]ir.Stmt{e.free()}, block...)
	}
	out := append([]ir.Stmt{}, block[:i]...)
	rest := block[i+1:]
	switch s := block[i].(type) {
	case *ir.If:
		s.Then, s.Else = e.block(s.Then), e.block(s.Else)
		out = append(out, s)
	case *ir.Copy:
		if made := e.result(block, i); made != nil {
			out = made
			break
		}
		out = append(out, s, e.free())
	case *ir.Call:
		if given := e.handsOn(s); given >= 0 {
			s.Args[given] = ir.Array{Elem: ir.U8, Scalar: e.own}
			out = append(out, s)
			break
		}
		out = append(out, s, e.free())
	default:
		out = append(out, s, e.free())
	}
	return append(out, rest...)
}

// result returns statements in place of those before block[i], and it, that make
// a copy of the parameter. There may be declarations of variables between the
// two.
func (e *ending) result(block []ir.Stmt, i int) []ir.Stmt {
	c := block[i].(*ir.Copy)
	if c.Src != e.p || !ir.IsInt(c.SrcIndex, 0) || !ir.IsInt(c.DstIndex, 0) {
		return nil
	}
	at := i - 1
	for ; at >= 0; at-- {
		if _, ok := block[at].(*ir.Decl); !ok {
			break
		}
	}
	if at < 0 {
		return nil
	}
	d, ok := block[at].(*ir.DeclBuf)
	if !ok || d.Buf != c.Dst || d.Buf.Stack > 0 || d.Count == nil {
		return nil
	}
	t := *d.Buf
	out := append([]ir.Stmt{}, block[:at]...)
	out = append(append(out, &ir.DeclBuf{Buf: d.Buf, At: d.At}), block[at+1:i]...)
	return append(out, &ir.If{Cond: e.own.Use(), Then: []ir.Stmt{&ir.Move{Dst: d.Buf, Src: e.p}}, Else: []ir.Stmt{
		&ir.DeclBuf{Buf: &t, Count: d.Count, Shape: d.Shape, Zero: d.Zero, At: d.At},
		&ir.Copy{Dst: &t, DstIndex: c.DstIndex, Src: c.Src, SrcIndex: c.SrcIndex, Count: c.Count},
		&ir.Move{Dst: d.Buf, Src: &t},
	}})
}

// handsOn returns the place of the argument that says whether the callee owns
// the parameter, or -1.
func (e *ending) handsOn(c *ir.Call) int {
	if e.owned[c.Fn] == nil || !passedOnce(c, e.p) {
		return -1
	}
	place := 0
	for k := range c.Args {
		if e.owned[c.Fn][k] == nil {
			continue
		}
		if c.Args[k].Buf == e.p && c.Args[k].At == nil {
			return len(c.Args) - len(e.owned[c.Fn]) + place
		}
		place++
	}
	return -1
}
