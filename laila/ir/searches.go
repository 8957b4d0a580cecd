package ir

// Search is a call of a run-time function that looks elements up, and whose
// operands and result a device can have.
type Search struct {
	Fn    string
	Elem  Kind   // of the table and the items
	Table *Array // what is searched
	Items *Array // what is looked for, nil for those in one array
	Exact Expr   // whether doubles are compared exactly, nil where all comparison is
}

// SearchOf returns the search that a call is, if it is one: ⍳, ∊, ∪, ~, or the
// first of equal major cells.
func SearchOf(s *Runtime) (Search, bool) {
	args := make([]*Array, 2)
	for i := range min(len(s.Args), 2) {
		args[i] = s.Args[i].Array
	}
	q, result := Search{Fn: s.Fn, Table: args[0]}, I64
	switch s.Fn {
	case "indexof":
		q.Items = args[1]
	case "member":
		q.Items, q.Table, result = args[0], args[1], U8
	case "without":
		q.Items, q.Table = args[0], args[1]
	case "unique", "firstcell":
	default:
		return q, false
	}
	if q.Table == nil || q.Table.Buf == nil || len(q.Table.Dims) == 0 || len(s.Results) != 1 || s.Results[0].Buf == nil {
		return q, false
	}
	q.Elem = q.Table.Buf.Elem
	if s.Fn == "unique" || s.Fn == "without" {
		result = q.Elem
	}
	if one := s.Fn == "unique" || s.Fn == "firstcell"; !one && (q.Items == nil || q.Items.Buf == nil || q.Items.Buf.Elem != q.Elem) {
		return q, false
	}
	if s.Fn != "firstcell" && q.Elem == F64 {
		q.Exact = s.Args[len(s.Args)-1].X
	}
	switch q.Elem {
	case I64, F64, U8, C32:
		return q, s.Results[0].Buf.Elem == result
	}
	return q, false
}
