package tail

// The bounds of Light: more than that many elements, steps or levels of functions
// over elements are work for compiled code.
const (
	lightElements = 1 << 22
	lightSteps    = 1 << 10
)

// Light estimates whether the evaluator runs p in less time than a compiler takes:
// p has no loop or recursion of a length that is not known and small, and no large
// array whose size is known. Arrays of unknown sizes count as small.
func Light(p *Program) bool {
	for _, f := range p.Funcs {
		if f.Recursive || !lightExpr(f.Body) {
			return false
		}
	}
	return lightExpr(p.Main)
}

func lightExpr(e Expr) bool {
	light := true
	Walk(e, func(e Expr) bool {
		a, ok := e.(*Apply)
		if !ok {
			return light
		}
		switch {
		case a.Op == OpWhile:
			light = false
		case a.Op == OpItems:
			n, known := constInt(a.Args[1])
			light = light && known && n <= lightSteps
		case a.Op == OpPower:
			n, known := constInt(a.Args[1])
			light = light && known && n <= lightSteps
		}
		if t, ok := a.Type().(*Array); ok && light {
			light = lightArray(t)
		}
		return light
	})
	return light
}

func lightArray(t *Array) bool {
	count := int64(1)
	for _, s := range extents(t) {
		if n, ok := s.IsConst(); ok && n > 0 {
			if count > lightElements/n {
				return false
			}
			count *= n
		}
	}
	return true
}
