package inline

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/clgen"
	"github.com/tailor-lang/tailor/fcl/compile"
	"github.com/tailor-lang/tailor/fcl/device"
	"github.com/tailor-lang/tailor/fcl/scalar"
	"github.com/tailor-lang/tailor/fcl/types"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/opencl"
	"github.com/tailor-lang/tailor/tail"
)

// Bodies are those of a program, which compute the calls of its dfns on a device.
type Bodies struct {
	params map[string]int64
	typed  map[diag.Span]*Typed
	loaded map[*Instance]*loaded
	funcs  map[string]*tail.Func // whose calls stay, by name
}

// loaded is an instance whose kernels are on a device, or the error that it has none.
type loaded struct {
	kernels *device.Loaded
	err     error
}

// Load returns the bodies of a program, nil where it has none. The error is a diag.List.
func Load(p *apl.Program, params map[string]int64) (*Bodies, error) {
	all, errs := Find(p)
	b := &Bodies{params, map[diag.Span]*Typed{}, map[*Instance]*loaded{}, map[string]*tail.Func{}}
	t := newTyper(p)
	for _, body := range all {
		typed, err := t.check(body)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		b.typed[body.Dfn.Span()] = typed
	}
	if len(errs) > 0 {
		return nil, errs
	}
	if len(b.typed) == 0 {
		return nil, nil
	}
	return b, nil
}

// Keeps reports whether a body computes calls of a function, which have to stay then.
func (b *Bodies) Keeps(f *tail.Func) bool {
	t := b.typed[f.Where]
	if t == nil || f.Recursive || t.Of(f.Params, f.Result) == nil {
		return false
	}
	b.funcs[f.Name] = f
	return true
}

// elemOf are the elements of arrays between APL and FCL.
var elemOf = map[ir.Kind]array.Elem{ir.U8: array.Bool, ir.I64: array.Int, ir.F64: array.Double}

func kindIn(a ir.Array) (k Kind, ok bool) {
	elem := a.Elem
	if a.Scalar != nil {
		elem = a.Scalar.Kind
	}
	k.Elem, ok = elemOf[elem]
	k.Rank = len(a.Dims)
	return k, ok
}

// instance returns the instance that computes calls of a function, or nil.
func (b *Bodies) instance(f *ir.Func) *Instance {
	t := b.typed[f.At]
	if t == nil || b.funcs[f.Name] == nil || len(f.Results) != 1 {
		return nil
	}
	for _, i := range t.Instances {
		k, ok := kindIn(f.Results[0])
		fits := ok && k == i.Result && len(f.Params) == len(i.Args)
		for j := 0; fits && j < len(i.Args); j++ {
			k, ok = kindIn(f.Params[j])
			fits = ok && k == i.Args[j]
		}
		if fits {
			return i
		}
	}
	return nil
}

// Text returns the kernels of the bodies whose dfns the program calls, with the host's part as
// comments. What cannot be compiled has its error there.
func (b *Bodies) Text() string {
	if b == nil {
		return ""
	}
	var text strings.Builder
	for _, name := range slices.Sorted(maps.Keys(b.funcs)) {
		f := b.funcs[name]
		t := b.typed[f.Where]
		i := t.Of(f.Params, f.Result)
		if i == nil {
			continue
		}
		fmt.Fprintf(&text, "\n/* %s : %s */\n", t.Name(), types.Text(types.Substitution{Use: i.Use}.Type(i.Use.Scheme.Type)))
		plan, err := t.plan(i, b.params)
		if err != nil {
			fmt.Fprintf(&text, "/* %v */\n", t.placed(err))
			continue
		}
		text.WriteString(plan.Text())
	}
	return text.String()
}

// Computes implements clgen.Foreign.
func (b *Bodies) Computes(f *ir.Func) bool { return b.instance(f) != nil }

// Call implements clgen.Foreign.
func (b *Bodies) Call(q *opencl.Queue, f *ir.Func, args []clgen.ForeignArray) ([]clgen.ForeignArray, int, error) {
	i, t := b.instance(f), b.typed[f.At]
	l := b.loaded[i]
	if l == nil {
		l = &loaded{}
		l.kernels, l.err = t.load(q, i, b.params)
		b.loaded[i] = l
	}
	if l.err != nil {
		return nil, 0, t.placed(l.err)
	}
	var given []device.Value
	for j, a := range args {
		given = append(given, i.Args[j].given(a)...)
	}
	run, err := l.kernels.Prepare(given)
	if err != nil {
		return nil, 0, t.placed(err)
	}
	defer run.Release()
	if err := run.Compute(); err != nil {
		return nil, 0, t.placed(err)
	}
	v, err := run.Keep()
	if err != nil {
		return nil, 0, t.placed(err)
	}
	result, ok := i.Result.taken(v)
	if !ok {
		return nil, 0, diag.Errorf(diag.WrongLength, t.At, "the FCL body of %s gives an array whose elements do not fill its extents", t.Name())
	}
	if err := t.sized(b.funcs[f.Name], args, result); err != nil {
		return nil, 0, err
	}
	return []clgen.ForeignArray{result}, run.Launches(), nil
}

