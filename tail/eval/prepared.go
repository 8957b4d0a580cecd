package eval

import (
	"fmt"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/tail"
)

// Prepared is the entry of a program, ready to be evaluated many times.
type Prepared struct {
	m *machine
	f *function
	e *tail.Call // stands for the call from outside
}

// Prepare returns the entry of p for calls by the evaluator.
func Prepare(p *tail.Program, env *Env) *Prepared {
	m := newMachine(p, env)
	return &Prepared{m, m.function(p.Entry), &tail.Call{At: tail.At{Where: p.Entry.Where}, Fn: p.Entry}}
}

// Call calls the entry with the arrays of its parameters, which fit their types. It
// returns the arrays that its result consists of. The arguments are not written to, and
// the results may share their elements.
func (p *Prepared) Call(args []*array.Array) (results []*array.Array, err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
			return
		case stop:
			err = r.err
		case error:
			err = fmt.Errorf("internal error: %w", r)
		default:
			err = fmt.Errorf("internal error: %v", r)
		}
		p.m.calls, p.m.nest = 0, 0
	}()
	fr := p.f.activate(p.m)
	for i, a := range args {
		v := unbox(a)
		if v.arr != nil {
			v.bits |= shared
		}
		fr.slots[p.f.params[i]] = v
	}
	p.f.begin(p.m, p.e)
	types := flat(p.f.fn.Result)
	results = make([]*array.Array, len(types))
	if p.f.width < 0 {
		results[0] = box(p.f.run(fr), types[0])
	} else {
		values := make([]value, p.f.width)
		p.f.runInto(fr, values)
		for i, t := range types {
			results[i] = box(values[i], t)
		}
	}
	p.f.end(p.m, fr)
	return results, nil
}
