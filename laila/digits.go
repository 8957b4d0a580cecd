package laila

import "github.com/tailor-lang/tailor/tail"

// encode gives digits along a new first axis.
func (g *gen) encode(e *tail.Apply, args []*value) *value {
	g.refuse(e.Where, "compiled code for encode (⊤)")
	return nil
}

func (g *gen) decode(e *tail.Apply, args []*value) *value {
	g.refuse(e.Where, "compiled code for decode (⊥)")
	return nil
}

func (g *gen) cells(e *tail.Apply, args []*value) *value {
	g.refuse(e.Where, "compiled code for rank (⍤)")
	return nil
}