// sized compares the sizes of a result with those that the type of the dfn says: the code
// around the call is built on them.
func (r *Typed) sized(f *tail.Func, args []clgen.ForeignArray, result clgen.ForeignArray) error {
	known := map[string]tail.Size{}
	for i, p := range f.Params {
		t := p.Type.(*tail.Array)
		for k, s := range t.Extents {
			solve(s, args[i].Shape[k], known)
		}
		if len(t.Values) == 1 && t.Dims() == 0 {
			solve(t.Values[0], args[i].Int, known)
		}
	}
	t := f.Result.(*tail.Array)
	for k, s := range t.Extents {
		if n, ok := s.Subst(known).IsConst(); ok && n != result.Shape[k] {
			return r.missized("%d elements on axis %d, and the dfn %d", result.Shape[k], k+1, n)
		}
	}
	if len(t.Values) == 1 && t.Dims() == 0 {
		if n, ok := t.Values[0].Subst(known).IsConst(); ok && n != result.Int {
			return r.missized("%d, and the dfn %d", result.Int, n)
		}
	}
	return nil
}

func (r *Typed) missized(format string, args ...any) error {
	e := diag.Errorf(diag.WrongLength, r.At, "the FCL body of %s gives "+format, append([]any{r.Name()}, args...)...)
	e.RunTime = true
	return e
}

// solve learns the variable of a size, where there is one, from the number that it is.
func solve(s tail.Size, n int64, known map[string]tail.Size) {
	if len(s.Terms) == 1 && s.Terms[0].Coef == 1 && !s.Any {
		known[s.Terms[0].Var] = tail.ConstSize(n - s.Const)
	}
}

// Release implements clgen.Foreign.
func (b *Bodies) Release() {
	for _, l := range b.loaded {
		if l.kernels != nil {
			l.kernels.Release()
		}
	}
	clear(b.loaded)
}

// load puts the kernels of an instance on a device.
func (r *Typed) load(q *opencl.Queue, i *Instance, params map[string]int64) (*device.Loaded, error) {
	plan, err := r.plan(i, params)
	if err != nil {
		return nil, err
	}
	return device.Load(q, plan)
}

// plan compiles an instance for any arguments of its types.
func (r *Typed) plan(i *Instance, params map[string]int64) (*compile.Plan, error) {
	given := make([]compile.Argument, len(i.Args))
	for j, k := range i.Args {
		given[j].Type = k.fcl()
	}
	return compile.Compile(i.Use, r.Program.Info, params, given)
}

// placed returns an error whose place is in the program of APL, as one of its runs.
func (r *Typed) placed(err error) error {
	e, ok := err.(*diag.Error)
	if !ok {
		return err
	}
	e = moved(e, r.Program.Source, r.At.Src)
	e.RunTime = true
	if e.Span.Src != r.At.Src { // in the library
		e.Notes = append(e.Notes, diag.Note{Span: r.At, Message: "in the FCL body of " + r.Name()})
	}
	return e
}

// given returns an argument as a plan takes it: extents come before the elements.
func (k Kind) given(a clgen.ForeignArray) (all []device.Value) {
	if k.Rank == 0 {
		return []device.Value{scalar.Number(elems[k.Elem], a.Int, a.Double)}
	}
	n := int64(1)
	for _, x := range a.Shape {
		n *= x
		if k.Rank > 1 {
			all = append(all, scalar.Int(x))
		}
	}
	return append(all, &device.Array{Elem: elems[k.Elem], Buffer: a.Buffer, N: n})
}

// taken returns a result of a plan; ok is false where the extents are not those of its
// elements.
func (k Kind) taken(v device.Value) (a clgen.ForeignArray, ok bool) {
	switch v := v.(type) {
	case scalar.Scalar:
		return clgen.ForeignArray{Int: v.I, Double: v.F}, true
	case *device.Array:
		return clgen.ForeignArray{Shape: []int64{v.N}, Buffer: v.Buffer}, true
	case device.Tuple:
		elements := v[1].(*device.Array)
		n := int64(1)
		for _, x := range v[0].(device.Tuple) {
			s := x.(scalar.Scalar)
			a.Shape, n = append(a.Shape, s.I), n*s.I
			if s.I < 0 {
				return a, false
			}
		}
		a.Buffer = elements.Buffer
		return a, n == elements.N
	}
	return a, false
}
