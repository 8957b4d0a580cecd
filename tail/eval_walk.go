package tail

// walk calls f for e and all expressions in it, lambda bodies included; not
// for the bodies of functions that it calls.
func walk(e Expr, f func(Expr)) {
	f(e)
	switch e := e.(type) {
	case *Vec:
		walkAll(e.Elems, f)
	case *Let:
		walk(e.Bind, f)
		walk(e.Body, f)
	case *Apply:
		walkAll(e.Args, f)
	case *Lam:
		walk(e.Body, f)
	case *Call:
		walkAll(e.Args, f)
	case *If:
		walk(e.Cond, f)
		walk(e.Then, f)
		walk(e.Else, f)
	case *Tuple:
		walkAll(e.Elems, f)
	case *Proj:
		walk(e.X, f)
	}
}

func walkAll(all []Expr, f func(Expr)) {
	for _, e := range all {
		walk(e, f)
	}
}

// impureCount counts the impure ops in e, those of called functions included;
// a recursive function that has any counts as having several.
func (m *machine) impureCount(e Expr) int {
	n := 0
	walk(e, func(x Expr) {
		switch x := x.(type) {
		case *Apply:
			if x.Op.Row().Impure {
				n++
			}
		case *Call:
			n += m.impureIn(x.Fn)
		}
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
	walk(e, func(x Expr) {
		if _, ok := x.(*Call); ok {
			found = true
		}
	})
	return found
}
