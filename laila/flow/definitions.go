package flow

import "github.com/tailor-lang/tailor/laila/ir"

// Definitions returns the values with which a block declares variables.
func Definitions(block []ir.Stmt) map[*ir.Var]ir.Expr {
	defs := map[*ir.Var]ir.Expr{}
	for _, s := range block {
		if d, ok := s.(*ir.Decl); ok && d.Init != nil {
			defs[d.Var] = d.Init
		}
	}
	return defs
}

// DefinedOnce returns the values of the variables of f that are set once, and the
// variables that are set again.
func DefinedOnce(f *ir.Func) (defs map[*ir.Var]ir.Expr, changed map[*ir.Var]bool) {
	defs, changed = map[*ir.Var]ir.Expr{}, map[*ir.Var]bool{}
	NoteAssigned(f.Body, changed)
	ir.Walk(f.Body, func(s ir.Stmt) {
		if d, ok := s.(*ir.Decl); ok && d.Init != nil {
			if defs[d.Var] != nil {
				changed[d.Var] = true
			}
			defs[d.Var] = d.Init
		}
	})
	for v := range changed {
		delete(defs, v)
	}
	return defs, changed
}

// NoteAssigned notes the variables that statements assign.
func NoteAssigned(stmts []ir.Stmt, set map[*ir.Var]bool) {
	for _, s := range stmts {
		switch s := s.(type) {
		case *ir.Assign:
			set[s.Var] = true
		case *ir.Checked:
			set[s.Var], set[s.Flag] = true, true
		case *ir.Filter:
			set[s.Count] = true
		}
		for _, inner := range ir.Blocks(s) {
			NoteAssigned(*inner, set)
		}
	}
}

// AssignedIn returns the variables that a block assigns and does not declare.
func AssignedIn(block []ir.Stmt) []*ir.Var {
	declared, seen := map[*ir.Var]bool{}, map[*ir.Var]bool{}
	var order []*ir.Var
	var visit func(block []ir.Stmt)
	visit = func(block []ir.Stmt) {
		for _, s := range block {
			var v *ir.Var
			switch s := s.(type) {
			case *ir.Decl:
				declared[s.Var] = true
			case *ir.Assign:
				v = s.Var
				if x, ok := s.X.(*ir.Binary); ok && x.Op == ir.OpOr && v.Kind == ir.U8 && ir.IsUse(x.X, v) {
					v = nil // a flag
				}
			case *ir.Checked:
				v = s.Var
			}
			if v != nil && !seen[v] && !declared[v] {
				seen[v] = true
				order = append(order, v)
			}
			for _, inner := range ir.Blocks(s) {
				visit(*inner)
			}
		}
	}
	visit(block)
	return order
}

// SurelyAssigned returns the variables that a block assigns whatever happens.
func SurelyAssigned(block []ir.Stmt) map[*ir.Var]bool {
	set := map[*ir.Var]bool{}
	for _, s := range block {
		switch s := s.(type) {
		case *ir.Assign:
			set[s.Var] = true
		case *ir.Checked:
			set[s.Var] = true
		case *ir.If:
			then, els := SurelyAssigned(s.Then), SurelyAssigned(s.Else)
			for v := range then {
				if els[v] {
					set[v] = true
				}
			}
		}
	}
	return set
}

// NoteAlias notes that a statement declares another name of a variable.
func NoteAlias(s ir.Stmt, alias map[*ir.Var]*ir.Var) {
	if d, ok := s.(*ir.Decl); ok && d.Init != nil {
		if u, ok := d.Init.(*ir.Use); ok {
			alias[d.Var] = u.Var
		}
	}
}

// IsAlias reports whether x is v, or another name of it.
func IsAlias(x ir.Expr, v *ir.Var, alias map[*ir.Var]*ir.Var) bool {
	u, ok := x.(*ir.Use)
	if !ok {
		return false
	}
	w := u.Var
	for range 8 {
		if w == v {
			return true
		}
		if w = alias[w]; w == nil {
			break
		}
	}
	return false
}

// ReadsVar reports whether a block uses v.
func ReadsVar(block []ir.Stmt, v *ir.Var) bool {
	used := NewUses()
	used.Block(block)
	return used.Vars[v]
}

// CountUses counts the statements that mention buffers, but for their
// declarations and ends.
func CountUses(block []ir.Stmt, n map[*ir.Buf]int) map[*ir.Buf]int {
	for _, s := range block {
		switch s.(type) {
		case *ir.DeclBuf, *ir.Free:
			continue
		}
		ir.EachBuffer(s, func(b *ir.Buf) { n[b]++ })
		for _, inner := range ir.Blocks(s) {
			CountUses(*inner, n)
		}
	}
	return n
}
