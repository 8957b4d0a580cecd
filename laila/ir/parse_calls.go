package ir

import "strings"

// arrays reads arrays and scalars in parentheses, which are declared here or are
// there.
func (t *textParser) arrays(declared bool) []Array {
	t.expect("(")
	var list []Array
	for !t.accept(")") {
		if len(list) > 0 {
			t.expect(",")
		}
		list = append(list, t.array(declared))
	}
	return list
}

// array reads an array, [owned] NAME [from PLACE]: KIND[EXTENTS], or a scalar,
// NAME: KIND.
func (t *textParser) array(declared bool) Array {
	owned := t.accept("owned")
	name := t.name()
	var at Expr
	if t.accept("from") {
		at = t.expr()
	}
	t.expect(":")
	k := t.kind()
	if !t.accept("[") {
		return Array{Elem: k, Scalar: t.arrayVar(name, k, declared)}
	}
	if declared {
		t.newBuf(name).Elem = k
	}
	b := t.bufs[name]
	if b == nil {
		failText("there is no buffer %s", name)
	}
	if owned {
		b.Owned = true
	}
	a := Array{Elem: k, Buf: b, At: at}
	for !t.accept("]") {
		if len(a.Dims) > 0 {
			t.expect(",")
		}
		if declared {
			t.extent()
		}
		a.Dims = append(a.Dims, t.expr())
	}
	return a
}

// extent declares the variable of an extent, if a name follows.
func (t *textParser) extent() {
	if t.startsName() && t.vars[firstWord(t.rest)] == nil {
		t.newVar(firstWord(t.rest), I64)
	}
}

func (t *textParser) arrayVar(name string, k Kind, declared bool) *Var {
	if v := t.vars[name]; !declared && v == nil {
		failText("there is no variable %s", name)
	}
	return t.newVar(name, k)
}

// call reads (RESULTS) = FUNCTION(ARGUMENTS), of the program or of the run-time.
func (t *textParser) call() Stmt {
	results := t.arrays(true)
	t.expect("=")
	if t.accept("run") {
		t.expect("-time")
		return t.runtime(results)
	}
	name := t.name()
	f := t.funcs[name]
	if f == nil {
		failText("there is no function %s", name)
	}
	return &Call{Fn: f, Args: t.arrays(false), Results: results}
}

func (t *textParser) runtime(results []Array) Stmt {
	s := &Runtime{Fn: t.name(), Results: results}
	if t.accept("[") {
		s.PP = int(t.integer())
		t.expect("]")
	}
	t.expect("(")
	for !t.accept(")") {
		if len(s.Args) > 0 {
			t.expect(",")
		}
		s.Args = append(s.Args, t.runtimeArg())
	}
	return s
}

func (t *textParser) runtimeArg() RuntimeArg {
	t.space()
	if strings.HasPrefix(t.rest, `"`) {
		return RuntimeArg{Text: t.quoted()}
	}
	if t.isArray() {
		a := t.array(false)
		return RuntimeArg{Array: &a}
	}
	return RuntimeArg{X: t.expr()}
}

// isArray reports whether an array follows, and not an expression.
func (t *textParser) isArray() bool {
	name := firstWord(t.rest)
	if name == "" || reserved[name] {
		return false
	}
	behind := t.rest[len(name):]
	return strings.HasPrefix(behind, ": ") || strings.HasPrefix(behind, " from ")
}
