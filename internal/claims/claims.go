// Package claims compares the values of a call with the annotation of the function,
// for programs that are interpreted. Types are read by package tail; what is compared
// are shapes and elements, not proofs.
package claims

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/tail"
)

// Value is an array as annotations see it.
type Value interface {
	Shape() []int
	// Elem is the element type as it is stored; NoElem where there are arrays in the
	// array, or characters and numbers.
	Elem() array.Elem
	// Fits reports whether all elements are of a type, whatever they are stored as.
	Fits(array.Elem) bool
	Number() int64  // of a scalar integer
	Items() []Value // of a vector
}

// Claim is the annotation of a function.
type Claim struct {
	text   string
	params []tail.Type
	texts  []string // the params and the result as they are written
	result tail.Type
}

// Parse reads the annotation of a function, or of an operator with operands; nil for
// a text that is none.
func Parse(note string, operands int) *Claim {
	ty, err := tail.ParseAnnotation(note)
	f, ok := ty.(*tail.FuncType)
	text, _, _ := strings.Cut(note, "⍝")
	texts := arrows(strings.TrimSpace(text))
	if err != nil || !ok || len(f.Params) < operands+1 || len(f.Params) > operands+2 || len(texts) != len(f.Params)+1 {
		return nil
	}
	return &Claim{strings.TrimSpace(text), f.Params[operands:], texts[operands:], f.Result}
}

// arrows cuts a type at its outermost arrows.
func arrows(text string) []string {
	var parts []string
	depth, from, before := 0, 0, ' '
	for i, r := range text {
		was := before
		before = r
		switch r {
		case '<':
			if !unicode.IsLetter(was) && !unicode.IsDigit(was) { // no i<n of a nested array
				depth++
			}
		case '(', '[':
			depth++
		case ')', ']', '>':
			depth--
		case '→':
			if depth == 0 {
				parts = append(parts, strings.TrimSpace(text[from:i]))
				from = i + len("→")
			}
		}
	}
	return append(parts, strings.TrimSpace(text[from:]))
}

// Call is what the variables of a claim stand for in one call.
type Call struct {
	claim *Claim
	sizes map[string]tail.Size
	elems map[string]array.Elem
	bound bool // the arguments have given the variables of elements their types
}

// Start compares the arguments of a call of the named function, x or nil and y, with
// the claim. The text says what does not fit.
func (c *Claim) Start(name string, x, y Value) (*Call, string) {
	k := &Call{claim: c, sizes: map[string]tail.Size{}, elems: map[string]array.Elem{}}
	last, what := len(c.params)-1, "the argument"
	if x != nil {
		what = "the right argument"
		if last == 1 {
			if bad := k.argument(0, x, "the left argument of "+name); bad != "" {
				return k, bad
			}
		}
	}
	return k, k.argument(last, y, what+" of "+name)
}

func (k *Call) argument(i int, v Value, what string) string {
	return k.misfit(k.claim.params[i], v, what, k.claim.texts[i], "by the annotation", "the annotation says "+k.claim.texts[i])
}

// Result compares the result of a call with the claim.
func (k *Call) Result(name string, v Value) string {
	text := k.claim.texts[len(k.claim.texts)-1]
	k.bound = true
	return k.misfit(k.claim.result, v, "the result of "+name, text, "by the annotation", "its annotation says "+k.claim.text)
}

// OfValue compares a value of a name with the annotation of its assignment.
func OfValue(note, name string, v Value) string {
	ty, err := tail.ParseAnnotation(note)
	if err != nil {
		return ""
	}
	text, _, _ := strings.Cut(note, "⍝")
	text = strings.TrimSpace(text)
	k := &Call{sizes: map[string]tail.Size{}, elems: map[string]array.Elem{}}
	return k.misfit(ty, v, name, text, "by its annotation", "its annotation says "+text)
}

