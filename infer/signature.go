package infer

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/tail"
)

// MaxRank is the number of axes that an array can have, as in Dyalog. Because
// there are finitely many ranks and element types, a claim about all of them is
// proved by looking at each.
const MaxRank = 15

// signature is a parsed annotation of a function or an operator: the operands,
// then ⍺ and ⍵ or ⍵ alone, then the result. Its variables are rigid: the claim
// is about all values that they can have.
type signature struct {
	note     *apl.Annotation
	operands []tail.Type
	params   []tail.Type
	result   tail.Type
	elems    []string // variables of element types
	ranks    []string // variables that a rank mentions
	sizes    []string // the other variables of sizes
	free     []string // those of sizes that only the result mentions: some size
}

// Text returns the type of an annotation as it was written.
func noteText(n *apl.Annotation) string {
	text, _, _ := strings.Cut(n.Text, "⍝")
	return strings.TrimSpace(text)
}

// parseNote reads an annotation.
func parseNote(n *apl.Annotation) (tail.Type, *diag.Error) {
	ty, err := tail.ParseAnnotation(n.Text)
	if err == nil {
		return ty, foreignElement(ty, n)
	}
	e := diag.Errorf(diag.FaultyAnnotation, n.Span(), "this annotation is not a type: %s", unwrapText(err))
	e.Fix = "types are written like [double]2, <int>n, [n,m]double, S(int,n), <double>n → double"
	for _, h := range noteHints {
		if h.seen.MatchString(noteText(n)) {
			e.Fix = h.fix
			break
		}
	}
	return nil, e
}

// noteHints say what to write instead of forms that people try.
var noteHints = []struct {
	seen *regexp.Regexp
	fix  string
}{
	{regexp.MustCompile(`^<\pL+>$`), "the levels are <thread>, <warp>, <block> and <grid>; types are written like <int>n"},
	{regexp.MustCompile(`\d\pL`), "a multiple of a size has a times sign: 2×n"},
	{regexp.MustCompile(`\pL[×*]\pL`), "sizes are sums such as n+m and 2×n: a product of two variables cannot be checked; [κ]1 is a vector of any length"},
	{regexp.MustCompile(`\][^→,]*,`), "extents stand in front of the element type: [n,m]double"},
	{regexp.MustCompile(`^\pL+ +\pL`), "the rank stands behind brackets: [double]r"},
}

// elementNames are the element types under the names that other languages have.
var elementNames = map[string]string{
	"float": "double", "float64": "double", "real": "double", "number": "double", "num": "double", "f64": "double",
	"integer": "int", "int64": "int", "i64": "int", "long": "int", "nat": "int",
	"boolean": "bool", "bit": "bool", "logical": "bool",
	"character": "char", "string": "[char]1", "str": "[char]1", "text": "[char]1",
	"int_": "int", "cplx": "complex",
}

// foreignElement reports a variable of element types that certainly was meant
// as an element type.
func foreignElement(ty tail.Type, n *apl.Annotation) (bad *diag.Error) {
	walkArrays(ty, func(a *tail.Array) {
		word := strings.ToLower(a.ElemVar)
		name := elementNames[word]
		switch word {
		case "bool", "int", "double", "char", "complex":
			name = word
		}
		if name == "" || bad != nil {
			return
		}
		bad = diag.Errorf(diag.FaultyAnnotation, n.Span(), "this annotation is not a type: %s is no element type", a.ElemVar)
		bad.Fix = fmt.Sprintf("write %s; the element types are bool, int, double, complex and char", name)
	})
	return bad
}

func unwrapText(err error) string {
	text := err.Error()
	if i := strings.LastIndex(text, "\": "); i >= 0 {
		text = text[i+3:]
	}
	return text
}

