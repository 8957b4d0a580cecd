package analysis

import "github.com/tailor-lang/tailor/tail"

// The bounds of Light: more than that many elements, steps or levels of functions
// over elements are work for compiled code.
const (
	lightElements = 1 << 22
	lightSteps    = 1 << 10
)

// Light estimates whether the evaluator runs p in less time than a compiler takes:
// p has no loop or recursion of a length that is not known and small, and no large
// array whose size is known. Arrays of unknown sizes count as small.
func Light(p *tail.Program) bool {
	for _, f := range p.Funcs {
		if f.Recursive || !lightExpr(f.Body) {
			return false
		}
	}
	return lightExpr(p.Main)
}

func lightExpr(e tail.Expr) bool {
	light := true
	tail.Walk(e, func(e tail.Expr) bool {
		a, ok := e.(*tail.Apply)
		if !ok {
			return light
		}
		switch {
		case a.Op == tail.OpWhile:
			light = false
		case a.Op == tail.OpItems:
			n, known := tail.ConstInt(a.Args[1])
			light = light && known && n <= lightSteps
		case a.Op == tail.OpPower:
			n, known := tail.ConstInt(a.Args[1])
			light = light && known && n <= lightSteps
		}
		if t, ok := a.Type().(*tail.Array); ok && light {
			light = lightArray(t)
		}
		return light
	})
	return light
}

func lightArray(t *tail.Array) bool {
	count := int64(1)
	for _, s := range tail.Extents(t) {
		if n, ok := s.IsConst(); ok && n > 0 {
			if count > lightElements/n {
				return false
			}
			count *= n
		}
	}
	return true
}
