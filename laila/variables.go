package laila

// maxVariables is the number of elements up to which an array becomes variables.
const maxVariables = 12

// variables keeps small arrays that change hands, as the state of a loop does,
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
func (l *lowerer) variables(f *Func) {
	v := &elementVars{l: l, moved: map[*Buf]bool{}, count: map[*Buf]int64{}, declared: map[*Buf]*Nest{},
		with: map[*Buf][]*Buf{}, bad: map[*Buf]bool{}, vars: map[*Buf][]*Var{}}
	Walk(f.Body, v.candidate)
	Walk(f.Body, v.large)
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
	l        *lowerer
	moved    map[*Buf]bool   // arrays that may become variables: some statement moves them
	count    map[*Buf]int64  // their extents, where they are declared with storage
	declared map[*Buf]*Nest  // the innermost nest around the declaration
	with     map[*Buf][]*Buf // arrays with which they exchange storage
	bad      map[*Buf]bool   // those that stay arrays
	vars     map[*Buf][]*Var // the variables of those that do not
}

// candidate notes the arrays that s moves.
func (v *elementVars) candidate(s Stmt) {
	join := func(a, b *Buf) {
		v.moved[a], v.moved[b] = true, true
		v.with[a], v.with[b] = append(v.with[a], b), append(v.with[b], a)
	}
	switch s := s.(type) {
	case *Swap:
		join(s.A, s.B)
	case *Move:
		join(s.Dst, s.Src)
	}
}

// large leaves out the arrays that are large, or may be.
func (v *elementVars) large(s Stmt) {
	if d, ok := s.(*DeclBuf); ok && d.Count != nil {
		if n, ok := constantCount(d.Count); !ok || n < 1 || n > maxVariables {
			delete(v.moved, d.Buf)
			v.bad[d.Buf] = true
		}
	}
}

// unrolled writes out maps over few places that store elements of candidates.
func (v *elementVars) unrolled(block []Stmt) []Stmt {
	var out []Stmt
	for _, s := range block {
		for _, inner := range Blocks(s) {
			*inner = v.unrolled(*inner)
		}
		if n, ok := s.(*Nest); ok && v.short(n) {
			lo, _ := intOf(n.Dims[0].Lo)
			hi, _ := intOf(n.Dims[0].Hi)
			for i := lo; i < hi; i++ {
				c := newCloner(v.l)
				c.vars[n.Dims[0].Var] = integer(i)
				out = append(out, c.list(n.Body)...)
			}
			continue
		}
		out = append(out, s)
	}
	return out
}

// short reports whether n is a map over few places that stores elements of a
// candidate.
func (v *elementVars) short(n *Nest) bool {
	if n.Kind != SegMap || len(n.Dims) != 1 || len(n.Red)+len(n.Pre)+len(n.Post)+len(n.Flags) > 0 {
		return false
	}
	lo, ok := intOf(n.Dims[0].Lo)
	hi, ok2 := intOf(n.Dims[0].Hi)
	if !ok || !ok2 || hi-lo > maxVariables {
		return false
	}
	stores := false
	for _, s := range n.Body {
		switch s := s.(type) {
		case *Decl:
		case *Store:
			stores = stores || v.moved[s.Buf]
		default:
			return false
		}
	}
	return stores
}

// judge finds the candidates that have to stay arrays; nest is the innermost
// nest around the block.
func (v *elementVars) judge(block []Stmt, nest *Nest) {
	for _, s := range block {
		v.judgeStmt(s, nest)
		for _, x := range Exprs(s) {
			WalkExpr(x, func(x Expr) {
				if ld, ok := x.(*Load); ok && v.moved[ld.Buf] {
					v.place(ld.Buf, ld.Index)
				}
			})
		}
		inner := nest
		if n, ok := s.(*Nest); ok {
			inner = n
		}
		for _, b := range Blocks(s) {
			v.judge(*b, inner)
		}
	}
}

func (v *elementVars) judgeStmt(s Stmt, nest *Nest) {
	switch s := s.(type) {
	case *DeclBuf:
		v.declaration(s, nest)
	case *Store:
		if v.moved[s.Buf] {
			v.place(s.Buf, s.Index)
			v.written(s.Buf, nest)
		}
	case *Swap:
		v.written(s.A, nest)
		v.written(s.B, nest)
	case *Move:
		v.written(s.Dst, nest)
		v.written(s.Src, nest)
	case *Copy:
		if v.moved[s.Src] && v.moved[s.Dst] || !v.moved[s.Src] && !v.moved[s.Dst] {
			v.bad[s.Src], v.bad[s.Dst] = true, true
			return
		}
		n, ok := constantCount(s.Count)
		for _, side := range []struct {
			b  *Buf
			at Expr
		}{{s.Dst, s.DstIndex}, {s.Src, s.SrcIndex}} {
			if v.moved[side.b] {
				v.place(side.b, side.at)
				if at, _ := intOf(side.at); !ok || n < 1 || n > maxVariables || at+n > maxVariables {
					v.bad[side.b] = true
				} else {
					v.place(side.b, integer(at+n-1))
				}
			}
		}
		if v.moved[s.Dst] {
			v.written(s.Dst, nest)
		}
	case *Free:
	default:
		Buffers(s, func(b *Buf) { v.bad[b] = true })
	}
}

