package laila

import (
	"iter"

	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/live"
	"github.com/tailor-lang/tailor/tail"
)

// environment holds the values of the variables of the function that is lowered. It
// keeps the variables that may be used later apart from those whose last use is past,
// which most are in a long program, so that an update asks only the former whether
// they read the array that it overwrites.
type environment struct {
	values map[*tail.Var]*value
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
	was *value // nil where it had no value
}

func newEnvironment() *environment {
	return &environment{values: map[*tail.Var]*value{}, waiting: map[*tail.Var]bool{}}
}

// get returns the value of a variable, nil where it has none.
func (env *environment) get(v *tail.Var) *value { return env.values[v] }

// set gives a variable a value, or none.
func (env *environment) set(v *tail.Var, val *value) {
	if env.saves > 0 {
		env.journal = append(env.journal, binding{v, env.values[v]})
	}
	env.put(v, val)
}

func (env *environment) put(v *tail.Var, val *value) {
	if val == nil {
		delete(env.values, v)
		delete(env.waiting, v)
		return
	}
	env.values[v] = val
	env.waiting[v] = true
}

// save returns a function that gives all variables the values that they have now.
func (env *environment) save() (restore func()) {
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
func (env *environment) later(live *live.Uses, time int) iter.Seq2[*tail.Var, *value] {
	if time < env.since {
		for v := range env.values {
			env.waiting[v] = true
		}
	}
	env.since = time
	return func(yield func(*tail.Var, *value) bool) {
		for v := range env.waiting {
			if !live.UsedAfter(v, time) {
				delete(env.waiting, v)
			} else if !yield(v, env.values[v]) {
				return
			}
		}
	}
}

// readAfter reports whether a value of v that reads buf is used after a moment.
func readAfter(l *live.Uses, v *tail.Var, val *value, buf *ir.Buf, now live.Moment) bool {
	if !l.Follows(v, now) {
		return false
	}
	if val.tup == nil || l.Whole[v] {
		return reads(val, buf)
	}
	return componentsReadAfter(l, live.PartOf(v), val, buf, now)
}

// componentsReadAfter is readAfter for the components of a part, whose value is a tuple.
func componentsReadAfter(l *live.Uses, p live.Part, val *value, buf *ir.Buf, now live.Moment) bool {
	for i, t := range val.tup {
		q := p.Component(i)
		if l.PartFollows(q, now) && reads(t, buf) || componentsReadAfter(l, q, t, buf, now) {
			return true
		}
	}
	return false
}
