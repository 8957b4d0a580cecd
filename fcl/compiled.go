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
	use, elems, err := p.Entry(args)
	if err != nil {
		return nil, nil, err
	}
	given := make([]compile.Argument, len(args))
	inputs := make([]device.Value, len(args))
	for i, a := range args {
		given[i].Type = a.typed(elems[i])
		if a.Vector {
			v := a.vector(elems[i])
			length := int64(v.Len())
			inputs[i], given[i].Length = v, &length
			continue
		}
		s := a.value(elems[i]).(scalar.Scalar)
		inputs[i], given[i].Value = s, &s
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
func (p *Program) RunOn(q *opencl.Queue, args []Data, params map[string]int64) (device.Value, device.Stats, error) {
	plan, inputs, err := p.Plan(args, params)
	if err != nil {
		return nil, device.Stats{}, err
	}
	return device.Run(q, plan, inputs)
}

// Stored returns a value of the evaluator as a device's: a scalar, or an array of scalars.
func Stored(v eval.Value) device.Value {
	switch v := v.(type) {
	case eval.Scalar:
		return v
	case *eval.Pull:
		made := &device.Vector{Elem: types.Int}
		for i := range v.N {
			s, ok := v.At(i).(eval.Scalar)
			if !ok {
				return nil
			}
			made.Elem = s.Type
			made.Append(s)
		}
		return made
	}
	return nil
}

// Hosted returns a result as a value of the evaluator.
func Hosted(v device.Value) eval.Value {
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
			t[i] = Hosted(item)
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
		all = append(all, Hosted(c).(*eval.Pull))
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
