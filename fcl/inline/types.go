package inline

import (
	"slices"
	"strings"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/fcl/types"
	"github.com/tailor-lang/tailor/infer"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/tail"
	"github.com/tailor-lang/tailor/tail/analysis"
)

// Kind is the type of an array of APL: what elements it has, and how many axes.
type Kind struct {
	Elem array.Elem
	Rank int
}

func (k Kind) typ() tail.Type { return tail.Ranked(k.Elem, k.Rank) }

// elems are the types of elements that both languages have.
var elems = map[array.Elem]types.Scalar{array.Bool: types.Bool, array.Int: types.Int, array.Double: types.Double}

// fcl returns the type of FCL of an array.
func (k Kind) fcl() types.Type {
	pull := &types.Pull{Elem: elems[k.Elem]}
	switch k.Rank {
	case 0:
		return elems[k.Elem]
	case 1:
		return pull
	}
	extents := &types.Tuple{}
	for range k.Rank {
		extents.Items = append(extents.Items, types.Int)
	}
	return &types.Tuple{Items: []types.Type{extents, pull}}
}

// Instance is a body for arguments of some types, which the dfn gives a result for.
type Instance struct {
	Args   []Kind
	Result Kind
	Use    *types.Use
	typed  *tail.Program // of the dfn, its entry
}

// Typed are the instances of a body for which it has the dfn's types.
type Typed struct {
	*Body
	Instances []*Instance
	note      *tail.FuncType // of the annotation, or nil
}

// typer has what the types of the dfns of a program depend on.
type typer struct {
	tree  *apl.Program
	known []infer.Known
}

func newTyper(p *apl.Program) *typer {
	t := &typer{tree: p}
	for _, s := range p.Body {
		switch s := s.(type) {
		case *apl.FuncDef, *apl.OperatorDef:
			t.known = append(t.known, infer.Known{Stmt: s})
		case *apl.ExprStmt:
			if setting(s) {
				t.known = append(t.known, infer.Known{Stmt: s})
			}
		}
	}
	return t
}

// setting reports whether a statement sets a system variable.
func setting(s *apl.ExprStmt) bool {
	a, ok := s.X.(*apl.Assign)
	if !ok {
		return false
	}
	t, ok := a.Target.(*apl.NameTarget)
	return ok && strings.HasPrefix(t.Ident, "⎕")
}

// check compares the types of a body with those of its dfn.
func (t *typer) check(b *Body) (*Typed, *diag.Error) {
	r := &Typed{Body: b, note: annotation(b)}
	main := b.Program.Scope.Globals["main"]
	called := b.Program.Scope.Globals[b.entry]
	args, ok := r.choices(parameters(called.Scheme.Type))
	if !ok {
		return nil, r.differ(main.Scheme.String(), "an array of APL is a scalar, a pull array, or its extents and its elements as ((int, int), ['a])")
	}
	var untyped error
	for _, kinds := range args {
		given := make([]types.Type, len(kinds))
		for i, k := range kinds {
			given[i] = k.fcl()
		}
		use, bad := types.Instantiate(called, given)
		if bad >= 0 {
			continue
		}
		p, result, err := t.typed(b, kinds)
		if e, ok := err.(*diag.Error); ok {
			return nil, e
		}
		if err != nil {
			untyped = err
			continue
		}
		whole := types.Substitution{Use: use}.Type(called.Scheme.Type)
		got := whole
		for range kinds {
			got = types.Find(got.(*types.Fun).To)
		}
		want, ok := kindOf(result)
		if !ok || types.Text(stored(got)) != types.Text(want.fcl()) {
			return nil, r.differ(types.Text(whole), aplText(kinds, result))
		}
		r.Instances = append(r.Instances, &Instance{kinds, want, use, p})
	}
	if len(r.Instances) > 0 {
		return r, nil
	}
	if faulty, ok := untyped.(diag.List); ok && slices.ContainsFunc(faulty, func(e *diag.Error) bool { return e.Code == diag.FaultyAnnotation }) {
		return r, nil // what is wrong with annotations is said elsewhere
	}
	if untyped != nil {
		e := r.differ(main.Scheme.String(), "")
		e.Notes = append(e.Notes, diag.Note{Message: untyped.Error()})
		return nil, e
	}
	return nil, r.differ(main.Scheme.String(), "")
}

// annotation returns the type that the dfn's annotation says, or nil. What is wrong with
// the annotation the checker of annotations says.
func annotation(b *Body) *tail.FuncType {
	note := b.Def.Note
	if note == nil {
		note = b.Dfn.Note
	}
	if note == nil {
		return nil
	}
	text, _, _ := strings.Cut(note.Text, "⍝")
	t, err := tail.ParseAnnotation(strings.TrimSpace(text))
	f, ok := t.(*tail.FuncType)
	if err != nil || !ok || len(f.Params) != len(b.Program.Scope.Globals["main"].Fun.Params) {
		return nil
	}
	return f
}

// differ is the error that a body has another type than its dfn.
func (r *Typed) differ(body, dfn string) *diag.Error {
	if r.note != nil && dfn == "" {
		dfn = r.Name() + " : " + r.note.String()
	}
	if dfn == "" {
		dfn = r.Name() + " takes nothing of that type"
	}
	return diag.Errorf(diag.WrongType, r.At, "the FCL body of %s is %s, but %s", r.Name(), body, dfn)
}

