package memory

import (
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/pass"
)

// maxVariables is the number of elements up to which an array becomes variables.
const maxVariables = 12

// Variables keeps small arrays that change hands, as the state of a loop does,
// in one variable an element, where every place that is read or written to is a
// constant: what names take from a vector and make the next one of stays in
// registers.
//
//	alloc s: f64[2]; alloc t: f64[2]              var s0, s1, t0, t1: f64
//	loop { break if s[1] > 9                      loop { break if s1 > 9
//	       t[0] = s[1]; t[1] = s[0] + s[1]   →           t0 = s1; t1 = s0 + s1
//	       swap s, t }                                   u = s0; s0 = t0; t0 = u; … }
//
// All uses of such an array are in one function, are none of calls or of the
// run-time library, and nothing writes to it inside of a nest that it is
// declared outside of, where each point would have variables of its own. Leaves
// dead variables.
func Variables(l *pass.Context, f *ir.Func) {
	v := &elementVars{l: l, moved: map[*ir.Buf]bool{}, count: map[*ir.Buf]int64{}, declared: map[*ir.Buf]*ir.Nest{},
		with: map[*ir.Buf][]*ir.Buf{}, bad: map[*ir.Buf]bool{}, vars: map[*ir.Buf][]*ir.Var{}}
	ir.Walk(f.Body, v.candidate)
	ir.Walk(f.Body, v.large)
	if len(v.moved) == 0 {
		return
	}
	for _, r := range f.Results {
		v.bad[r.Buf] = true
	}
	f.Body = v.unrolled(f.Body)
	v.judge(f.Body, nil)
	v.spread()
	if len(v.vars) > 0 {
		f.Body = v.block(f.Body)
	}
}

// elementVars is the state of the pass.
type elementVars struct {
	l        *pass.Context
	moved    map[*ir.Buf]bool      // arrays that may become variables: some statement moves them
	count    map[*ir.Buf]int64     // their extents, where they are declared with storage
	declared map[*ir.Buf]*ir.Nest  // the innermost nest around the declaration
	with     map[*ir.Buf][]*ir.Buf // arrays with which they exchange storage
	bad      map[*ir.Buf]bool      // those that stay arrays
	vars     map[*ir.Buf][]*ir.Var // the variables of those that do not
}

// candidate notes the arrays that s moves.
func (v *elementVars) candidate(s ir.Stmt) {
	join := func(a, b *ir.Buf) {
		v.moved[a], v.moved[b] = true, true
		v.with[a], v.with[b] = append(v.with[a], b), append(v.with[b], a)
	}
	switch s := s.(type) {
	case *ir.Swap:
		join(s.A, s.B)
	case *ir.Move:
		join(s.Dst, s.Src)
	}
}

// large leaves out the arrays that are large, or may be.
func (v *elementVars) large(s ir.Stmt) {
	if d, ok := s.(*ir.DeclBuf); ok && d.Count != nil {
		if n, ok := ir.IntOf(d.Count); !ok || n < 1 || n > maxVariables {
			delete(v.moved, d.Buf)
			v.bad[d.Buf] = true
		}
	}
}

// unrolled writes out maps and loops over few places that store elements of candidates.
func (v *elementVars) unrolled(block []ir.Stmt) []ir.Stmt {
	var out []ir.Stmt
	for _, s := range block {
		for _, inner := range ir.Blocks(s) {
			*inner = v.unrolled(*inner)
		}
		if d, body := overOne(s); body != nil && v.short(d, body) {
			lo, _ := ir.IntOf(d.Lo)
			hi, _ := ir.IntOf(d.Hi)
			for i := lo; i < hi; i++ {
				c := v.l.NewCloner()
				c.Vars[d.Var] = ir.Integer(i)
				out = append(out, c.List(body)...)
			}
			continue
		}
		out = append(out, s)
	}
	return out
}

// overOne returns the axis and the body of a map over one axis, or of a loop; nil for
// other statements.
func overOne(s ir.Stmt) (ir.Dim, []ir.Stmt) {
	switch s := s.(type) {
	case *ir.For:
		return ir.Dim{Var: s.Var, Lo: s.Lo, Hi: s.Hi}, s.Body
	case *ir.Nest:
		if s.Kind == ir.SegMap && len(s.Dims) == 1 && len(s.Red)+len(s.Pre)+len(s.Post)+len(s.Flags) == 0 {
			return s.Dims[0], s.Body
		}
	}
	return ir.Dim{}, nil
}

