package fcl

import (
	"fmt"

	"github.com/tailor-lang/tailor/fcl/compile"
	"github.com/tailor-lang/tailor/fcl/device"
	"github.com/tailor-lang/tailor/fcl/eval"
	"github.com/tailor-lang/tailor/fcl/host"
	"github.com/tailor-lang/tailor/fcl/scalar"
	"github.com/tailor-lang/tailor/fcl/types"
	"github.com/tailor-lang/tailor/opencl"
)

// Plan compiles main for arguments; the numbers among them become constants.
func (p *Program) Plan(args []Data, params map[string]int64) (*compile.Plan, []device.Value, error) {
	use, values, err := p.Entry(args)
	if err != nil {
		return nil, nil, err
	}
	given := make([]compile.Argument, len(values))
	inputs := make([]device.Value, len(values))
	t := types.Substitution{Use: use}.Type(use.Scheme.Type)
	for i, v := range values {
		f := types.Find(t).(*types.Fun)
		given[i].Type = types.Find(f.From)
		t = f.To
		inputs[i] = v
		if s, ok := v.(eval.Scalar); ok {
			given[i].Value = &s
			continue
		}
		vector := &device.Vector{Elem: types.Find(given[i].Type.(*types.Pull).Elem).(types.Scalar)}
		for _, e := range v.(*eval.Pull).Stored {
			vector.Append(e.(scalar.Scalar))
		}
		inputs[i] = vector
	}
	plan, err := compile.Compile(use, p.Info, params, given)
	return plan, inputs, err
}

// Kernels compiles main for arguments that are not known yet. Where data are given, the
// arguments have their types.
func (p *Program) Kernels(data []Data, params map[string]int64) (*compile.Plan, error) {
	main, err := p.main()
	if err != nil {
		return nil, err
	}
	use, _ := types.Instantiate(main, nil)
	if len(data) > 0 {
		if use, _, err = p.Entry(data); err != nil {
			return nil, err
		}
	}
	var given []compile.Argument
	for _, t := range parameters(types.Substitution{Use: use}.Type(main.Scheme.Type)) {
		given = append(given, compile.Argument{Type: t})
	}
	return compile.Compile(use, p.Info, params, given)
}

// Executable returns the C of a program that runs main with the arguments of its command
// line.
func (p *Program) Executable(data []Data, params map[string]int64) (string, error) {
	plan, err := p.Kernels(data, params)
	if err != nil {
		return "", err
	}
	return host.Text(plan, device.Options), nil
}

// RunOn compiles main and runs it on a device.
func (p *Program) RunOn(q *opencl.Queue, args []Data, params map[string]int64) (eval.Value, device.Stats, error) {
	plan, inputs, err := p.Plan(args, params)
	if err != nil {
		return nil, device.Stats{}, err
	}
	v, stats, err := device.Run(q, plan, inputs)
	if err != nil {
		return nil, stats, err
	}
	return hosted(v), stats, nil
}

// hosted returns a result as a value of the evaluator.
func hosted(v device.Value) eval.Value {
	switch v := v.(type) {
	case *device.Vector:
		elems := make([]eval.Value, v.Len())
		for i := range elems {
			elems[i] = v.At(i)
		}
		return eval.Vector(elems)
	case device.Columns:
		return rows(v)
	case device.Tuple:
		t := make(eval.Tuple, len(v))
		for i, item := range v {
			t[i] = hosted(item)
		}
		return t
	case scalar.Scalar:
		return v
	}
	panic(fmt.Sprintf("fcl: result %T", v))
}

// rows returns an array of tuples.
func rows(columns device.Columns) *eval.Pull {
	var all []*eval.Pull
	for _, c := range columns {
		all = append(all, hosted(c).(*eval.Pull))
	}
	elems := make([]eval.Value, all[0].N)
	for i := range elems {
		t := make(eval.Tuple, len(all))
		for k, column := range all {
			t[k] = column.Stored[i]
		}
		elems[i] = t
	}
	return eval.Vector(elems)
}
