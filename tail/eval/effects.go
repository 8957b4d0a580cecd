package eval

import "github.com/tailor-lang/tailor/tail"

// impureCount counts the impure ops in e, those of called functions included;
// a recursive function that has any counts as having several.
func (m *machine) impureCount(e tail.Expr) int {
	n := 0
	tail.Walk(e, func(x tail.Expr) bool {
		switch x := x.(type) {
		case *tail.Apply:
			if x.Op.Row().Impure {
				n++
			}
		case *tail.Call:
			n += m.impureIn(x.Fn)
		}
		return n < 2
	})
	return min(n, 2)
}

func (m *machine) impureIn(f *tail.Func) int {
	if n, ok := m.impure[f]; ok {
		return n
	}
	m.impure[f] = 0
	n := m.impureCount(f.Body)
	if n > 0 && f.Recursive {
		n = 2
	}
	m.impure[f] = n
	return n
}

func hasCall(e tail.Expr) bool {
	found := false
	tail.Walk(e, func(x tail.Expr) bool {
		if _, ok := x.(*tail.Call); ok {
			found = true
		}
		return !found
	})
	return found
}