// newSignature reads the annotation of a function with the given number of
// operands; dyadic says whether it can take a left argument.
func newSignature(n *apl.Annotation, operands int, dyadic bool) (*signature, *diag.Error) {
	ty, bad := parseNote(n)
	if bad != nil {
		return nil, bad
	}
	f, ok := ty.(*tail.FuncType)
	if !ok || len(f.Params) < operands+1 || len(f.Params) > operands+2 {
		e := diag.Errorf(diag.AnnotationForm, n.Span(), "the annotation of a function has its argument, or its two arguments, and the result: %s", noteText(n))
		e.Fix = "write the types with arrows between: [double]1 → double"
		if operands > 0 {
			e.Message = fmt.Sprintf("the annotation of an operator lists its operands (%d) first, then one or two arguments and the result: %s", operands, noteText(n))
		}
		return nil, e
	}
	s := &signature{note: n, operands: f.Params[:operands], params: f.Params[operands:], result: f.Result}
	if len(s.params) == 2 && !dyadic {
		return nil, diag.Errorf(diag.AnnotationForm, n.Span(), "the annotation has two arguments, but ⍺ does not occur in the function")
	}
	s.variables()
	if len(s.ranks) > 3 {
		return nil, diag.Errorf(diag.NotCompiled, n.Span(), "more than three variables for ranks")
	}
	return s, nil
}

// variables collects the variables of the signature.
func (s *signature) variables() {
	anything := 0
	each := func(t tail.Type) {
		walkArrays(t, func(a *tail.Array) {
			if a.ElemVar == "_" {
				anything++
				a.ElemVar = fmt.Sprintf("_%d", anything)
			} else if !a.Rank.Known() {
				anything++
				a.Rank = tail.VarSize(fmt.Sprintf("_%d", anything))
			}
			addName(&s.elems, a.ElemVar)
			addTerms(&s.ranks, a.Rank)
		})
	}
	for _, t := range append(append([]tail.Type{}, s.operands...), s.params...) {
		each(t)
	}
	walkArrays(s.result, func(a *tail.Array) {
		if a.ElemVar != "_" {
			addName(&s.elems, a.ElemVar)
		}
		addTerms(&s.ranks, a.Rank)
	})
	sizes := func(all []tail.Type) (names []string) {
		for _, t := range all {
			walkCounts(t, func(n tail.Size) { addTerms(&names, n) })
			walkArrays(t, func(a *tail.Array) {
				for _, x := range append(append([]tail.Size{}, a.Extents...), a.Values...) {
					addTerms(&names, x)
				}
			})
		}
		return names
	}
	given := sizes(append(append([]tail.Type{}, s.operands...), s.params...))
	for _, n := range given {
		if !contains(s.ranks, n) {
			s.sizes = append(s.sizes, n)
		}
	}
	for _, n := range sizes([]tail.Type{s.result}) {
		if !contains(s.ranks, n) && !contains(given, n) {
			s.free = append(s.free, n)
		}
	}
}

func contains(names []string, name string) bool {
	for _, n := range names {
		if n == name {
			return true
		}
	}
	return false
}

func addName(names *[]string, name string) {
	if name != "" && !contains(*names, name) {
		*names = append(*names, name)
	}
}

func addTerms(names *[]string, s tail.Size) {
	for _, t := range s.Terms {
		if !tail.IsPosition(t.Var) {
			addName(names, t.Var)
		}
	}
}

// walkCounts calls f for every number of items in t.
func walkCounts(t tail.Type, f func(tail.Size)) {
	switch t := t.(type) {
	case *tail.NestType:
		for _, n := range t.Counts {
			f(n)
		}
		walkCounts(t.Item, f)
	case *tail.TupleType:
		for _, e := range t.Elems {
			walkCounts(e, f)
		}
	case *tail.FuncType:
		for _, p := range t.Params {
			walkCounts(p, f)
		}
		walkCounts(t.Result, f)
	}
}

// walkArrays calls f for every array type in t.
func walkArrays(t tail.Type, f func(*tail.Array)) {
	switch t := t.(type) {
	case *tail.Array:
		f(t)
	case *tail.NestType:
		walkArrays(t.Item, f)
	case *tail.TupleType:
		for _, e := range t.Elems {
			walkArrays(e, f)
		}
	case *tail.FuncType:
		for _, p := range t.Params {
			walkArrays(p, f)
		}
		walkArrays(t.Result, f)
	}
}

