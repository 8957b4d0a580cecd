package infer

import (
	"fmt"
	"slices"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/tail"
)

// instance is a dfn specialised for one tuple of argument types.
type instance struct {
	key      string
	name     string // of the function
	fn       *tail.Func
	captures []capture // in the order of the parameters
	building bool
	assumed  tail.Type // what recursive calls give; nil is bottom
	used     bool      // there was a recursive call
	awaits   bool      // nothing is known yet of another function that it calls, which calls it
	leaves   bool      // its result may leave the real numbers
	order    int       // length of the list of functions before it
	// apart reports that captured variables must not share size variables with
	// arguments: a recursive call was found where their sizes differ.
	apart bool
	vars  []carried // of enclosing functions, that it changes
}

// failure remembers that a specialisation needs constants.
type failure struct{}

// maxExact is the number of specialisations for exact values that a function
// may have.
const maxExact = 64

// maxBuilding is the number of specialisations of a function that may be under
// construction at once, each for the call in the one before.
const maxBuilding = 50

// plainFunction returns a name for messages.
func plainFunction(name string) string {
	if name == "" {
		return "the function"
	}
	return name
}

// maxRounds bounds the iteration of a recursive function's type.
const maxRounds = 20

// call applies a closure: it is expanded in place if it has no name, otherwise
// specialised and called. x is nil for one argument.
func (g *infer) call(c *closure, x, y tail.Expr, s site) tail.Expr {
	return g.met(c, "", x, y, func() tail.Expr {
		sig := signatureOf(c)
		if sig == nil || (x == nil) != (len(sig.params) == 1) {
			return g.apply(c, x, y, s)
		}
		return g.honoured(c, sig, x, y, s)
	})
}

// apply is call for a function without annotation, or whose annotation has
// been seen to.
func (g *infer) apply(c *closure, x, y tail.Expr, s site) tail.Expr {
	if d, ok := c.node.(*apl.Dfn); ok && d.Made() && !d.Dyadic && x != nil {
		g.fail(diag.Unreadable, s.fn, "%s takes no left argument", plainFunction(c.name))
	}
	defer g.outside(c)()
	if c.name == "" && !c.recursive {
		return g.expand(c, x, y, s)
	}
	changes, recursive := g.changesOuter(c)
	if changes && !recursive {
		return g.expand(c, x, y, s)
	}
	y = g.flat(y)
	if x != nil {
		x = g.flat(x)
	}
	args := []tail.Expr{y}
	if x != nil {
		args = []tail.Expr{x, y}
	}
	if vars := g.changes(c.node, c.scope); changes && len(vars) > 0 {
		call := g.name(g.specialised(c, append(args, g.valuesOf(vars, s)...), vars, s))
		g.change(vars, call, 1, s)
		return &tail.Proj{At: tail.At{Where: s.span()}, X: call, I: 0}
	}
	return g.specialised(c, args, nil, s)
}

// specialised is the call of a named or recursive function. Its arguments are
// those of the source, and the values of the variables that it changes, if it
// does; then its result is a tuple that ends with their new values.
func (g *infer) specialised(c *closure, args []tail.Expr, vars []carried, s site) tail.Expr {
	args = g.settled(c, args, s)
	key := c.identity(g) + fmt.Sprint(len(args)-len(vars) == 2, g.origin, g.tolerance, " ", g.digitsNow)
	var before []tail.Type
	if all := g.building[c.node]; len(all) > 0 {
		before = all[len(all)-1]
	}
	exact := newGeneraliser(true)
	exactTypes := exact.all(args, nil)
	exactKey := keyOf(exactTypes)
	outer := g.general
	defer func() { g.general = outer }()
	for _, before := range [][]tail.Type{before, nil} {
		general := newGeneraliser(false)
		types := general.all(args, before)
		generalKey := key + keyOf(types)
		if g.failed[generalKey] != nil {
			continue
		}
		less := exactKey != keyOf(types)
		if less {
			g.general++
		}
		e, err := g.attempt(c, generalKey, types, general, args, vars, s)
		g.general = outer
		if err == nil {
			if len(g.building[c.node]) == 0 && c.recursive {
				return g.unpeeled(c, key, generalKey, e, args, vars, s)
			}
			return e
		}
		if !err.needs || !less {
			panic(*err)
		}
		g.failed[generalKey] = &failure{}
	}
	if exactKey = key + "!" + exactKey; len(g.instances[exactKey]) == 0 {
		g.names[key+"!"]++
		if g.names[key+"!"] > maxExact {
			g.fail(diag.TooManyTypes, s.fn, "%s would be compiled for more than %d different values of its arguments", c.name, maxExact)
		}
	}
	e, err := g.attempt(c, exactKey, exactTypes, exact, args, vars, s)
	if err != nil {
		panic(*err)
	}
	return e
}

