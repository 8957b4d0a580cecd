package opt

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/tail"
	"github.com/tailor-lang/tailor/tail/analysis"
)

// cse replaces an expression by the variable that an enclosing let binds to an
// equal one. The expression may fault: where the variable has a value, it does
// not.
//
// Requires: nothing. Preserves: types. Leaves lets of variables; the next
// simplify removes them.
//
//	let x:int = reduce(addi,0,v) in divd(i2d(reduce(addi,0,v)),i2d(x))
//
// becomes
//
//	let x:int = reduce(addi,0,v) in divd(i2d(x),i2d(x))
func cse(o *optimiser) {
	o.bodies(func(e tail.Expr) tail.Expr {
		done, _ := newCommons(o).expr(newCommons(o).named(e))
		return done
	})
}

func newCommons(o *optimiser) *commons {
	return &commons{optimiser: o, ids: map[string]int{}, vars: map[*tail.Var]int{}, levels: map[*tail.Var]int{}, graded: map[*tail.Apply]int{}, known: map[int]*tail.Var{}, alias: map[*tail.Var]*tail.Var{}, parts: map[int][]int{}, falses: map[int]bool{}}
}

// commons gives equal expressions equal numbers.
type commons struct {
	*optimiser
	ids    map[string]int    // by kind, op and the numbers of the parts
	vars   map[*tail.Var]int // of variables
	levels map[*tail.Var]int // of parameters of functions under way: how deep they are
	depth  int
	graded map[*tail.Apply]int     // the numbers of what grades order
	known  map[int]*tail.Var       // variables in scope by the number of what they are bound to
	alias  map[*tail.Var]*tail.Var // variables that turned out to be others
	parts  map[int][]int           // the numbers of the components of tuples
	falses map[int]bool            // the numbers of conditions under which the program has stopped
	// times and numbers, where not nil, are of reductions (naming.go).
	times   map[int]int
	numbers map[*tail.Apply]int
}

// number returns the number of an expression of the given description.
func (c *commons) number(text string) int {
	n, ok := c.ids[text]
	if !ok {
		n = len(c.ids) + 1
		c.ids[text] = n
	}
	return n
}

// unique returns a number that nothing else has.
func (c *commons) unique() int { return c.number("unique " + strconv.Itoa(len(c.ids))) }

// expr returns e with common expressions replaced, and its number.
func (c *commons) expr(e tail.Expr) (tail.Expr, int) {
	switch e := e.(type) {
	case *tail.Lit:
		n := c.literal(e)
		if v := c.known[n]; v != nil && e.Value.Len() > maxLiteral {
			return &tail.Ref{At: e.At, Var: v}, c.ref(v)
		}
		return e, n
	case *tail.Ref:
		if v := c.alias[e.Var]; v != nil {
			e = &tail.Ref{At: e.At, Var: v}
		}
		return e, c.ref(e.Var)
	case *tail.Let:
		return c.lets(e)
	case *tail.Lam:
		return c.lambda(e)
	case *tail.If:
		return c.conditional(e)
	}
	var parts strings.Builder
	describe(&parts, e)
	var nums []int // of the parts
	done := tail.MapChildren(e, func(x tail.Expr) tail.Expr {
		y, n := c.expr(x)
		parts.WriteString(" " + strconv.Itoa(n))
		nums = append(nums, n)
		return y
	})
	n := c.number(parts.String())
	switch e := e.(type) {
	case *tail.Apply:
		c.counts(e, n)
	case *tail.Tuple:
		c.parts[n] = nums
	case *tail.Proj:
		if of := c.parts[nums[0]]; of != nil {
			return done, of[e.I]
		}
	}
	if a, ok := done.(*tail.Apply); ok {
		if a.Op.Row().Impure && a.Op != tail.OpStop {
			return done, c.unique()
		}
		if v := c.known[n]; v != nil && tail.Subtype(v.Type, a.Ty) {
			return &tail.Ref{At: a.At, Var: v}, c.ref(v)
		}
		done = c.sorting(a, nums)
	}
	if call, ok := done.(*tail.Call); ok {
		if c.effects.OfFunc(call.Fn)&analysis.Impures != 0 {
			return done, c.unique()
		}
		if v := c.known[n]; v != nil && tail.Subtype(v.Type, call.Ty) {
			return &tail.Ref{At: call.At, Var: v}, c.ref(v)
		}
	}
	return done, n
}

// conditional is the branch that is left of e where its condition has stopped the program
// before, and its number; what one branch binds is out of scope in the other.
func (c *commons) conditional(e *tail.If) (tail.Expr, int) {
	cond, n := c.expr(e.Cond)
	if c.falses[n] {
		return c.expr(e.Else)
	}
	then, m := c.expr(e.Then)
	other, k := c.expr(e.Else)
	number := c.number(fmt.Sprintf("if %d %d %d", n, m, k))
	if v := c.known[number]; v != nil && tail.Subtype(v.Type, e.Ty) {
		return &tail.Ref{At: e.At, Var: v}, c.ref(v)
	}
	return &tail.If{At: e.At, Cond: cond, Then: then, Else: other, Ty: e.Ty}, number
}

// passed returns the number of a condition that is false where the program goes on after e.
//
//	if eqi(tally(b),0) then let v:int = stop('…',11) in 0 else 0
//	stop(if m then '…' else '',if m then 11 else 0)
func (c *commons) passed(e tail.Expr) (number int, stops bool) {
	branch, ok := e.(*tail.If)
	if a, isApply := e.(*tail.Apply); isApply && a.Op == tail.OpStop {
		if branch, ok = a.Args[1].(*tail.If); ok && !isStop(branch.Then) {
			return 0, false
		}
	} else if ok {
		frames, _ := unlet(branch.Then, nil)
		ok = slices.ContainsFunc(frames, func(f letFrame) bool {
			a, isApply := f.bind.(*tail.Apply)
			return isApply && a.Op == tail.OpStop && isStop(a.Args[1])
		})
	}
	if !ok {
		return 0, false
	}
	_, number = c.expr(branch.Cond)
	return number, true
}