func (v *elementVars) declaration(s *DeclBuf, nest *Nest) {
	b := s.Buf
	if !v.moved[b] {
		return
	}
	if _, again := v.declared[b]; again || b.Const || b.Stack > 0 || b.Elem != F64 && b.Elem != I64 && b.Elem != U8 {
		v.bad[b] = true
	}
	v.declared[b] = nest
	if s.Count == nil {
		return
	}
	v.count[b], _ = constantCount(s.Count)
}

// place notes that an element is read or written to.
func (v *elementVars) place(b *Buf, at Expr) {
	i, ok := intOf(at)
	if !ok || i < 0 || i >= maxVariables {
		v.bad[b] = true
	}
}

// written notes that a statement in a nest changes b.
func (v *elementVars) written(b *Buf, nest *Nest) {
	if around, ok := v.declared[b]; !ok || around != nest {
		v.bad[b] = true
	}
}

// spread makes variables for the candidates that exchange storage only with
// such as can be variables, too.
func (v *elementVars) spread() {
	seen := map[*Buf]bool{}
	for b := range v.moved {
		if seen[b] {
			continue
		}
		group, n, good := []*Buf{b}, int64(0), true
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
			v.vars[c] = make([]*Var, n)
		}
	}
}

// block puts variables in place of the arrays.
func (v *elementVars) block(block []Stmt) []Stmt {
	var out []Stmt
	for _, s := range block {
		for _, inner := range Blocks(s) {
			*inner = v.block(*inner)
		}
		mapExprs(s, v.load)
		out = append(out, v.stmt(s)...)
	}
	return out
}

// load is the variable that is read.
func (v *elementVars) load(x Expr) Expr {
	if ld, ok := x.(*Load); ok && v.vars[ld.Buf] != nil {
		i, _ := intOf(ld.Index)
		return v.use(ld.Buf, i)
	}
	return x
}

// element is the variable of an element. Places beyond the extent are in
// branches that are never taken.
func (v *elementVars) element(b *Buf, i int64) *Var {
	vars := v.vars[b]
	i = min(i, int64(len(vars))-1)
	if vars[i] == nil {
		vars[i] = v.l.newVar(b.Name, b.Elem)
	}
	return vars[i]
}

func (v *elementVars) use(b *Buf, i int64) Expr { return &Use{v.element(b, i)} }

func (v *elementVars) stmt(s Stmt) []Stmt {
	var out []Stmt
	switch s := s.(type) {
	case *DeclBuf:
		for i := range v.vars[s.Buf] {
			out = append(out, &Decl{v.element(s.Buf, int64(i)), zeroOf(s.Buf.Elem)})
		}
		if v.vars[s.Buf] != nil {
			return out
		}
	case *Free:
		if v.vars[s.Buf] != nil {
			return nil
		}
	case *Store:
		if v.vars[s.Buf] != nil {
			i, _ := intOf(s.Index)
			return []Stmt{&Assign{v.element(s.Buf, i), s.X}}
		}
	case *Swap:
		for i := range v.vars[s.A] {
			a, b := v.element(s.A, int64(i)), v.element(s.B, int64(i))
			was := v.l.newVar("was", a.Kind)
			out = append(out, &Decl{was, &Use{a}}, &Assign{a, &Use{b}}, &Assign{b, &Use{was}})
		}
		if v.vars[s.A] != nil {
			return out
		}
	case *Move:
		for i := range v.vars[s.Dst] {
			out = append(out, &Assign{v.element(s.Dst, int64(i)), v.use(s.Src, int64(i))})
		}
		if v.vars[s.Dst] != nil {
			return out
		}
	case *Copy:
		return v.copied(s)
	}
	return []Stmt{s}
}

// copied copies between variables and an array.
func (v *elementVars) copied(s *Copy) []Stmt {
	var out []Stmt
	n, _ := constantCount(s.Count)
	switch {
	case v.vars[s.Dst] != nil:
		at, _ := intOf(s.DstIndex)
		for i := int64(0); i < n; i++ {
			out = append(out, &Assign{v.element(s.Dst, at+i), &Load{s.Src, add(s.SrcIndex, integer(i))}})
		}
	case v.vars[s.Src] != nil:
		at, _ := intOf(s.SrcIndex)
		for i := int64(0); i < n; i++ {
			out = append(out, &Store{s.Dst, add(s.DstIndex, integer(i)), v.use(s.Src, at+i)})
		}
	default:
		return []Stmt{s}
	}
	return out
}