// misfit says why a value is not of a type, or "".
func (k *Call) misfit(t tail.Type, v Value, what, text, by, says string) string {
	switch t := t.(type) {
	case *tail.TupleType:
		if shape := v.Shape(); len(shape) != 1 || shape[0] != len(t.Elems) {
			return fmt.Sprintf("%s has shape %s, but %s", what, array.ShapeText(shape), says)
		}
		items := v.Items()
		for i, e := range t.Elems {
			if bad := k.misfit(e, items[i], fmt.Sprintf("item %d of %s", i+1, what), e.String(), by, says); bad != "" {
				return bad
			}
		}
	case *tail.NestType:
		return k.nest(t, v, what, by, says)
	case *tail.Array:
		return k.array(t, v, what, text, by, says)
	}
	return ""
}

// nest says why a value is not of a type of nested arrays, or "".
func (k *Call) nest(t *tail.NestType, v Value, what, by, says string) string {
	shape := v.Shape()
	if len(shape) != len(t.Counts) {
		return fmt.Sprintf("%s has rank %d (shape %s), but %s", what, len(shape), array.ShapeText(shape), says)
	}
	for i, n := range t.Counts {
		if !k.size(n, int64(shape[i])) {
			return fmt.Sprintf("%s has shape %s, but %s", what, array.ShapeText(shape), says)
		}
	}
	at := make([]tail.Size, len(shape))
	for n, item := range v.Items() {
		for axis := len(shape) - 1; axis >= 0; axis-- {
			at[axis] = tail.ConstSize(int64(n % shape[axis]))
			n /= shape[axis]
		}
		e := t.At(at...)
		if bad := k.misfit(e, item, fmt.Sprintf("an item of %s", what), tail.Spell(e), by, says); bad != "" {
			return bad
		}
	}
	return ""
}

func (k *Call) array(t *tail.Array, v Value, what, text, by, says string) string {
	if !k.element(t.ElemVar, t.Elem, v) {
		if v.Elem() == array.NoElem {
			return fmt.Sprintf("%s is no simple array of one type, but %s", what, says)
		}
		return fmt.Sprintf("%s has elements of type %v, but %s", what, v.Elem(), says)
	}
	shape := v.Shape()
	if t.Rank.Known() && !k.size(t.Rank, int64(len(shape))) {
		return fmt.Sprintf("%s has rank %d (shape %s), but %s", what, len(shape), array.ShapeText(shape), says)
	}
	for i, x := range t.Extents {
		if !k.size(x, int64(shape[i])) {
			return fmt.Sprintf("%s is %s %s, and its shape is %s", what, text, by, array.ShapeText(shape))
		}
	}
	if len(t.Values) == 1 && v.Elem() <= array.Int && len(shape) == 0 && !k.size(t.Values[0], v.Number()) {
		return fmt.Sprintf("%s is %s %s, and its value is %d", what, text, by, v.Number())
	}
	return ""
}

// element reports whether elements fit. A variable stands for the greatest type that
// it meets in the arguments; one whose name begins with κ or k for int or double.
func (k *Call) element(name string, want array.Elem, v Value) bool {
	has, was := v.Elem(), k.elems[name]
	number := strings.HasPrefix(name, "κ") || strings.HasPrefix(name, "k")
	switch {
	case name == "":
		return v.Fits(want)
	case strings.HasPrefix(name, "_"):
		return true
	case has == array.NoElem || number && !v.Fits(array.Double):
		return false
	case k.bound && was != array.NoElem:
		return v.Fits(was)
	case number:
		k.elems[name] = max(has, was, array.Int)
	case was == array.NoElem || was.Within(has):
		k.elems[name] = has
	default:
		return v.Fits(was)
	}
	return true
}

// size reports whether a size may be n; the only variable of a size without a value
// gets one.
func (k *Call) size(s tail.Size, n int64) bool {
	if !s.Known() {
		return true
	}
	s = s.Subst(k.sizes)
	if c, ok := s.IsConst(); ok {
		return c == n
	}
	if len(s.Terms) > 1 {
		return true
	}
	rest := n - s.Const
	if rest%s.Terms[0].Coef != 0 || rest/s.Terms[0].Coef < 0 {
		return false
	}
	k.sizes[s.Terms[0].Var] = tail.ConstSize(rest / s.Terms[0].Coef)
	return true
}