// isStop reports whether e is the number of an error that op stop stops for.
func isStop(e tail.Expr) bool {
	n, ok := tail.ConstInt(e)
	return ok && n != 0
}

// sorting binds what a sorts by its own grade to a variable; parts are the
// numbers of its arguments.
//
//	index(catV(x,y),gradeup(catV(x,y)))
//
// becomes
//
//	let v:[int]1 = catV(x,y) in index(v,gradeup(v))
func (c *commons) sorting(a *tail.Apply, parts []int) tail.Expr {
	if a.Op == tail.OpGradeUp || a.Op == tail.OpGradeDown {
		c.graded[a] = parts[0]
	}
	if a.Op != tail.OpIndex || len(a.Args) != 2 {
		return a
	}
	x, ok := a.Args[0].(*tail.Apply)
	grade, isApply := a.Args[1].(*tail.Apply)
	if !ok || !isApply || c.graded[grade] != parts[0] || len(grade.Args) != 1 {
		return a
	}
	v := c.variable("v", x.Ty)
	ref := func() tail.Expr { return &tail.Ref{At: x.At, Var: v} }
	order := *grade
	order.Args = []tail.Expr{ref()}
	sorted := *a
	sorted.Args = []tail.Expr{ref(), &order}
	return &tail.Let{At: a.At, Var: v, Bind: x, Body: &sorted}
}

// describe writes what e is, without its parts.
func describe(b *strings.Builder, e tail.Expr) {
	switch e := e.(type) {
	case *tail.Apply:
		fmt.Fprintf(b, "%d,%d,%v", e.Op, e.Axis, e.Ks)
		if e.Op == tail.OpReadCSV || e.Op == tail.OpReadNpy || e.Op == tail.OpReceive {
			b.WriteString(tail.LongType(e.Ty))
		}
	case *tail.Vec:
		b.WriteString("vec")
	case *tail.Call:
		fmt.Fprintf(b, "call %p", e.Fn)
	case *tail.Tuple:
		b.WriteString("tuple")
	case *tail.Proj:
		fmt.Fprintf(b, "#%d", e.I)
	}
}

// maxCompared is the length of the longest constant that is compared with
// others.
const maxCompared = 64

func (c *commons) literal(e *tail.Lit) int {
	if e.Value.Len() > maxCompared {
		return c.number(fmt.Sprintf("lit %p", e.Value))
	}
	return c.number(fmt.Sprintf("lit %v %v ", e.Value.Elem == array.Char, e.Value.Shape) + tail.LitText(e.Value))
}

// ref returns the number of a variable; parameters of functions have that of
// their position, so that equal functions have equal numbers.
func (c *commons) ref(v *tail.Var) int {
	if level, ok := c.levels[v]; ok {
		return c.number("param " + strconv.Itoa(level))
	}
	if _, ok := c.vars[v]; !ok {
		c.vars[v] = c.unique()
	}
	return c.vars[v]
}

// lambda numbers the parameters of e by their depth.
func (c *commons) lambda(e *tail.Lam) (tail.Expr, int) {
	types := make([]string, len(e.Params))
	for i, p := range e.Params {
		c.levels[p] = c.depth
		c.depth++
		types[i] = tail.LongType(p.Type)
	}
	body, n := c.expr(e.Body)
	for _, p := range e.Params {
		delete(c.levels, p)
		c.depth--
	}
	id := c.number(fmt.Sprintf("fn %s %d", strings.Join(types, ","), n))
	if body == e.Body {
		return e, id
	}
	return &tail.Lam{At: e.At, Params: e.Params, Body: body}, id
}

// lets goes through a chain of lets; what they bind is known in the rest. Its number is that
// of all of them, as they may fault.
func (c *commons) lets(e tail.Expr) (tail.Expr, int) {
	var frames []letFrame
	var parts strings.Builder
	parts.WriteString("let")
	var undo []func()
	for {
		let, ok := e.(*tail.Let)
		if !ok {
			break
		}
		bind, n := c.expr(let.Bind)
		if r, ok := bind.(*tail.Ref); ok && tail.Subtype(r.Var.Type, let.Var.Type) {
			c.alias[let.Var] = r.Var
			e = let.Body
			continue
		}
		c.vars[let.Var] = n
		parts.WriteString(" " + strconv.Itoa(n))
		if m, stops := c.passed(bind); stops && !c.falses[m] {
			c.falses[m] = true
			undo = append(undo, func() { delete(c.falses, m) })
		}
		if old := c.known[n]; old == nil && sharable(bind) {
			c.known[n] = let.Var
			undo = append(undo, func() { delete(c.known, n) })
		}
		frames = append(frames, letFrame{let.At, let.Var, bind})
		e = let.Body
	}
	last, n := c.expr(e)
	for _, f := range undo {
		f()
	}
	parts.WriteString(" " + strconv.Itoa(n))
	return rebuilt(frames, last), c.number(parts.String())
}

// sharable reports whether it pays to mention the variable instead of e.
func sharable(e tail.Expr) bool {
	switch e := e.(type) {
	case *tail.Apply, *tail.Call, *tail.If:
		return true
	case *tail.Lit:
		return e.Value.Len() > maxLiteral
	}
	return false
}
