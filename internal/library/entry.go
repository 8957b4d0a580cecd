package library

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/tail"
)

// Function is an entry point: a function of the program that has an annotation.
type Function struct {
	Number    int
	Name      string // in APL
	Note      string // the annotation
	Doc       string // the comment in front of the definition
	Where     string // of the definition, as file:line:column
	Instances []*Instance

	at     diag.Span
	params []tail.Type
	result tail.Type
}

// Instance is a function for arguments of certain element types and ranks.
type Instance struct {
	Of       *Function
	Number   int // among all instances of the library
	Suffix   string
	Args     []Slot
	Results  []Slot
	Captured []*array.Array // what the function refers to, behind the arguments
	Tested   bool           // there is a unit with tests for overflow, too
	Turns    bool           // its calls take turns

	elems map[string]array.Elem // the variables of element types
}

// Slot is an argument or a result.
type Slot struct {
	Name   string
	Elem   array.Elem // what the caller sees
	Rank   int
	Stored ir.Kind
}

// values are those of the variables of an annotation.
type values struct {
	elems map[string]array.Elem
	ranks map[string]int64
}

// functions returns the entry points of a program.
func functions(p *apl.Program) ([]*Function, error) {
	var all []*Function
	for i, s := range p.Body {
		def, ok := s.(*apl.FuncDef)
		if !ok {
			continue
		}
		note := noteOf(def)
		if note == nil {
			continue
		}
		ty, err := tail.ParseAnnotation(note.Text)
		f, ok := ty.(*tail.FuncType)
		if err != nil || !ok || len(f.Params) < 1 || len(f.Params) > 2 {
			continue // the checker has reported what is faulty
		}
		text, _, _ := strings.Cut(note.Text, "⍝")
		all = slices.DeleteFunc(all, func(f *Function) bool { return f.Name == def.Name.Ident })
		all = append(all, &Function{
			Name: def.Name.Ident, Note: strings.TrimSpace(text), Doc: comment(p, i), Where: def.Name.Span().String(),
			at: def.Name.Span(), params: f.Params, result: f.Result,
		})
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s has no function with an annotation, so that a library of it would have none; docs/annotations.md says how they are written", p.Source.Name)
	}
	for i, f := range all {
		f.Number = i
	}
	return all, nil
}

// noteOf returns the annotation of a function.
func noteOf(def *apl.FuncDef) *apl.Annotation {
	if def.Note != nil {
		return def.Note
	}
	f := def.F
	for {
		paren, ok := f.(*apl.ParenFunc)
		if !ok {
			break
		}
		f = paren.F
	}
	if d, ok := f.(*apl.Dfn); ok {
		return d.Note
	}
	return nil
}

// comment returns the lines of comments directly in front of a statement.
func comment(p *apl.Program, i int) string {
	text := p.Source.Text[:p.Body[i].Span().Start]
	lines := strings.Split(text, "\n")
	var doc []string
	for k := len(lines) - 2; k >= 0; k-- {
		line, ok := strings.CutPrefix(strings.TrimSpace(lines[k]), "⍝")
		if !ok || strings.HasPrefix(line, ":") {
			break
		}
		doc = append(doc, strings.TrimSpace(line))
	}
	slices.Reverse(doc)
	return strings.TrimSpace(strings.Join(doc, "\n"))
}

// maxInstances bounds the instances of one function.
const maxInstances = 64

// instantiate gives a function its instances: one for each value of the variables of
// element types, and of ranks up to maxRank.
func (f *Function) instantiate(maxRank int) error {
	v := variables{}
	for i, p := range f.params {
		if f.params[i] = v.find(p); v.nested {
			return fmt.Errorf("%s: %s takes nested arrays by its annotation %s; functions of a library take simple arrays and strands of them", f.Where, f.Name, f.Note)
		}
	}
	all := []values{{map[string]array.Elem{}, map[string]int64{}}}
	for _, name := range v.elems {
		all = times(all, elemsOf(name), func(x *values, e array.Elem) { x.elems[name] = e })
	}
	for _, name := range v.ranks {
		var ranks []int64
		for r := range maxRank + 1 {
			ranks = append(ranks, int64(r))
		}
		all = times(all, ranks, func(x *values, r int64) { x.ranks[name] = r })
	}
	for _, x := range all {
		instance := &Instance{Of: f, elems: x.elems}
		for i, p := range f.params {
			name := "y"
			if len(f.params) == 2 && i == 0 {
				name = "x"
			}
			if !instance.addArg(name, p, x) {
				instance = nil
				break
			}
		}
		if instance == nil {
			continue
		}
		if len(v.elems)+len(v.ranks) > 0 {
			for _, a := range instance.Args {
				instance.Suffix += fmt.Sprintf("_%v_%d", a.Elem, a.Rank)
			}
		}
		if !slices.ContainsFunc(f.Instances, func(i *Instance) bool { return i.Suffix == instance.Suffix }) {
			f.Instances = append(f.Instances, instance)
		}
	}
	if len(f.Instances) > maxInstances {
		return fmt.Errorf("%s: %s has %d instances for the variables of its annotation %s, and %d are the most; name element types in it, or use --rank", f.Where, f.Name, len(f.Instances), f.Note, maxInstances)
	}
	return nil
}

