package laila

// A row of a stencil begins with an element that has no left neighbour, so the
// others begin at 1, and where rows are whole vectors wide every second vector of
// what is loaded and stored is on two cache lines. In time tiles, whose rows are in
// caches, these loops begin where vectors do:
//
//	for j = 1 … n: t[(i×n)+j] = …
//
// becomes
//
//	for j = 1 … 4: t[(i×n)+j] = …
//	for j = 4 … n: t[(i×n)+j] = …
//
// Storage begins at the beginning of a line.
//
// Requires: independent iterations. Preserves: their order.
type alignment struct {
	t *timeTiling
	r *rowReader
}

const (
	// alignedLanes is how many doubles a vector has.
	alignedLanes = 4
	// Shorter loops stay as they are.
	leastAligned = 64
)

// align cuts the inner loops of a nest.
func (t *timeTiling) align(n *Nest) {
	if !t.l.on("timealign") {
		return
	}
	a := &alignment{t: t, r: &rowReader{t: t, span: map[*Var]interval{}, own: map[*Var]linear{}}}
	for _, d := range n.Dims {
		a.r.span[d.Var] = interval{0, largestIndex}
	}
	n.Body = a.block(n.Body)
}

func (a *alignment) block(block []Stmt) []Stmt {
	var out []Stmt
	for _, s := range block {
		switch s := s.(type) {
		case *Decl:
			if s.Init != nil && s.Var.Kind == I64 {
				if f, ok := a.t.linear(s.Init, a.r); ok {
					a.r.own[s.Var] = f
				}
			}
		case *For:
			if n, ok := a.ahead(s.Var, s.Lo, s.Hi, s.Body); ok {
				rest := newCloner(a.t.l).stmt(s).(*For)
				s.Hi, rest.Lo = n, n
				out = append(out, s, rest)
				continue
			}
		case *Nest:
			if len(s.Dims) == 1 && s.Kind == SegMap {
				if n, ok := a.ahead(s.Dims[0].Var, s.Dims[0].Lo, s.Dims[0].Hi, s.Body); ok {
					rest := newCloner(a.t.l).nest(s)
					s.Dims[0].Hi, rest.Dims[0].Lo = n, n
					out = append(out, s, rest)
					continue
				}
			}
		}
		out = append(out, s)
	}
	return out
}

// ahead returns the first iteration of a loop whose element is at the beginning of
// a vector, where that is the same in all rows and not the first one.
func (a *alignment) ahead(v *Var, from, to Expr, body []Stmt) (Expr, bool) {
	lo, ok := a.t.constant(from)
	hi, fine := a.t.constant(to)
	if !ok || !fine || hi-lo < leastAligned {
		return nil, false
	}
	a.r.span[v] = interval{lo, hi - 1}
	var store *Store
	for _, s := range body {
		switch s := s.(type) {
		case *Store:
			if store != nil || s.Buf.Elem != F64 {
				return nil, false
			}
			store = s
		case *Decl, *Assign, *Comment:
		default:
			return nil, false
		}
	}
	if store == nil {
		return nil, false
	}
	f, ok := a.t.linear(store.Index, a.r)
	if !ok || f.coef[v] != 1 {
		return nil, false
	}
	for u, c := range f.coef {
		if u != v && c%alignedLanes != 0 {
			return nil, false
		}
	}
	past := (lo + f.c) % alignedLanes
	if past <= 0 {
		return nil, false
	}
	return integer(lo + alignedLanes - past), true
}
