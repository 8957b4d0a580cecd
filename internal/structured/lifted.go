package structured

import (
	"slices"

	"github.com/tailor-lang/tailor/apl"
)

// Functions see the locals of those that call them. A name that one function makes local, that
// others see, and that has no other meaning anywhere, is one of the program as well:
//
//	∇ main;n           ∇ main
//	n←5                n←5
//	show               show
//	∇                  ∇
//	∇ show             ∇ show
//	⎕←n                ⎕←n
//	∇                  ∇

// lifted returns a body whose functions make no such names local.
func lifted(body []apl.Stmt) []apl.Stmt {
	m := newMentions(body)
	var all []apl.Stmt
	for i, s := range body {
		t, ok := s.(*apl.Tradfn)
		if !ok || m.reached(t)[t.Header.Name.Ident] {
			continue
		}
		own := func(n *apl.Name) bool { return !m.lifts(n.Ident, t) }
		if locals := slices.DeleteFunc(slices.Clone(t.Header.Locals), func(n *apl.Name) bool { return !own(n) }); len(locals) < len(t.Header.Locals) {
			now, header := *t, *t.Header
			header.Locals, now.Header = locals, &header
			if all == nil {
				all = slices.Clone(body)
			}
			all[i] = &now
		}
	}
	if all == nil {
		return body
	}
	return all
}

// lifts reports whether functions that t calls see a name that it makes local, which has no other
// meaning, and are called by nothing else.
func (m *mentions) lifts(name string, t *apl.Tradfn) bool {
	var seen []string
	for _, s := range m.where[name] {
		other, function := s.(*apl.Tradfn)
		switch defined := apl.DefinedName(s); {
		case s == apl.Stmt(t) || function && localsOf(other)[name]:
		case defined == "" || len(m.defs[defined]) > 1:
			return false
		default:
			seen = append(seen, defined)
		}
	}
	if len(seen) == 0 {
		return false
	}
	without := m.reachedWithout(t)
	for _, f := range seen {
		if without[f] || without[execute] || !m.reached(t)[f] {
			return false
		}
		for _, s := range m.where[name] {
			if other, ok := s.(*apl.Tradfn); ok && other != t && localsOf(other)[name] && m.reached(other)[f] {
				return false
			}
		}
	}
	return true
}

// reachedWithout are the names that the statements outside of definitions reach but by t.
func (m *mentions) reachedWithout(t *apl.Tradfn) set {
	all := set{}
	var left []apl.Stmt
	for _, s := range m.body {
		if apl.DefinedName(s) == "" {
			left = append(left, s)
		}
	}
	for len(left) > 0 {
		names := m.names[left[0]]
		left = left[1:]
		for name := range names {
			if !all[name] && name != t.Header.Name.Ident {
				all[name], left = true, append(left, m.defs[name]...)
			}
		}
	}
	return all
}
