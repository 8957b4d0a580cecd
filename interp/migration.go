package interp

import (
	"github.com/tailor-lang/tailor/interp/value"
)

// defaultMigration is the ⎕ML that a program starts with.
const defaultMigration = 1

// migratedGlyph returns the primitive that a glyph is under the current ⎕ML, spelled as
// under ⎕ML 1.
func (in *Interp) migratedGlyph(glyph string, monadic bool) string {
	level := in.state.Migration
	switch {
	case monadic && level >= 2 && glyph == "↑":
		return "⊃"
	case monadic && level >= 2 && glyph == "⊃":
		return "↑"
	case !monadic && level >= 3 && glyph == "⊂":
		return "⊆"
	}
	return glyph
}

// migrated calls a primitive function under a ⎕ML other than 1: under 0 monadic ∊ is type,
// from 2 on ↑ is first, ⊃ is mix and ≡ never negative, from 3 on dyadic ⊂ is partition.
func (in *Interp) migrated(p *primitive, x, y *V) (*V, error) {
	level := in.state.Migration
	if x == nil && level == 0 && p.glyph == "∊" {
		return typeOf(y), nil
	}
	if glyph := in.migratedGlyph(p.glyph, x == nil); glyph != p.glyph {
		return primitives[glyph].f.Call(&in.state, x, y)
	}
	r, err := p.f.Call(&in.state, x, y)
	if err == nil && x == nil && level >= 2 && p.glyph == "≡" && r.Double(0) < 0 {
		return callOf("-").Call(in, nil, r)
	}
	return r, err
}

// typeOf returns an array with 0 for each number and a blank for each character.
func typeOf(y *V) *V {
	switch {
	case y.Ref != nil:
		return y
	case y.Kind == value.Mixed:
		items := make([]*V, len(y.Items))
		for i, v := range y.Items {
			items[i] = typeOf(v)
		}
		if len(items) == 0 {
			return y
		}
		return value.FromItems(y.Shape, items)
	case y.Kind == value.Char:
		out := make([]rune, len(y.Chars))
		for i := range out {
			out[i] = ' '
		}
		return &V{Kind: value.Char, Shape: y.Shape, Chars: out}
	}
	return &V{Kind: value.Int, Shape: y.Shape, Ints: make([]int64, y.Len())}
}
