package fcl

import (
	"slices"
	"strings"

	"github.com/tailor-lang/tailor/fcl/eval"
	"github.com/tailor-lang/tailor/fcl/lib"
	"github.com/tailor-lang/tailor/fcl/syntax"
	"github.com/tailor-lang/tailor/fcl/types"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/opencl"
)

// Program is a program whose functions have types.
type Program struct {
	Source *diag.Source
	Tree   *syntax.Program
	Scope  *types.Scope
	Info   *types.Info
}

// Load parses a program and infers its types. The error is a *diag.Error.
func Load(src *diag.Source) (*Program, error) {
	tree, err := syntax.Parse(src)
	if err != nil {
		return nil, err
	}
	return typed(src, tree)
}

// LoadBody is Load of a source that may be an expression as well: that is the body of a
// function main with the given parameters.
func LoadBody(src *diag.Source, params ...string) (*Program, error) {
	tree, err := syntax.ParseBody(src, params...)
	if err != nil {
		return nil, err
	}
	return typed(src, tree)
}

// With returns the program with more functions, which it may use.
func (p *Program) With(text string) (*Program, error) {
	more, err := syntax.Parse(diag.NewSource("", text))
	if err != nil {
		return nil, err
	}
	tree := *p.Tree
	tree.Funs = append(slices.Clone(tree.Funs), more.Funs...)
	tree.Sigs = append(slices.Clone(tree.Sigs), more.Sigs...)
	tree.Order = append(slices.Clone(tree.Order), more.Order...)
	return typed(p.Source, &tree)
}

// typed infers the types of a program.
func typed(src *diag.Source, tree *syntax.Program) (*Program, error) {
	scope, err := types.NewScope(lib.Scope(), tree)
	if err != nil {
		return nil, err
	}
	p := &Program{src, tree, scope, types.NewInfo()}
	for _, g := range scope.Order {
		if err := types.Infer(g, p.Info); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// Types returns the type of every function of the program, a line each.
func (p *Program) Types() string {
	var b strings.Builder
	for _, g := range p.Scope.Order {
		b.WriteString(g.Fun.Name + " : " + g.Scheme.String() + "\n")
	}
	return b.String()
}

// main returns the function that runs: one of the grid, where it is a program.
func (p *Program) main() (*types.Global, error) {
	main := p.Scope.Globals["main"]
	if main == nil {
		return nil, diag.Errorf(diag.UnknownName, diag.Span{Src: p.Source}, "there is no function \"main\" to run")
	}
	t := types.Find(main.Scheme.Type)
	for f, ok := t.(*types.Fun); ok; f, ok = t.(*types.Fun) {
		t = types.Find(f.To)
	}
	if l, ok := types.Below(t); ok {
		e := diag.Errorf(diag.WrongType, main.Fun.At, "main gives something of level %s, and only what is of level grid can be run: main : %s", types.LevelText(l), main.Scheme)
		e.Fix = "concat, interleave and their like make a program of the level above of an array of programs; push<grid> is of the grid"
		return nil, e
	}
	return main, nil
}

// Entry returns the use of main that fits arguments, and the types of the elements that these
// have there.
func (p *Program) Entry(args []Data) (*types.Use, []types.Scalar, error) {
	main, err := p.main()
	if err != nil {
		return nil, nil, err
	}
	at := main.Fun.At
	wants := parameters(main.Scheme.Type)
	if len(wants) != len(args) {
		e := diag.Errorf(diag.WrongValence, at, "main takes %s, and %s given", diag.Count(len(wants), "argument", "arguments"), diag.Count(len(args), "is", "are"))
		e.Notes = []diag.Note{{Message: "main : " + main.Scheme.String()}}
		e.Fix = "give each argument by --data: a .npy file, a number, or a list as [1, 2, 3]"
		return nil, nil, e
	}
	loosen(wants, args)
	ts, elems := make([]types.Type, len(args)), make([]types.Scalar, len(args))
	for i, a := range args {
		var ok bool
		if elems[i], ok = a.fit(wants[i]); !ok {
			return nil, nil, misfit(i, a.Type(), wants[i], at)
		}
		ts[i] = a.typed(elems[i])
	}
	use, bad := types.Instantiate(main, ts)
	if bad >= 0 {
		return nil, nil, misfit(bad, ts[bad], wants[bad], at)
	}
	return use, elems, nil
}

// misfit is the error of an argument of main.
func misfit(i int, given, wanted types.Type, at diag.Span) error {
	e := diag.Errorf(diag.WrongType, at, "argument %d of main is %s, but main takes %s", i+1, types.Text(given), types.Text(wanted))
	e.Fix = types.Advice(given, wanted)
	return e
}

// parameters returns the types of the parameters of a function.
func parameters(t types.Type) []types.Type {
	var all []types.Type
	for f, ok := types.Find(t).(*types.Fun); ok; f, ok = types.Find(f.To).(*types.Fun) {
		all = append(all, f.From)
	}
	return all
}

// DefaultParams are the values of #names that are not given, where there is no device.
var DefaultParams = lib.Params(lib.GPU)

// ParamsFor returns those for a device: of tiles four fit in its local memory.
func ParamsFor(d *opencl.Device) map[string]int64 {
	params := lib.Params(lib.GPU)
	if d.Kind == opencl.CPU {
		params = lib.Params(lib.CPU)
	}
	for size := params["TileSize"]; 4*8*size*size > d.LocalMemory && size > 1; size /= 2 {
		params["TileSize"] = size / 2
	}
	if d.SubGroups {
		params["Warps"] = 3
	}
	return params
}

// Run evaluates main.
func (p *Program) Run(args []Data, params map[string]int64) (eval.Value, eval.Count, error) {
	use, elems, err := p.Entry(args)
	if err != nil {
		return nil, eval.Count{}, err
	}
	values := make([]eval.Value, len(args))
	for i, a := range args {
		values[i] = a.value(elems[i])
	}
	return eval.Run(use, p.Info, params, values)
}
