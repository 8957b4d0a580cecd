package structured

import "github.com/tailor-lang/tailor/apl"

// mentions says where the names of a program stand. What it has found out it remembers.
type mentions struct {
	body  []apl.Stmt
	names map[apl.Stmt]set      // those of each statement
	where map[string][]apl.Stmt // the statements in which each name stands
	defs  map[string][]apl.Stmt // those that define it
	reach map[apl.Stmt]set      // what is known of reached
}

func newMentions(body []apl.Stmt) *mentions {
	m := &mentions{body: body, names: map[apl.Stmt]set{}, where: map[string][]apl.Stmt{}, defs: map[string][]apl.Stmt{}, reach: map[apl.Stmt]set{}}
	for _, s := range body {
		m.names[s] = mentioned(s)
		for name := range m.names[s] {
			m.where[name] = append(m.where[name], s)
		}
		if name := apl.DefinedName(s); name != "" {
			m.defs[name] = append(m.defs[name], s)
		}
	}
	return m
}

// reached are the names that stand in a statement, and in the definitions of these.
func (m *mentions) reached(from apl.Stmt) set {
	if all, ok := m.reach[from]; ok {
		return all
	}
	all, left := set{}, []apl.Stmt{from}
	for len(left) > 0 {
		names := m.names[left[0]]
		left = left[1:]
		for name := range names {
			if !all[name] {
				all[name], left = true, append(left, m.defs[name]...)
			}
		}
	}
	m.reach[from] = all
	return all
}

// mentioned are the names that stand in a statement, in definitions in it, too; that which
// a header names only where the function calls itself.
func mentioned(s apl.Stmt) set {
	all, within := set{}, any(s)
	if t, ok := s.(*apl.Tradfn); ok {
		all, within = localsOf(t), t.Body
	}
	visit(within, func(n apl.Node) {
		switch n := n.(type) {
		case *apl.Name:
			all[n.Ident] = true
		case *apl.Var:
			all[n.Ident] = true
		case *apl.NameTarget:
			all[n.Ident] = true
		case *apl.IndexTarget:
			all[n.Ident] = true
		case *apl.FuncName:
			all[n.Ident] = true
		case *apl.OpName:
			all[n.Ident] = true
		case *apl.Prim:
			if n.Glyph == execute {
				all[execute] = true
			}
		}
	})
	return all
}

// execute stands among the names of what reads a text, in which any name may stand.
const execute = "⍎"

// calls reports whether a function may be called where a statement runs: its name is
// reached, or a text that is executed.
func (m *mentions) calls(from apl.Stmt, name string) bool {
	all := m.reached(from)
	return all[name] || all[execute]
}