// elemRange returns the element types that a variable stands for. Variables
// whose name begins with κ (or k) stand for real numbers, where truth values count
// as integers; other variables stand for any element type.
func elemRange(name string) []array.Elem {
	if strings.HasPrefix(name, "κ") || strings.HasPrefix(name, "k") {
		return []array.Elem{array.Int, array.Double}
	}
	return []array.Elem{array.Bool, array.Int, array.Double, array.Char, array.Complex}
}

// choice is one instance of the variables of elements and ranks.
type choice struct {
	elems map[string]array.Elem
	ranks map[string]tail.Size
}

// String returns the choice for messages: κ=int, r=2.
func (c choice) describe(s *signature) string {
	var parts []string
	for _, n := range s.elems {
		if !strings.HasPrefix(n, "_") {
			parts = append(parts, n+" = "+c.elems[n].String())
		}
	}
	for _, n := range s.ranks {
		if strings.HasPrefix(n, "_") {
			continue
		}
		parts = append(parts, n+" = "+c.ranks[n].String())
	}
	return strings.Join(parts, ", ")
}

// choices calls f for every choice in which all arrays have at most MaxRank
// axes, until f returns false.
func (s *signature) choices(f func(choice) bool) {
	c := choice{elems: map[string]array.Elem{}, ranks: map[string]tail.Size{}}
	var elems, ranks func(i int) bool
	ranks = func(i int) bool {
		if i == len(s.ranks) {
			return !s.possible(c) || f(c)
		}
		for n := range MaxRank + 1 {
			c.ranks[s.ranks[i]] = tail.ConstSize(int64(n))
			if !ranks(i + 1) {
				return false
			}
		}
		return true
	}
	elems = func(i int) bool {
		if i == len(s.elems) {
			return ranks(0)
		}
		for _, e := range elemRange(s.elems[i]) {
			c.elems[s.elems[i]] = e
			if !elems(i + 1) {
				return false
			}
		}
		return true
	}
	elems(0)
}

// possible reports whether all ranks are possible ones.
func (s *signature) possible(c choice) bool {
	ok := true
	for _, t := range append(append([]tail.Type{}, s.params...), s.result) {
		walkArrays(t, func(a *tail.Array) {
			if n, constant := a.Rank.Subst(c.ranks).IsConst(); constant && (n < 0 || n > MaxRank) {
				ok = false
			}
		})
	}
	return ok
}

// instance returns a type for a choice. fresh, if given, makes the sizes that
// are not stated.
func (c choice) instance(t tail.Type, fresh func() tail.Size) tail.Type {
	switch t := t.(type) {
	case *tail.TupleType:
		r := &tail.TupleType{Shape: t.Shape, Proto: t.Proto}
		for _, e := range t.Elems {
			r.Elems = append(r.Elems, c.instance(e, fresh))
		}
		return r
	case *tail.FuncType:
		r := &tail.FuncType{Result: c.instance(t.Result, nil)}
		for _, p := range t.Params {
			r.Params = append(r.Params, c.instance(p, nil))
		}
		return r
	case *tail.NestType:
		r := &tail.NestType{Item: c.instance(t.Item, nil), ByColumn: t.ByColumn}
		for _, n := range t.Counts {
			r.Counts = append(r.Counts, n.Subst(c.ranks))
		}
		return r
	}
	a := t.(*tail.Array)
	r := &tail.Array{Elem: a.Elem, Rank: a.Rank.Subst(c.ranks)}
	if a.ElemVar != "" {
		if r.Elem = c.elems[a.ElemVar]; r.Elem == array.NoElem {
			r.ElemVar = a.ElemVar
		}
	}
	n, constant := r.Rank.IsConst()
	if !constant {
		return r
	}
	if n > 0 && (a.Extents != nil || fresh != nil) {
		r.Extents = make([]tail.Size, n)
		for i := range r.Extents {
			r.Extents[i] = a.Extent(i).Subst(c.ranks)
			if fresh != nil && !r.Extents[i].Known() {
				r.Extents[i] = fresh()
			}
		}
	}
	for _, v := range a.Values {
		r.Values = append(r.Values, v.Subst(c.ranks))
	}
	return r
}
