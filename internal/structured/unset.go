package structured

import (
	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/array"
)

// A name may have no value on some way to where it is read:
//
//	:If x>3               y←⟨none⟩ ⋄ f←0
//	  y←2                 (y f z)←{x>3:{y←2 ⋄ f←1 ⋄ y f ⍬}0 ⋄ y f ⍬}0
//	:EndIf                f ⟨needed⟩ 'y'
//	r←y                   r←y
//
// A flag beside it says whether it has one, and is tested where it is read. Names that are in a
// state of a loop, but are assigned before they are read, have none before it and no flag. A body
// is written again when one more such name is found.

const (
	// None is the function whose result stands for a value that a name does not have. The name is
	// its argument.
	None = hidden + "none"
	// Needed is the function that ends the program with a VALUE ERROR where its left argument is
	// 0: the name that is its right argument has no value.
	Needed = hidden + "needed"
	// Returned is Needed for the result of a function.
	Returned = hidden + "returned"
	// Shown is the name to which a value is assigned that is displayed, unless it is shy.
	Shown = hidden + "shown"
)

// unset are the names of a body that have no value on some way.
type unset struct {
	flags  map[string]string // by name, where it is read there
	stored set               // those that have None at first
	more   bool              // one was found after statements had been written
}

func (u *unset) store(name string) {
	if u.stored[name] {
		return
	}
	if u.stored == nil {
		u.stored = set{}
	}
	u.stored[name], u.more = true, true
}

// flag returns the flag of a name.
func (u *unset) flag(name string) string {
	f, ok := u.flags[name]
	if !ok {
		if u.flags == nil {
			u.flags = map[string]string{}
		}
		f = hidden + "f" + name
		u.flags[name], u.more = f, true
		u.store(name)
	}
	return f
}

// with returns names with their flags behind them.
func (u *unset) with(names []string) []string {
	all := names[:len(names):len(names)]
	for _, name := range names {
		if f, ok := u.flags[name]; ok {
			all = append(all, f)
		}
	}
	return all
}

// first returns the statements by which the names but those of known have no value.
func (u *unset) first(m maker, known set) (all []apl.Stmt) {
	for _, name := range u.stored.without(known).sorted() {
		all = append(all, m.none(name))
		if f, ok := u.flags[name]; ok {
			all = append(all, m.assign(f, m.number(0)))
		}
	}
	return all
}

// none returns the statement by which a name has no value.
func (m maker) none(name string) apl.Stmt {
	text := &apl.Literal{At: m.at, Value: array.VectorChar([]rune(name))}
	return m.assign(name, m.monadic(None, text))
}

// assigned returns the statements that note that names have values.
func (u *unset) assigned(m maker, names set) (all []apl.Stmt) {
	for _, name := range names.sorted() {
		if f, ok := u.flags[name]; ok {
			all = append(all, m.assign(f, m.number(1)))
		}
	}
	return all
}

// needs returns the statements that test names that may have no value where n reads them.
func (w *writer) needs(n apl.Node, reads, defined set) (all []apl.Stmt) {
	for _, name := range reads.sorted() {
		if w.locals[name] && !defined[name] {
			w.bad = w.bad || w.kept[name] || inDefinition(n, name) // which may never be called
			all = append(all, maker{reading(n, name)}.needed(Needed, w.unset.flag(name), name))
		}
	}
	return all
}

// inDefinition reports whether a definition in a node reads a name.
func inDefinition(n apl.Node, name string) (is bool) {
	visit(n, func(n apl.Node) {
		switch n.(type) {
		case *apl.Dfn, *apl.Dop:
			reads, _ := uses(n)
			is = is || reads[name]
		}
	})
	return is
}

// needed returns the statement that tests a flag.
func (m maker) needed(f, flag, name string) apl.Stmt {
	text := &apl.Literal{At: m.at, Value: array.VectorChar([]rune(name))}
	return m.assign(rest, m.dyadic(m.name(flag), f, text))
}

// reading returns the place where a node reads a name first.
func reading(n apl.Node, name string) apl.At {
	for _, f := range apl.FreeNames(n).Free {
		if f.Ident == name {
			return apl.At{Where: f.Where}
		}
	}
	return placed(n).at
}