// times returns all values with each choice for one more variable.
func times[T any](all []values, choices []T, set func(*values, T)) []values {
	var out []values
	for _, x := range all {
		for _, c := range choices {
			y := values{map[string]array.Elem{}, map[string]int64{}}
			for k, v := range x.elems {
				y.elems[k] = v
			}
			for k, v := range x.ranks {
				y.ranks[k] = v
			}
			set(&y, c)
			out = append(out, y)
		}
	}
	return out
}

// elemsOf returns the element types that a variable stands for.
func elemsOf(name string) []array.Elem {
	if strings.HasPrefix(name, "κ") || strings.HasPrefix(name, "k") {
		return []array.Elem{array.Int, array.Double}
	}
	return []array.Elem{array.Bool, array.Int, array.Double, array.Complex, array.Char}
}

// variables are those of the parameters of an annotation.
type variables struct {
	elems, ranks []string
	unnamed      int
	nested       bool // a parameter is nested, and no strand
}

// find notes the variables of a parameter. What is anything gets variables of its own.
func (v *variables) find(t tail.Type) tail.Type {
	switch t := t.(type) {
	case *tail.TupleType:
		out := &tail.TupleType{}
		for _, e := range t.Elems {
			out.Elems = append(out.Elems, v.find(e))
		}
		return out
	case *tail.Array:
		a := *t
		if strings.HasPrefix(a.ElemVar, "_") {
			a.ElemVar = v.fresh()
		}
		if a.ElemVar != "" && !slices.Contains(v.elems, a.ElemVar) {
			v.elems = append(v.elems, a.ElemVar)
		}
		if !a.Rank.Known() {
			a.Rank = tail.VarSize(v.fresh())
		}
		for _, term := range a.Rank.Terms {
			if !slices.Contains(v.ranks, term.Var) {
				v.ranks = append(v.ranks, term.Var)
			}
		}
		return &a
	case *tail.NestType:
		v.nested = true
	}
	return t
}

func (v *variables) fresh() string {
	v.unnamed++
	return fmt.Sprintf("_%d", v.unnamed)
}

// addArg adds the arrays of a parameter; ok is false where they have too many axes.
func (i *Instance) addArg(name string, t tail.Type, x values) (ok bool) {
	switch t := t.(type) {
	case *tail.TupleType:
		for k, e := range t.Elems {
			if !i.addArg(fmt.Sprintf("%s%d", name, k+1), e, x) {
				return false
			}
		}
		return true
	case *tail.Array:
		a, ok := x.array(t)
		i.Args = append(i.Args, Slot{Name: name, Elem: a.Elem, Rank: a.Dims()})
		return ok
	}
	return false
}

// array returns the type of an argument for values of the variables.
func (x values) array(t *tail.Array) (*tail.Array, bool) {
	elem := t.Elem
	if t.ElemVar != "" {
		elem = x.elems[t.ElemVar]
	}
	rank := t.Rank.Const
	for _, term := range t.Rank.Terms {
		rank += term.Coef * x.ranks[term.Var]
	}
	if rank < 0 || rank > maxRankOfAll {
		return tail.Ranked(elem, 0), false
	}
	return tail.Ranked(elem, int(rank)), true
}

// maxRankOfAll is the number of axes that arrays may have.
const maxRankOfAll = 15

// types returns the types of the arguments of an instance, as infer.Entry takes them.
func (i *Instance) types() []tail.Type {
	args := i.Args
	var build func(t tail.Type) tail.Type
	build = func(t tail.Type) tail.Type {
		if tuple, ok := t.(*tail.TupleType); ok {
			out := &tail.TupleType{}
			for _, e := range tuple.Elems {
				out.Elems = append(out.Elems, build(e))
			}
			return out
		}
		a := args[0]
		args = args[1:]
		return tail.Ranked(a.Elem, a.Rank)
	}
	var all []tail.Type
	for _, p := range i.Of.params {
		all = append(all, build(p))
	}
	return all
}
