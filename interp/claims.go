package interp

import (
	"math"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/claims"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/interp/value"
)

// The annotation of a dfn is compared with the arguments and the result of each call.
// A call that replaces its caller gives the result of that, which is compared with
// what the first and the last of such calls claim.

// claimOf returns the claim of a dfn, or nil. A text that is no annotation claims
// nothing.
func (in *Interp) claimOf(c *closure) *claims.Claim {
	if c.note == nil || in.env.Trust {
		return nil
	}
	claim, known := in.claims[c.note]
	if !known {
		operands := 0
		if c.left != nil {
			operands++
		}
		if c.right != nil {
			operands++
		}
		claim = claims.Parse(c.note.Text, operands)
		in.claims[c.note] = claim
	}
	return claim
}

// claimed is a call of a dfn, with what is claimed of it.
type claimed struct {
	*claims.Call
	c *closure
}

// begin compares the arguments of a call with the claim of the dfn; nil where there
// is none.
func (in *Interp) begin(c *closure, x, y *V) (*claimed, error) {
	claim := in.claimOf(c)
	if claim == nil {
		return nil, nil
	}
	var left claims.Value
	if x != nil {
		left = seen{x}
	}
	k, bad := claim.Start(c.title(), left, seen{y})
	return &claimed{k, c}, broken(c.note, bad)
}

// end compares the result of a call with the claim.
func (k *claimed) end(r *V) error {
	if k == nil || r == nil {
		return nil
	}
	return broken(k.c.note, k.Result(k.c.title(), seen{r}))
}

// broken is the error of a claim that does not hold, nil for no text.
func broken(note *apl.Annotation, text string) error {
	if text == "" {
		return nil
	}
	e := diag.Errorf(diag.AnnotationDiffers, diag.Span{}, "%s", text)
	e.Notes = []diag.Note{{Span: note.Span(), Message: "the annotation"}}
	return e
}

// noted compares the value of a statement with its annotation.
func (in *Interp) noted(s *apl.ExprStmt, v *V) error {
	if s.Note == nil || v == nil || in.env.Trust {
		return nil
	}
	name := "the value"
	if a, ok := s.X.(*apl.Assign); ok {
		name = a.Target.Span().Text()
	}
	if err := broken(s.Note, claims.OfValue(s.Note.Text, name, seen{v})); err != nil {
		return at(err, s.X, nil, nil)
	}
	return nil
}

// seen is a value as annotations see it.
type seen struct{ v *V }

var elements = [...]array.Elem{
	value.Bool: array.Bool, value.Int: array.Int, value.Double: array.Double, value.Complex: array.Complex,
	value.Char: array.Char, value.Mixed: array.NoElem,
}

func (s seen) Shape() []int     { return s.v.Shape }
func (s seen) Elem() array.Elem { return elements[s.v.Kind] }

// Fits reports whether all elements are of a type: no numbers are numbers of any type.
func (s seen) Fits(want array.Elem) bool {
	if s.Elem().Within(want) {
		return true
	}
	whole, truths := true, true
	switch s.v.Kind {
	case value.Int:
		for _, n := range s.v.Ints {
			truths = truths && n&^1 == 0
		}
	case value.Double:
		for _, x := range s.v.Doubles {
			whole = whole && x == math.Trunc(x) && math.Abs(x) < 1<<63
			truths = truths && (x == 0 || x == 1)
		}
	default:
		return false
	}
	return want == array.Int && whole || want == array.Bool && truths
}

func (s seen) Number() int64 {
	switch s.v.Kind {
	case value.Bool:
		return int64(s.v.Bools[0])
	case value.Int:
		return s.v.Ints[0]
	}
	return 0
}

func (s seen) Items() []claims.Value {
	all := make([]claims.Value, s.v.Len())
	for i := range all {
		all[i] = seen{s.v.Item(i)}
	}
	return all
}
