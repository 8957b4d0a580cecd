package kernel

import (
	"slices"

	"github.com/tailor-lang/tailor/fcl/types"
)

// Elements that belong to one iteration of a loop, or to one work-item.

// Apart reports whether a loop may change an array where it reads it: its iterations use elements
// of their own of what they write, and each reads them before it writes any. Statements are that
// loop.
//
//	for (i = 0; i < n; i++) { s = a[2*i] + a[2*i + 1]; a[2*i] = s; a[2*i + 1] = s; }
func Apart(list []Stmt) bool {
	if len(list) != 1 {
		return false
	}
	v, body := iterations(list[0])
	if v == nil {
		return false
	}
	_, written := arrays(list[0])
	Walk(body, func(s Stmt) {
		if made, ok := s.(*Alloc); ok { // an array of the iteration
			written = slices.DeleteFunc(written, func(a *Array) bool { return a == made.Array })
		}
	})
	for _, a := range written {
		if _, ok := width(accesses(body, a), v); !ok {
			return false
		}
	}
	return readsFirst(body, written)
}

// iterations returns the variable of a loop, and its body; nil for other statements.
func iterations(s Stmt) (*Var, []Stmt) {
	switch s := s.(type) {
	case *For:
		return s.Var, s.Body
	case *Each:
		return s.Var, s.Body
	}
	return nil, nil
}

// accesses lists the places of an array that statements use.
func accesses(list []Stmt, a *Array) (places []*Expr) {
	seen := map[*Load]bool{}
	Walk(list, func(s Stmt) {
		switch st := s.(type) {
		case *Store:
			if st.Array == a {
				places = append(places, &st.Index)
			}
		case *Exchange:
			if st.Array == a {
				places = append(places, &st.Index)
			}
		}
		for _, e := range exprs(s) {
			within(e, func(e Expr) {
				if l, ok := e.(*Load); ok && l.Array == a && !seen[l] {
					seen[l] = true
					places = append(places, &l.Index)
				}
			})
		}
	})
	return places
}

// width returns how many elements an iteration has, if all places are v*width and less than width
// more.
func width(places []*Expr, v *Var) (w int64, ok bool) {
	for i, e := range places {
		by, _, ok := ownPlace(*e, v)
		if !ok || i > 0 && by != w {
			return 0, false
		}
		w = by
	}
	return w, w > 0
}

// ownPlace writes a place as v*w + rest, where rest is proved to be from 0 to w-1.
func ownPlace(e Expr, v *Var) (w int64, rest poly, ok bool) {
	if e.Type() != types.Int || !isIndex(e) {
		return 0, nil, false
	}
	by, rest, ok := split(polyOf(e), v)
	if !ok {
		return 0, nil, false
	}
	w, ok = by.constant()
	pr := &prover{}
	return w, rest, ok && w > 0 && pr.nonNegative(rest) && pr.nonNegative(number(w-1).plus(rest, -1))
}

// readsFirst reports whether statements read no element of arrays after they have written one, but
// for the same element in the same iteration of a loop.
func readsFirst(list []Stmt, written []*Array) bool {
	stored := false
	of := func(all []*Array) bool {
		return slices.ContainsFunc(all, func(a *Array) bool { return slices.Contains(written, a) })
	}
	for _, s := range list {
		r, w := arrays(s)
		reads, writes := of(r), of(w)
		if reads && (stored || writes && !readsFirstIn(s, written)) {
			return false
		}
		stored = stored || writes
	}
	return true
}

// readsFirstIn is readsFirst of a statement that reads and writes.
func readsFirstIn(s Stmt, written []*Array) bool {
	switch s := s.(type) {
	case *Store:
		return true
	case *If:
		return readsFirst(s.Then, written) && readsFirst(s.Else, written)
	case *For:
		for _, a := range written {
			places := accesses(s.Body, a)
			for _, e := range places {
				by, _, ok := split(polyOf(*e), s.Var)
				c, known := by.constant()
				if !ok || !known || c == 0 || !Same(*e, *places[0]) {
					return false
				}
			}
		}
		return readsFirst(s.Body, written)
	}
	return false
}

// own gives the work-items of a group what each of them has for itself of local arrays: it is in
// their registers.
//
//	each item t < 256: for (e = 0; e < 16; e++) a[t*16 + e] = 0;      for (e …) a[e] = 0;
func (k *Kernel) own() {
	var local []*Array
	exchanged := map[*Array]bool{}
	Walk(k.Body, func(s Stmt) {
		switch s := s.(type) {
		case *Alloc:
			if s.Array.Space == Local && !s.Array.Swapped {
				local = append(local, s.Array)
			}
		case *Exchange:
			exchanged[s.Array] = true
		}
	})
	for _, a := range local {
		if k.Group > 1 && !exchanged[a] {
			k.ownArray(a)
		}
	}
}

// maxOwn is how many elements of a local array a work-item has in registers at most.
const maxOwn = 64

func (k *Kernel) ownArray(a *Array) {
	inside, w := map[*Expr]poly{}, int64(0)
	apart := true
	Walk(k.Body, func(s Stmt) {
		e, ok := s.(*Each)
		if !ok || e.By != Items || !IsConst(e.N, k.Group) {
			return
		}
		for _, place := range accesses(e.Body, a) {
			by, rest, ok := ownPlace(*place, e.Var)
			apart = apart && ok && (w == 0 || by == w)
			w, inside[place] = by, rest
		}
	})
	if !apart || w == 0 || w > maxOwn || len(inside) != len(accesses(k.Body, a)) {
		return
	}
	a.Space, a.Len = Private, Int(w)
	for place, rest := range inside {
		*place = rest.expr()
	}
}
