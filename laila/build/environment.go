package build

import (
	"iter"
	"slices"

	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/live"
	"github.com/tailor-lang/tailor/tail"
)

// Environment holds the values of the variables of the function that is lowered. It
// keeps the variables that may be used later apart from those whose last use is past,
// which most are in a long program, so that an update asks only the former whether
// they read the array that it overwrites.
type Environment struct {
	values map[*tail.Var]*Value
	// waiting has all variables with a use after since, and perhaps more. It is made
	// again when a time before since is asked for: some functions are lowered twice.
	waiting map[*tail.Var]bool
	since   int
	journal []binding
	saves   int // how many restores are to come
}

// binding is what a variable stood for before it was set.
type binding struct {
	v   *tail.Var
	was *Value // nil where it had no value
}

func newEnvironment() *Environment {
	return &Environment{values: map[*tail.Var]*Value{}, waiting: map[*tail.Var]bool{}}
}

// Get returns the value of a variable, nil where it has none.
func (env *Environment) Get(v *tail.Var) *Value { return env.values[v] }

// Set gives a variable a value, or none.
func (env *Environment) Set(v *tail.Var, val *Value) {
	if env.saves > 0 {
		env.journal = append(env.journal, binding{v, env.values[v]})
	}
	env.put(v, val)
}

func (env *Environment) put(v *tail.Var, val *Value) {
	if val == nil {
		delete(env.values, v)
		delete(env.waiting, v)
		return
	}
	env.values[v] = val
	env.waiting[v] = true
}

// Save returns a function that gives all variables the values that they have now.
func (env *Environment) Save() (restore func()) {
	mark := len(env.journal)
	env.saves++
	return func() {
		for i := len(env.journal) - 1; i >= mark; i-- {
			env.put(env.journal[i].v, env.journal[i].was)
		}
		env.journal = env.journal[:mark]
		env.saves--
	}
}

// later returns the variables with values that may be used after a time: those that
// are used repeatedly, and those whose last use in the order of evaluation is later.
func (env *Environment) later(live *live.Uses, time int) iter.Seq2[*tail.Var, *Value] {
	if time < env.since {
		for v := range env.values {
			env.waiting[v] = true
		}
	}
	env.since = time
	return func(yield func(*tail.Var, *Value) bool) {
		for v := range env.waiting {
			if !live.UsedAfter(v, time) {
				delete(env.waiting, v)
			} else if !yield(v, env.values[v]) {
				return
			}
		}
	}
}

// ReadAfter reports whether a value of v that reads buf is used after a moment.
func ReadAfter(l *live.Uses, v *tail.Var, val *Value, buf *ir.Buf, now live.Moment) bool {
	if !l.Follows(v, now) {
		return false
	}
	if val.Tup == nil || l.Whole[v] {
		return Reads(val, buf)
	}
	return componentsReadAfter(l, live.PartOf(v), val, buf, now)
}

// componentsReadAfter is ReadAfter for the components of a part, whose value is a tuple.
func componentsReadAfter(l *live.Uses, p live.Part, val *Value, buf *ir.Buf, now live.Moment) bool {
	for i, t := range val.Tup {
		q := p.Component(i)
		if l.PartFollows(q, now) && Reads(t, buf) || componentsReadAfter(l, q, t, buf, now) {
			return true
		}
	}
	return false
}

// Keeps reports whether something else than the given arrays keeps a buffer
// alive after a moment.
func (g *Builder) Keeps(others []*Pull, b *ir.Buf, now live.Moment) bool {
	for v, val := range g.Env.later(g.Live, now.Time) {
		if !slices.Contains(others, val.Arr) && ReadAfter(g.Live, v, val, b, now) {
			return true
		}
	}
	for _, v := range g.Inflight {
		if v != nil && Reads(v, b) {
			return true
		}
	}
	return false
}

// LetGo reports whether nothing but arrays of fewer axes that are delayed in this block
// keeps b, of some axes, alive after a moment, and stores those.
//
//	rp←a[p;] ⋄ a[p;]←a[q;] ⋄ a[q;]←rp      row p is stored, the matrix is not copied
func (g *Builder) LetGo(b *ir.Buf, axes int, now live.Moment) bool {
	var rows []*Pull
	for _, d := range g.Delayed[g.Blk.delayed:] {
		if p := d.P; p.Buf == nil && p.Rank() < axes && ReadAfter(g.Live, d.V, Array1(p), b, now) {
			rows = append(rows, p)
		}
	}
	if g.Keeps(rows, b, now) {
		return false
	}
	for _, p := range rows {
		g.Materialise(p)
	}
	return true
}