// unpeeled is a call e of a function that calls itself, from outside. Where its instance was
// made for the value of an argument, and calls another one, which takes any value, that is
// called in its place if it gives the same type: there is no first step beside the others.
func (g *infer) unpeeled(c *closure, key, made string, e tail.Expr, args []tail.Expr, vars []carried, s site) tail.Expr {
	for _, inst := range g.instances[made] {
		if inst.fn.Recursive {
			return e
		}
	}
	plain := newGeneraliser(false)
	plain.plain = true
	types := plain.all(args, nil)
	plainKey := key + keyOf(types)
	if len(g.instances[plainKey]) == 0 {
		return e
	}
	z, err := g.attempt(c, plainKey, types, plain, args, vars, s)
	if err != nil || typeKey(z.Type(), false) != typeKey(e.Type(), false) {
		return e
	}
	return z
}

// flat names an argument that is a tuple.
func (g *infer) flat(e tail.Expr) tail.Expr {
	if !isTuple(e) {
		return e
	}
	return g.name(e)
}

// all returns the types of parameters for some arguments, where those of the call before, if
// there is one, were of the types of before.
func (z *generaliser) all(args []tail.Expr, before []tail.Type) []tail.Type {
	types := make([]tail.Type, len(args))
	for i, a := range args {
		var b tail.Type
		if i < len(before) {
			b = before[i]
		}
		types[i] = z.changing(a.Type(), b)
	}
	return types
}

func keyOf(types []tail.Type) string {
	key := ""
	for _, t := range types {
		key += ":" + typeKey(t, false)
	}
	return key
}

// attempt calls the instance for a key, made now if there is none. An error is
// returned after everything that was made for it is forgotten.
func (g *infer) attempt(c *closure, key string, types []tail.Type, shape *generaliser, args []tail.Expr, vars []carried, s site) (e tail.Expr, failed *unwound) {
	scope, frame, lets, depth, block := g.scope, g.frame, g.lets, g.depth, g.blockID
	log, funcs := len(g.log), len(g.prog.Funcs)
	defer func() {
		r := recover()
		if r == nil {
			return
		}
		g.scope, g.frame, g.lets, g.depth, g.blockID = scope, frame, lets, depth, block
		u, ok := r.(unwound)
		if !ok {
			panic(r)
		}
		g.forget(log, funcs)
		if u.err.Message != "" && s.fn.Valid() && c.name != "" {
			noteCall(u.err, c.name, args, s)
		}
		failed = &u
	}()
	inst := g.instance(c, key, types, shape, vars, s)
	call := g.callInstance(inst, args, shape, s)
	if e := g.expandedIfComplex(c, inst, args, s); e != nil {
		return e, nil
	}
	if e := g.expandedIfEither(c, inst, args, s); e != nil {
		return e, nil
	}
	return call, nil
}

// instance returns the instance of a closure for some argument types.
func (g *infer) instance(c *closure, key string, types []tail.Type, shape *generaliser, vars []carried, s site) *instance {
	for _, inst := range g.instances[key] {
		if inst.building || g.captured(inst, shape.clone(), s) {
			return inst
		}
	}
	return g.build(c, key, types, shape, vars, s)
}

// captured reports whether what an instance captures still has the types, or
// is the same, as when it was made.
func (g *infer) captured(inst *instance, shape *generaliser, s site) bool {
	for i := range inst.captures {
		if c := &inst.captures[i]; !c.leads() || !c.still(c.scope.names[c.name]) {
			return false
		}
	}
	for i := range inst.captures {
		c := &inst.captures[i]
		value := g.recapture(c, s)
		if value == nil {
			continue
		}
		shape.single = inst.apart
		if typeKey(shape.generalise(value.Type()), false) != typeKey(c.param.Type, false) {
			return false
		}
		c.param.Size.From(diag.Span{}, value)
	}
	return true
}

// still reports whether a binding is a variable where a parameter was
// captured, and otherwise the function, operator or constant that was.
func (c *capture) still(b *binding) bool {
	short := b.lit != nil && b.lit.Value.Len() <= tail.MaxValues
	switch {
	case c.param != nil:
		return b.v != nil && !short
	case c.what.lit != nil && short:
		return valueKey(c.what.lit.Value) == valueKey(b.lit.Value)
	}
	return b == c.what || b.fn != nil && b.fn == c.what.fn
}

