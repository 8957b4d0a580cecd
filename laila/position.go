package laila

// positionTerms is the longest vector that a number is looked up in by a loop
// without tests.
const positionTerms = 32

// positionOf is the position, from 1, of an integer, a character or a truth
// value in a short vector of known length, and the length plus 1 where it is
// not there. No branch and no call are in the loop, so that what is around it
// can become vector code:
//
//	var at = 6
//	for i = 0 … 5: at = (a[4 - i] == x) ? 5 - i : at
func (g *gen) positionOf(args []*value) (Expr, bool) {
	p, x := args[0].arr, args[1].x
	if p == nil || x == nil || p.rank() != 1 {
		return nil, false
	}
	n, ok := intOf(p.dims[0])
	if !ok || n < 1 || n > positionTerms || p.elem != x.Kind() || !p.elem.exact() || p.elem == C64 {
		return nil, false
	}
	g.force()
	p = g.materialise(p)
	x = g.atom("x", x)
	at := g.mutable("at", I64, integer(n+1))
	g.ranges[at] = interval{1, n + 1}
	g.sequence(integer(n), func(i Expr) {
		found := &Binary{Eq, convert(p.elem, &Load{p.buf, sub(integer(n-1), i)}), x}
		g.emit(&Assign{at, choose(found, sub(integer(n), i), &Use{at})})
	})
	return g.let("r", &Use{at}), true
}
