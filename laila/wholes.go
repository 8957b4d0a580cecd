package laila

// wholes divides by constants what is made of whole numbers, wherever that is, as
// quotients does in time tiles:
//
//	y[i] = f64(i rem 1009) / 1009   →   y[i] = tl_ratio(f64(i rem 1009), h, l, 1009)
//
// where h+l is 1÷1009. Whole numbers are 0 or not small, and so are their sums and
// products, and a sum or a product of them with constants, so nothing has to be
// looked at. Machines without fused multiply-add divide.
//
// Requires: variables with one definition do not change. Preserves: every bit.
func (l *lowerer) wholes(f *Func) {
	var q *quotients
	known := map[float64]*[2]float64{}
	replace := func(x Expr) Expr {
		div, d, ok := byConstant(x)
		if !ok {
			return x
		}
		if _, constant := div.X.(*Float); constant {
			return x
		}
		if q == nil {
			q = &quotients{}
			q.value, _ = definedOnce(f)
		}
		if least, ok := q.least(div.X, nil); !ok || least < smallestDividend {
			return x
		}
		r, seen := known[d]
		if !seen {
			if h, l, ok := reciprocal(d); ok {
				r = &[2]float64{h, l}
			}
			known[d] = r
		}
		if r == nil {
			return x
		}
		return &Math{"tl_ratio", F64, []Expr{div.X, &Float{r[0]}, &Float{r[1]}, div.Y}}
	}
	Walk(f.Body, func(s Stmt) { mapExprs(s, replace) })
}