// short reports whether a loop goes over few places and stores elements of a candidate.
func (v *elementVars) short(d ir.Dim, body []ir.Stmt) bool {
	lo, ok := ir.IntOf(d.Lo)
	hi, ok2 := ir.IntOf(d.Hi)
	if !ok || !ok2 || hi-lo > maxVariables {
		return false
	}
	stores := false
	for _, s := range body {
		switch s := s.(type) {
		case *ir.Decl:
		case *ir.Store:
			stores = stores || v.moved[s.Buf]
		default:
			return false
		}
	}
	return stores
}

// judge finds the candidates that have to stay arrays; nest is the innermost
// nest around the block.
func (v *elementVars) judge(block []ir.Stmt, nest *ir.Nest) {
	for _, s := range block {
		v.judgeStmt(s, nest)
		for _, x := range ir.Exprs(s) {
			ir.WalkExpr(x, func(x ir.Expr) {
				if ld, ok := x.(*ir.Load); ok && v.moved[ld.Buf] {
					v.place(ld.Buf, ld.Index)
				}
			})
		}
		inner := nest
		if n, ok := s.(*ir.Nest); ok {
			inner = n
		}
		for _, b := range ir.Blocks(s) {
			v.judge(*b, inner)
		}
	}
}

func (v *elementVars) judgeStmt(s ir.Stmt, nest *ir.Nest) {
	switch s := s.(type) {
	case *ir.DeclBuf:
		v.declaration(s, nest)
	case *ir.Store:
		if v.moved[s.Buf] {
			v.place(s.Buf, s.Index)
			v.written(s.Buf, nest)
		}
	case *ir.Swap:
		v.written(s.A, nest)
		v.written(s.B, nest)
	case *ir.Move:
		v.written(s.Dst, nest)
		v.written(s.Src, nest)
	case *ir.Copy:
		if v.moved[s.Src] && v.moved[s.Dst] || !v.moved[s.Src] && !v.moved[s.Dst] {
			v.bad[s.Src], v.bad[s.Dst] = true, true
			return
		}
		n, ok := ir.IntOf(s.Count)
		for _, side := range []struct {
			b  *ir.Buf
			at ir.Expr
		}{{s.Dst, s.DstIndex}, {s.Src, s.SrcIndex}} {
			if v.moved[side.b] {
				v.place(side.b, side.at)
				if at, _ := ir.IntOf(side.at); !ok || n < 1 || n > maxVariables || at+n > maxVariables {
					v.bad[side.b] = true
				} else {
					v.place(side.b, ir.Integer(at+n-1))
				}
			}
		}
		if v.moved[s.Dst] {
			v.written(s.Dst, nest)
		}
	case *ir.Free:
	default:
		ir.Buffers(s, func(b *ir.Buf) { v.bad[b] = true })
	}
}

func (v *elementVars) declaration(s *ir.DeclBuf, nest *ir.Nest) {
	b := s.Buf
	if !v.moved[b] {
		return
	}
	if _, again := v.declared[b]; again || b.Const || b.Stack > 0 || b.Elem == ir.C64 {
		v.bad[b] = true
	}
	v.declared[b] = nest
	if s.Count == nil {
		return
	}
	v.count[b], _ = ir.IntOf(s.Count)
}

// place notes that an element is read or written to.
func (v *elementVars) place(b *ir.Buf, at ir.Expr) {
	i, ok := ir.IntOf(at)
	if !ok || i < 0 || i >= maxVariables {
		v.bad[b] = true
	}
}

// written notes that a statement in a nest changes b.
func (v *elementVars) written(b *ir.Buf, nest *ir.Nest) {
	if around, ok := v.declared[b]; !ok || around != nest {
		v.bad[b] = true
	}
}

