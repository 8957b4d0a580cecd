package memory

import (
	"slices"

	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/pass"
)

// Handover gives functions the arrays that their callers do not need any more. One that calls
// itself frees a matrix before it passes a smaller one on, so that few of them are there at once;
// one that changes an array, as a name from outside, does so where it is.
//
//	fun f(w: i64[d]) → (r: i64[d])     fun f(w: i64[d], own: u8) → (r: i64[d])
//	  alloc r: i64[d]                    if own
//	  copy r[0] = w[0], d elements         move r = w
//	  r[0] = 1                           else: alloc r: i64[d], copy
//	                                     r[0] = 1
//	(b: i64[d]) = f(a: i64[d])         null t: i64, move t = a
//	swap a, b                          var given: u8 = 1
//	free b                             (b: i64[d]) = f(t: i64[d], given: u8)
//	                                   swap a, b
//	                                   free b
//
// A parameter is handed over where the caller owns its argument and a call is the last that uses
// it on the path through the branches around it; other calls keep theirs, and say so. A function
// that is handed a parameter frees it after the last mention on each path, hands it on, or makes
// it the result instead of a copy. Copies of what is not used behind them are moves, too.
//
// Requires: every Free follows the last mention of its buffer in its block. Parameters that are
// aliased, moved or exchanged stay with the caller.
func Handover(l *pass.Context) {
	h := &handing{l: l, owned: map[*ir.Func]map[int]*ir.Var{}, wanted: map[*ir.Func]map[int]bool{}}
	all := append(append([]*ir.Func{}, l.Out.Funcs...), l.Out.Main)
	for _, f := range all {
		elide(f)
	}
	for _, f := range all {
		h.find(f)
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
	for _, f := range all {
		h.calls(f)
	}
	for _, f := range l.Out.Funcs {
		h.function(f)
	}
}

// elide makes arrays that are copied and not used any more the copies.
//
//	alloc b: i64[n]                null b: i64
//	copy b[0] = a[0], n elements   move b = a
//	free a                         free a
func elide(f *ir.Func) {
	given := storagesOf(f)
	eachSpot(f.Body, nil, nil, func(s ir.Stmt, at spot) {
		c, ok := s.(*ir.Copy)
		if !ok || !given.gives(c.Src) || !at.ends(c.Src) {
			return
		}
		here := at[len(at)-1]
		if decl, whole := made(here.block, here.at, c.Src); whole {
			d := here.block[decl].(*ir.DeclBuf)
			here.block[decl] = &ir.DeclBuf{Buf: d.Buf, At: d.At}
			here.block[here.at] = &ir.Move{Dst: c.Dst, Src: c.Src}
		}
	})
}

// handing is what is known of the parameters that are handed over.
type handing struct {
	l      *pass.Context
	owned  map[*ir.Func]map[int]*ir.Var // for a parameter the variable that says who owns it
	wanted map[*ir.Func]map[int]bool    // whether a function gains by owning a parameter
}

// find notes the parameters whose arguments end with a call.
func (h *handing) find(f *ir.Func) {
	given := storagesOf(f)
	eachSpot(f.Body, nil, nil, func(s ir.Stmt, at spot) {
		c, ok := s.(*ir.Call)
		if !ok {
			return
		}
		for k := range c.Args {
			if given.handed(c, k, at) && h.gains(c.Fn, k) {
				h.own(c.Fn, k)
			}
		}
	})
}

// own notes that a function may be handed parameter k, and which of others it hands on.
func (h *handing) own(f *ir.Func, k int) {
	if h.owned[f] == nil {
		h.owned[f] = map[int]*ir.Var{}
	}
	if h.owned[f][k] != nil {
		return
	}
	h.owned[f][k] = h.l.NewVar("own", ir.U8)
	h.lasts(f.Body, f.Params[k].Buf, func(s ir.Stmt, block []ir.Stmt, i int) {
		c, ok := s.(*ir.Call)
		for j := 0; ok && j < len(c.Args); j++ {
			if a := c.Args[j]; a.Buf == f.Params[k].Buf && a.At == nil && passedOnce(c, a.Buf) && h.gains(c.Fn, j) {
				h.own(c.Fn, j)
			}
		}
	})
}

// gains reports whether it is of use that a function owns parameter k: one that calls itself has
// less in storage at once, others make a result of it, or hand it on to one that does.
func (h *handing) gains(f *ir.Func, k int) bool {
	if f.Recursive {
		return true
	}
	if want, known := h.wanted[f][k]; known {
		return want
	}
	if h.wanted[f] == nil {
		h.wanted[f] = map[int]bool{}
	}
	h.wanted[f][k] = false
	p := f.Params[k].Buf
	h.lasts(f.Body, p, func(s ir.Stmt, block []ir.Stmt, i int) {
		want := false
		switch s := s.(type) {
		case *ir.Copy:
			_, want = made(block, i, p)
		case *ir.Call:
			for j, a := range s.Args {
				want = want || a.Buf == p && a.At == nil && passedOnce(s, p) && h.gains(s.Fn, j)
			}
		}
		h.wanted[f][k] = h.wanted[f][k] || want
	})
	return h.wanted[f][k]
}

// lasts calls visit with the last mention of a parameter on each path through a block.
func (h *handing) lasts(block []ir.Stmt, p *ir.Buf, visit func(s ir.Stmt, block []ir.Stmt, i int)) {
	for i, s := range slices.Backward(block) {
		if !mentions(s, p) {
			continue
		}
		if branch, ok := s.(*ir.If); ok {
			h.lasts(branch.Then, p, visit)
			h.lasts(branch.Else, p, visit)
		} else {
			visit(s, block, i)
		}
		return
	}
}

// handed reports whether argument k of a call ends with it, and is no other argument of it.
func (s *storages) handed(c *ir.Call, k int, at spot) bool {
	b := c.Args[k].Buf
	return s.gives(b) && c.Args[k].At == nil && passedOnce(c, b) && at.ends(b)
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

// calls adds to the calls of functions that take arguments over whether they do; the
// caller has none of these any more.
func (h *handing) calls(f *ir.Func) {
	given, before := storagesOf(f), map[ir.Stmt][]ir.Stmt{}
	eachSpot(f.Body, nil, nil, func(s ir.Stmt, at spot) {
		c, ok := s.(*ir.Call)
		if !ok || h.owned[c.Fn] == nil {
			return
		}
		for k := range c.Fn.Params {
			if h.owned[c.Fn][k] == nil {
				continue
			}
			own, ends := h.l.NewVar("given", ir.U8), given.handed(c, k, at)
			if ends {
				t := *c.Args[k].Buf
				before[c] = append(before[c], &ir.DeclBuf{Buf: &t}, &ir.Move{Dst: &t, Src: c.Args[k].Buf})
				c.Args[k].Buf = &t
			}
			before[c] = append(before[c], own.Decl(ir.Boolean(ends)))
			c.Args = append(c.Args, ir.Array{Elem: ir.U8, Scalar: own})
		}
	})
	f.Body = inserted(f.Body, before)
}

// inserted puts statements before others.
func inserted(block []ir.Stmt, before map[ir.Stmt][]ir.Stmt) (out []ir.Stmt) {
	for _, s := range block {
		for _, inner := range ir.Blocks(s) {
			*inner = inserted(*inner, before)
		}
		out = append(append(out, before[s]...), s)
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

// made returns the place of the declaration of an array in a block where the copy at block[i] fills
// it with a whole one. There may be declarations of variables between the two.
func made(block []ir.Stmt, i int, src *ir.Buf) (at int, whole bool) {
	c := block[i].(*ir.Copy)
	if c.Src != src || !ir.IsInt(c.SrcIndex, 0) || !ir.IsInt(c.DstIndex, 0) {
		return 0, false
	}
	for at = i - 1; at >= 0; at-- {
		if _, ok := block[at].(*ir.Decl); !ok {
			break
		}
	}
	if at < 0 {
		return 0, false
	}
	d, ok := block[at].(*ir.DeclBuf)
	return at, ok && d.Buf == c.Dst && d.Buf.Stack <= 0 && d.Count != nil && ir.Same(d.Count, c.Count) && d.Buf.Elem == src.Elem
}

// result returns statements in place of those before block[i], and it, that make
// a copy of the parameter.
func (e *ending) result(block []ir.Stmt, i int) []ir.Stmt {
	at, whole := made(block, i, e.p)
	if !whole {
		return nil
	}
	c, d := block[i].(*ir.Copy), block[at].(*ir.DeclBuf)
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
