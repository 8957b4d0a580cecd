package structured

import (
	"maps"
	"reflect"
	"slices"

	"github.com/tailor-lang/tailor/apl"
)

// set is a set of names.
type set map[string]bool

func (s set) with(others ...set) set {
	r := maps.Clone(s)
	if r == nil {
		r = set{}
	}
	for _, o := range others {
		maps.Copy(r, o)
	}
	return r
}

func (s set) without(other set) set {
	r := set{}
	for name := range s {
		if !other[name] {
			r[name] = true
		}
	}
	return r
}

func (s set) both(other set) set { return s.without(s.without(other)) }

func (s set) sorted() []string { return slices.Sorted(maps.Keys(s)) }

// uses are the names that a statement or an expression reads before it assigns them, and
// those that it assigns, or changes a part of.
func uses(n apl.Node) (reads, assigns set) {
	reads, assigns = set{}, set{}
	if n == nil {
		return reads, assigns
	}
	names := apl.FreeNames(n)
	for _, f := range names.Free {
		reads[f.Ident] = true
		if f.Modified {
			assigns[f.Ident] = true
		}
	}
	for _, name := range names.Locals {
		assigns[name] = true
	}
	return reads, assigns
}

// assigned are the names that items assign.
func assigned(items []item) set {
	all := set{}
	for _, it := range items {
		if it.stmt != nil {
			_, a := uses(it.stmt)
			all = all.with(a)
			continue
		}
		all = all.with(forNames(it.word))
		for _, c := range it.clauses {
			all = all.with(assigned(c.body))
		}
	}
	return all
}

// forNames are the names that a :For assigns for each item.
func forNames(c *apl.Control) set {
	all := set{}
	for _, n := range c.Names {
		all[n.Ident] = true
	}
	if c.Strand != nil {
		_, assigns := uses(&apl.Assign{At: c.At, Target: c.Strand, Y: maker{c.At}.zilde()})
		all = all.with(assigns)
	}
	return all
}

// around is what is read behind the ways out of items.
type around struct{ leave, again, result set }

// liveIn are the names that are read before they are assigned where items run, and then
// those of out are read.
func liveIn(items []item, out set, a around) set {
	for _, it := range slices.Backward(items) {
		out = it.liveIn(out, a)
	}
	return out
}

func (it *item) liveIn(out set, a around) set {
	if it.stmt != nil {
		reads, assigns := uses(it.stmt)
		return out.without(assigns).with(reads)
	}
	switch it.word.Word {
	case apl.Leave:
		return a.leave
	case apl.Continue:
		return a.again
	case apl.Return:
		return a.result
	case apl.If, apl.Select:
		all := set{}
		if last := it.clauses[len(it.clauses)-1]; last.tests != nil {
			all = out
		}
		for _, c := range it.clauses {
			all = all.with(testsRead(c.tests), liveIn(c.body, out, a))
		}
		reads, _ := uses(expr(it.word.X))
		return all.with(reads)
	}
	reads, _ := uses(expr(it.word.X))
	return it.turn(out, a).with(reads, out)
}

// turn are the names that are read from the beginning of a turn of a loop on, but that of
// :For.
func (it *item) turn(out set, a around) set {
	own := forNames(it.word)
	body := it.clauses[0]
	tests := testsRead(body.tests).with(testsRead(it.until))
	live := out.with(tests)
	for {
		in := liveIn(body.body, live, around{out, live, a.result}).without(own)
		next := live.with(in)
		if len(next) == len(live) {
			return in.with(testsRead(body.tests))
		}
		live = next
	}
}

// expr is an expression as a node, nil for none.
func expr(x apl.Expr) apl.Node {
	if x == nil {
		return nil
	}
	return x
}

func testsRead(tests []test) set {
	all := set{}
	for _, t := range tests {
		reads, _ := uses(expr(t.word.X))
		all = all.with(reads)
	}
	return all
}

// visit calls f for a node and those below it, those of other definitions included.
func visit(n any, f func(apl.Node)) { visitValue(reflect.ValueOf(n), f) }

func visitValue(v reflect.Value, f func(apl.Node)) {
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		if v.IsNil() {
			return
		}
		if n, ok := v.Interface().(apl.Node); ok && v.Kind() == reflect.Pointer {
			f(n)
		}
		if e := v.Elem(); v.Kind() == reflect.Interface || e.Kind() == reflect.Struct && e.Type().PkgPath() == nodes {
			visitValue(e, f)
		}
	case reflect.Slice:
		for i := range v.Len() {
			visitValue(v.Index(i), f)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() && v.Type().PkgPath() == nodes {
				visitValue(v.Field(i), f)
			}
		}
	}
}

// nodes is the package of the nodes of trees.
var nodes = reflect.TypeFor[apl.Dfn]().PkgPath()

// localNames are the names that the dfns and operators below a node assign.
func localNames(n any) set {
	all := set{}
	visit(n, func(n apl.Node) {
		switch n.(type) {
		case *apl.Dfn, *apl.Dop:
			for _, name := range apl.FreeNames(n).Locals {
				all[name] = true
			}
		}
	})
	return all
}