// spread makes variables for the candidates that exchange storage only with
// such as can be variables, too.
func (v *elementVars) spread() {
	seen := map[*ir.Buf]bool{}
	for b := range v.moved {
		if seen[b] {
			continue
		}
		group, n, good := []*ir.Buf{b}, int64(0), true
		seen[b] = true
		for i := 0; i < len(group); i++ {
			c := group[i]
			_, declared := v.declared[c]
			good = good && declared && !v.bad[c] && c.Elem == b.Elem
			if m, ok := v.count[c]; ok {
				good = good && (n == 0 || n == m)
				n = m
			}
			for _, d := range v.with[c] {
				if !seen[d] {
					seen[d] = true
					group = append(group, d)
				}
			}
		}
		if !good || n == 0 {
			continue
		}
		for _, c := range group {
			v.vars[c] = make([]*ir.Var, n)
		}
	}
}

// block puts variables in place of the arrays.
func (v *elementVars) block(block []ir.Stmt) []ir.Stmt {
	var out []ir.Stmt
	for _, s := range block {
		for _, inner := range ir.Blocks(s) {
			*inner = v.block(*inner)
		}
		ir.MapExprs(s, v.load)
		out = append(out, v.stmt(s)...)
	}
	return out
}

// load is the variable that is read.
func (v *elementVars) load(x ir.Expr) ir.Expr {
	if ld, ok := x.(*ir.Load); ok && v.vars[ld.Buf] != nil {
		i, _ := ir.IntOf(ld.Index)
		return v.use(ld.Buf, i)
	}
	return x
}

// element is the variable of an element. Places beyond the extent are in
// branches that are never taken.
func (v *elementVars) element(b *ir.Buf, i int64) *ir.Var {
	vars := v.vars[b]
	i = min(i, int64(len(vars))-1)
	if vars[i] == nil {
		vars[i] = v.l.NewVar(b.Name, b.Elem)
	}
	return vars[i]
}

func (v *elementVars) use(b *ir.Buf, i int64) ir.Expr { return v.element(b, i).Use() }

func (v *elementVars) stmt(s ir.Stmt) []ir.Stmt {
	var out []ir.Stmt
	switch s := s.(type) {
	case *ir.DeclBuf:
		for i := range v.vars[s.Buf] {
			out = append(out, v.element(s.Buf, int64(i)).Decl(ir.Zero(s.Buf.Elem)))
		}
		if v.vars[s.Buf] != nil {
			return out
		}
	case *ir.Free:
		if v.vars[s.Buf] != nil {
			return nil
		}
	case *ir.Store:
		if v.vars[s.Buf] != nil {
			i, _ := ir.IntOf(s.Index)
			return []ir.Stmt{v.element(s.Buf, i).Assign(s.X)}
		}
	case *ir.Swap:
		for i := range v.vars[s.A] {
			a, b := v.element(s.A, int64(i)), v.element(s.B, int64(i))
			was := v.l.NewVar("was", a.Kind)
			out = append(out, was.Decl(a.Use()), a.Assign(b.Use()), b.Assign(was.Use()))
		}
		if v.vars[s.A] != nil {
			return out
		}
	case *ir.Move:
		for i := range v.vars[s.Dst] {
			out = append(out, v.element(s.Dst, int64(i)).Assign(v.use(s.Src, int64(i))))
		}
		if v.vars[s.Dst] != nil {
			return out
		}
	case *ir.Copy:
		return v.copied(s)
	}
	return []ir.Stmt{s}
}

// copied copies between variables and an array.
func (v *elementVars) copied(s *ir.Copy) []ir.Stmt {
	var out []ir.Stmt
	n, _ := ir.IntOf(s.Count)
	switch {
	case v.vars[s.Dst] != nil:
		at, _ := ir.IntOf(s.DstIndex)
		for i := int64(0); i < n; i++ {
			out = append(out, v.element(s.Dst, at+i).Assign(s.Src.Load(ir.Add(s.SrcIndex, ir.Integer(i)))))
		}
	case v.vars[s.Src] != nil:
		at, _ := ir.IntOf(s.SrcIndex)
		for i := int64(0); i < n; i++ {
			out = append(out, s.Dst.Store(ir.Add(s.DstIndex, ir.Integer(i)), v.use(s.Src, at+i)))
		}
	default:
		return []ir.Stmt{s}
	}
	return out
}