// aplText writes the type of a dfn for arguments.
func aplText(kinds []Kind, result tail.Type) string {
	f := &tail.FuncType{Result: result}
	for _, k := range kinds {
		f.Params = append(f.Params, k.typ())
	}
	return "the dfn is " + f.String()
}

// typed infers the type of the dfn for arguments. The error is a *diag.Error where no body can
// stand for the dfn.
func (t *typer) typed(b *Body, kinds []Kind) (*tail.Program, tail.Type, error) {
	args := make([]tail.Type, len(kinds))
	for i, k := range kinds {
		args[i] = k.typ()
	}
	p := t.tree.With([]apl.Stmt{b.Def})
	var known []infer.Known
	for _, k := range t.known {
		if k.Stmt == apl.Stmt(b.Def) {
			break
		}
		known = append(known, k)
	}
	typed, _, err := infer.Entry(p, known, args, infer.Options{})
	if err != nil {
		return nil, nil, err
	}
	if analysis.NewEffects(typed).Of(typed.Entry.Body)&analysis.Impures != 0 {
		return nil, nil, diag.Errorf(diag.WrongDomain, b.At, "%s has effects, or draws random numbers, which an FCL body cannot", b.Name())
	}
	return typed, typed.Entry.Result, nil
}

// kindOf returns the type of an array that both languages have.
func kindOf(t tail.Type) (Kind, bool) {
	a, ok := t.(*tail.Array)
	if !ok || elems[a.Elem] == types.NoScalar {
		return Kind{}, false
	}
	rank, ok := a.Rank.IsConst()
	return Kind{a.Elem, int(rank)}, ok
}

// parameters returns the types of the parameters of a function.
func parameters(t types.Type) (all []types.Type) {
	for f, ok := types.Find(t).(*types.Fun); ok; f, ok = types.Find(f.To).(*types.Fun) {
		all = append(all, f.From)
	}
	return all
}

// stored returns the type of what a program at the grid leaves behind: push arrays are
// stored.
func stored(t types.Type) types.Type {
	switch t := types.Find(t).(type) {
	case *types.Program:
		return stored(t.Of)
	case *types.Push:
		return &types.Pull{Elem: t.Elem}
	case *types.Tuple:
		made := &types.Tuple{}
		for _, item := range t.Items {
			made.Items = append(made.Items, stored(item))
		}
		return made
	default:
		return t
	}
}

// choices returns the types of arguments that a body may have been written for. Where an
// annotation says the types of the arguments, they are those.
func (r *Typed) choices(params []types.Type) ([][]Kind, bool) {
	all := [][]Kind{nil}
	for i, p := range params {
		ranks, elem := shapesOf(p)
		if len(ranks) == 0 {
			return nil, false
		}
		var with [][]Kind
		for _, before := range all {
			for _, rank := range ranks {
				for _, e := range []array.Elem{array.Bool, array.Int, array.Double} {
					if s, ok := elem.(types.Scalar); ok && s != elems[e] || !r.claims(i, before, Kind{e, rank}) {
						continue
					}
					with = append(with, append(append([]Kind{}, before...), Kind{e, rank}))
				}
			}
		}
		all = with
	}
	return all, true
}

// shapesOf returns the ranks that an array of APL may have as an argument of a type, none
// where there is no such array, and the type of its elements. What may be anything is tried
// as a scalar, a vector and a matrix.
func shapesOf(t types.Type) (ranks []int, elem types.Type) {
	pulled := func(rank int, p *types.Pull) ([]int, types.Type) {
		if elem := types.Find(p.Elem); isElement(elem) {
			return []int{rank}, elem
		}
		return nil, nil
	}
	switch t := types.Find(t).(type) {
	case types.Scalar:
		return []int{0}, t
	case *types.Var:
		if t.Kind&^types.BT != 0 {
			return []int{0, 1, 2}, t
		}
		return []int{0}, t
	case *types.Pull:
		return pulled(1, t)
	case *types.Tuple:
		if len(t.Items) != 2 {
			return nil, nil
		}
		extents, isTuple := types.Find(t.Items[0]).(*types.Tuple)
		pull, isPull := types.Find(t.Items[1]).(*types.Pull)
		if isTuple && isPull && len(extents.Items) > 1 {
			return pulled(len(extents.Items), pull)
		}
	}
	return nil, nil
}

func isElement(t types.Type) bool {
	switch t.(type) {
	case types.Scalar, *types.Var:
		return true
	}
	return false
}

// claims reports whether the annotation, if there is one, has argument i of a type after
// others.
func (r *Typed) claims(i int, before []Kind, k Kind) bool {
	if r.note == nil {
		return true
	}
	a, ok := r.note.Params[i].(*tail.Array)
	if !ok {
		return false
	}
	if rank, ok := a.Rank.IsConst(); ok && int(rank) != k.Rank {
		return false
	}
	if a.ElemVar == "" || a.ElemVar == "_" {
		return a.ElemVar == "_" || a.Elem == k.Elem
	}
	if number := strings.HasPrefix(a.ElemVar, "κ") || strings.HasPrefix(a.ElemVar, "k"); number && k.Elem == array.Bool {
		return false
	}
	for j, other := range before {
		if b, ok := r.note.Params[j].(*tail.Array); ok && b.ElemVar == a.ElemVar && other.Elem != k.Elem {
			return false
		}
	}
	return true
}
