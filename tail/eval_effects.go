package tail

// impureCount counts the impure ops in e, those of called functions included;
// a recursive function that has any counts as having several.
func (m *machine) impureCount(e Expr) int {
	n := 0
	Walk(e, func(x Expr) bool {
		switch x := x.(type) {
		case *Apply:
			if x.Op.Row().Impure {
				n++
			}
		case *Call:
			n += m.impureIn(x.Fn)
		}
		return n < 2
	})
	return min(n, 2)
}

func (m *machine) impureIn(f *Func) int {
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

func hasCall(e Expr) bool {
	found := false
	Walk(e, func(x Expr) bool {
		if _, ok := x.(*Call); ok {
			found = true
		}
		return !found
	})
	return found
}
