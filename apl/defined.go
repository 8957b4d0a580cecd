package apl

// DefinedName returns the name that a statement defines: of a function, an operator or a
// namespace; "" for other statements.
func DefinedName(s Stmt) string {
	switch s := s.(type) {
	case *Loose:
		return DefinedName(s.Stmt)
	case *Tradfn:
		return s.Header.Name.Ident
	case *FuncDef:
		return s.Name.Ident
	case *OperatorDef:
		return s.Name.Ident
	case *NamespaceDef:
		return s.Name.Ident
	}
	return ""
}
