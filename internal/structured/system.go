package structured

import (
	"reflect"
	"strings"

	"github.com/tailor-lang/tailor/apl"
)

// ownSystem are the system variables that are local to a dfn which assigns them.
var ownSystem = set{"⎕IO": true, "⎕ML": true, "⎕CT": true, "⎕PP": true}

// setsSystem reports whether a function assigns system variables in another way than a dfn does:
// in its first statements, where its header makes them local.
//
//	∇ r←f n;⎕IO
//	⎕IO←0
func setsSystem(t *apl.Tradfn) bool {
	own := set{}
	for _, n := range t.Header.Locals {
		own[n.Ident] = ownSystem[n.Ident]
	}
	first := 0
	for first < len(t.Body) && isSystem(t.Body[first]) {
		for name := range systemSet(t.Body[first : first+1]) {
			if !own[name] {
				return true
			}
		}
		first++
	}
	return len(systemSet(t.Body[first:])) > 0
}

// isSystem reports whether a statement only assigns system variables.
func isSystem(s apl.Stmt) bool {
	x, ok := s.(*apl.ExprStmt)
	return ok && x.Silent && len(systemSet([]apl.Stmt{s})) > 0
}

// leadingSystem parts the statements that assign system variables from those behind them.
func leadingSystem(items []item) (first []apl.Stmt, behind []item) {
	for len(items) > 0 && items[0].stmt != nil && isSystem(items[0].stmt) {
		first, items = append(first, items[0].stmt), items[1:]
	}
	return first, items
}

// systemSet are the system variables that statements assign, outside of dfns, for which they are local.
func systemSet(body []apl.Stmt) set {
	all := set{}
	rewrite(reflect.ValueOf(body), func(n apl.Node) apl.Node {
		switch n := n.(type) {
		case *apl.Dfn, *apl.Dop:
			return n
		case *apl.NameTarget:
			if isVariable(n.Ident) {
				all[n.Ident] = true
			}
		}
		return nil
	})
	return all
}

// assignsSystem reports whether statements, or dfns in them, assign system variables.
func assignsSystem(body ...apl.Stmt) (assigns bool) {
	visit(body, func(n apl.Node) {
		t, ok := n.(*apl.NameTarget)
		assigns = assigns || ok && isVariable(t.Ident)
	})
	return assigns
}

func isVariable(name string) bool { return strings.HasPrefix(name, "⎕") && name != "⎕" }