// recapture makes the current function capture what a function that it calls
// captured. It returns the value, nil for functions, operators and constants.
func (g *infer) recapture(c *capture, s site) (value tail.Expr) {
	for _, from := range c.from {
		if c.param == nil {
			g.dependOn(from, c.scope, c.name, c.scope.names[c.name])
			continue
		}
		value = g.use(from, c.scope, c.name, s.fn)
	}
	return value
}

// callInstance returns the call of an instance. The generaliser says what the
// instance's size variables stand for.
func (g *infer) callInstance(inst *instance, args []tail.Expr, shape *generaliser, s site) tail.Expr {
	result := inst.fn.Result
	if inst.building {
		inst.used = true
		inst.fn.Recursive = true
		for f := g.frame; f != nil && f.inst != inst; f = f.caller {
			if f.inst != nil {
				f.inst.fn.Recursive = true
			}
		}
		if inst.assumed == nil {
			for f := g.frame; f != nil && f.inst != inst; f = f.caller {
				if f.inst != nil {
					f.inst.awaits = true
				}
			}
			panic(bottom{at: s.fn, name: inst.name})
		}
		result = inst.assumed
	}
	shape = shape.clone()
	call := &tail.Call{At: tail.At{Where: s.span()}, Fn: inst.fn}
	call.Args = append(call.Args, args...)
	if len(inst.fn.Params) > 0 {
		for i, e := range args {
			inst.fn.Params[i].Size.From(s.span(), e)
		}
	}
	for i := range inst.captures {
		c := &inst.captures[i]
		e := g.recapture(c, s)
		if e == nil {
			continue
		}
		shape.single = inst.apart
		if t := shape.generalise(e.Type()); inst.building && typeKey(t, false) != typeKey(c.param.Type, false) {
			inst.apart = true
		}
		call.Args = append(call.Args, e)
	}
	call.Ty = substitute(result, shape.actual)
	if !inst.building {
		call.Size = resultOrigin(inst.fn, call, s)
		g.recheck(inst.fn, shape.actual)
	}
	return call
}

// build specialises a closure. The type of a recursive function is iterated.
func (g *infer) build(c *closure, key string, types []tail.Type, shape *generaliser, vars []carried, s site) *instance {
	inst := &instance{key: key, name: c.name, vars: vars, fn: &tail.Func{}, building: true, order: len(g.prog.Funcs)}
	g.instances[key] = append(g.instances[key], inst)
	g.building[c.node] = append(g.building[c.node], types)
	defer func() { g.building[c.node] = g.building[c.node][:len(g.building[c.node])-1] }()
	if len(g.building[c.node]) > maxBuilding {
		g.abandon(inst)
		err := diag.Errorf(diag.TooManyTypes, g.visible(s.fn), "%s calls itself with arguments of ever new types", plainFunction(c.name))
		panic(unwound{err: err, needs: true})
	}
	log := len(g.log)
	for round := 0; ; round++ {
		if round == maxRounds {
			g.fail(diag.RecursiveType, s.fn, "the type of %s's result does not settle", c.name)
		}
		inst.used, inst.awaits = false, false
		apart := inst.apart
		result, captures, ok := g.round(c, inst, types, shape, s)
		if !inst.used {
			break
		}
		if !ok && inst.awaits {
			g.abandon(inst)
			g.forget(log, inst.order)
			panic(g.unknown)
		}
		if !ok {
			g.unknown.name = c.name
			if !g.unknown.often {
				g.unknown.at = c.node.Span()
			}
			panic(unwound{err: g.unknown.error(), endless: !g.unknown.often})
		}
		if inst.apart && !apart {
			inst.assumed, inst.captures = nil, nil
			g.forget(log, inst.order)
			continue
		}
		same := inst.assumed != nil && typeKey(inst.assumed, false) == typeKey(result, false) && len(captures) == len(inst.captures)
		inst.captures = captures
		if same {
			break
		}
		inst.assumed = result
		g.forget(log, inst.order)
	}
	inst.building = false
	inst.fn.Name = g.uniqueName(c.name)
	inst.fn.Where = c.node.Span()
	g.log = append(g.log, inst)
	g.prog.Funcs = append(g.prog.Funcs, inst.fn)
	return inst
}

