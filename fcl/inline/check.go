package inline

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/infer"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/tail"
)

// Verdict says what checking a body found, where it found no error.
type Verdict struct {
	*Typed
	Tried []int // for each instance, the arguments that it was tried on
	// Others are the types of calls of the dfn that are none of an instance: they do what
	// the dfn says on all targets.
	Others []string
}

// Check checks the bodies of a program: their types, and by samples their meaning.
func Check(p *apl.Program) (all []*Verdict, errs diag.List) {
	bodies, errs := Find(p)
	t := newTyper(p)
	var calls []*tail.Func
	if typed, err := infer.Program(p, infer.Options{}); len(bodies) > 0 && err == nil {
		calls = typed.Funcs
	}
	for _, b := range bodies {
		typed, err := t.check(b)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		v := &Verdict{Typed: typed}
		v.others(calls)
		for _, i := range typed.Instances {
			n, err := typed.agree(i)
			if err != nil {
				errs = append(errs, err)
				break
			}
			v.Tried = append(v.Tried, n)
		}
		if len(v.Tried) == len(typed.Instances) {
			all = append(all, v)
		}
	}
	errs.Sort()
	return all, errs
}

// others finds calls that are of no instance.
func (v *Verdict) others(calls []*tail.Func) {
	for _, fn := range calls {
		if fn.Where != v.Dfn.Span() || v.Of(fn.Params, fn.Result) != nil {
			continue
		}
		f := &tail.FuncType{Result: fn.Result}
		for _, p := range fn.Params {
			f.Params = append(f.Params, p.Type)
		}
		if text := f.String(); !slices.Contains(v.Others, text) {
			v.Others = append(v.Others, text)
		}
	}
}

// Of returns the instance for parameters and a result of some types, or nil.
func (r *Typed) Of(params []*tail.Var, result tail.Type) *Instance {
	for _, i := range r.Instances {
		k, ok := kindOf(result)
		fits := ok && k == i.Result && len(params) == len(i.Args)
		for j := 0; fits && j < len(params); j++ {
			k, ok = kindOf(params[j].Type)
			fits = ok && k == i.Args[j]
		}
		if fits {
			return i
		}
	}
	return nil
}

// String says for which types a body stands for its dfn, and on how many arguments it was
// tried: "dot : [int]1 → [int]1 → int   FCL agrees on 40 arguments", a line each.
func (v *Verdict) String() string {
	var b strings.Builder
	for k, i := range v.Instances {
		f := &tail.FuncType{Result: i.Result.typ()}
		for _, a := range i.Args {
			f.Params = append(f.Params, a.typ())
		}
		verdict := fmt.Sprintf("FCL agrees on %s", diag.Count(v.Tried[k], "sample", "samples"))
		if v.Tried[k] == 0 {
			verdict = "FCL was not tried: the dfn returns for no sample"
		}
		fmt.Fprintf(&b, "%s : %s   %s\n", v.Name(), f, verdict)
	}
	for _, text := range v.Others {
		fmt.Fprintf(&b, "%s : %s   called so: the FCL body is not for these types\n", v.Name(), text)
	}
	return b.String()
}