// uniqueName returns a name for an instance of a function: the user's, where
// it is free, or with a number.
func (g *infer) uniqueName(name string) string {
	if name == "" {
		name = "dfn"
	}
	unique := name
	for g.taken[unique] {
		g.names[name]++
		unique = fmt.Sprintf("%s_%d", name, g.names[name]+1)
	}
	g.taken[unique] = true
	return unique
}

// round infers the body of a closure once. ok is false when the result is
// bottom.
func (g *infer) round(c *closure, inst *instance, types []tail.Type, shape *generaliser, s site) (result tail.Type, captures []capture, ok bool) {
	scope, caller, lets, outer := g.scope, g.frame, g.lets, g.blockID
	defer g.localSystem()()
	defer func() {
		g.scope, g.frame, g.lets, g.blockID = scope, caller, lets, outer
		if r := recover(); r != nil {
			g.abandon(inst)
			panic(r)
		}
	}()
	f := &frame{caller: caller, shape: shape.clone(), inst: inst}
	f.shape.single = inst.apart
	for _, old := range inst.captures {
		f.seed(g, old, s)
	}
	g.frame, g.lets = f, nil
	defer g.kept(inst.vars)()
	var params []*tail.Var
	var body tail.Expr
	ok = g.tryBottom(func() {
		body = g.block(func() tail.Expr {
			sc := g.activation(c)
			sc.call = s.fn
			given := len(types) - len(inst.vars)
			for i, name := range []string{"⍺", "⍵"}[2-given:] {
				v := &tail.Var{Name: plainName(name), Type: types[i], Size: paramOrigin(name, c.name, types[i])}
				params = append(params, v)
				sc.names[name] = &binding{v: v}
			}
			for i, x := range inst.vars {
				t := types[given+i]
				v := &tail.Var{Name: plainName(x.name), Type: t, Size: paramOrigin(x.name, c.name, t)}
				params = append(params, v)
				x.s.names[x.name], x.s.block = &binding{v: v, frame: f}, g.blockID
			}
			g.scope = sc
			g.findUnreadIn(c)
			e := g.body(c.body, c.node)
			if len(inst.vars) == 0 {
				return e
			}
			e = g.name(e)
			return g.changed(tail.At{Where: s.span()}, e, g.valuesOf(inst.vars, s))
		})
	})
	if !ok {
		if inst.assumed == nil && inst.used {
			return nil, f.captures, false
		}
		panic(g.unknown)
	}
	result = body.Type()
	if inst.assumed != nil && inst.used {
		joined, fits := joinTypes(inst.assumed, result)
		if !fits {
			panic(unwound{err: diag.Errorf(diag.BranchRanks, c.node.Span(), "%s gives %s in one case and %s in another", c.name, describeBeside(inst.assumed, result), describeBeside(result, inst.assumed))})
		}
		result = joined
		g.within(g.scope, func() { body = g.block(func() tail.Expr { return g.adaptBody(body, joined) }) })
	}
	for _, k := range f.captures {
		if k.param != nil {
			params = append(params, k.param)
		}
	}
	inst.fn.Params, inst.fn.Body, inst.fn.Result = params, body, result
	if !inst.used {
		inst.captures = f.captures
	}
	return result, f.captures, true
}

// adaptBody coerces the result of a body.
func (g *infer) adaptBody(body tail.Expr, to tail.Type) tail.Expr {
	if typeKey(body.Type(), true) == typeKey(to, true) {
		return body
	}
	return g.adapt(g.name(body), to)
}

// abandon takes an unfinished instance out of the table.
func (g *infer) abandon(inst *instance) {
	list := g.instances[inst.key]
	for i, other := range list {
		if other == inst {
			g.instances[inst.key] = append(append([]*instance{}, list[:i]...), list[i+1:]...)
			return
		}
	}
}

// forget removes the instances and functions made after the given marks.
func (g *infer) forget(log, funcs int) {
	if log > len(g.log) {
		return
	}
	for _, inst := range g.log[log:] {
		g.abandon(inst)
	}
	g.log = g.log[:log]
	g.prog.Funcs = g.prog.Funcs[:min(funcs, len(g.prog.Funcs))]
}

// seed captures again what an earlier round captured, in the same order.
func (f *frame) seed(g *infer, old capture, s site) {
	if old.param == nil {
		old.from = slices.Clone(old.from)
		f.capture(old)
		return
	}
	for _, from := range old.from {
		g.useIn(f, from, old.scope, old.name, s.fn)
	}
}
