package ir

import "strings"

// indices checks expressions that are places, extents or counts; nil is 0.
func (c *checker) indices(xs ...Expr) {
	for _, x := range xs {
		if x == nil {
			continue
		}
		if k := c.kind(x); k != I64 && k != I32 && k != NoKind {
			c.fail("an index of kind %s", k)
		}
	}
}

// is checks that an expression has a kind.
func (c *checker) is(x Expr, k Kind) {
	if x == nil {
		c.fail("an operand is missing")
		return
	}
	if got := c.kind(x); got != k && got != NoKind {
		c.fail("an operand of kind %s where %s is expected", got, k)
	}
}

// kind checks an expression and returns its kind, NoKind where it has none.
func (c *checker) kind(x Expr) Kind {
	switch x := x.(type) {
	case *Int:
		if !x.K.Exact() || x.K == NoKind {
			c.fail("an integer without a kind")
		}
		return x.K
	case *Float:
		return F64
	case *Use:
		c.read(x.Var)
		return x.Var.Kind
	case *Load:
		c.indices(x.Index)
		if n, known := IntOf(x.Index); known && n < 0 {
			c.storage(x.Buf) // never reached: no index is negative
		} else {
			c.load(x.Buf)
		}
		return x.Buf.Elem
	case *Unary:
		return c.unary(x)
	case *Binary:
		return c.binary(x)
	case *Select:
		c.is(x.Cond, U8)
		k := c.kind(x.Then)
		c.is(x.Else, k)
		return k
	case *Convert:
		c.kind(x.X)
		return x.To
	case *Math:
		for _, a := range x.Args {
			c.kind(a)
		}
		return x.K
	}
	c.fail("%T is no expression", x)
	return NoKind
}

func (c *checker) unary(x *Unary) Kind {
	k := c.kind(x.X)
	ok := k != C64
	switch x.Op {
	case OpNot:
		ok = k == U8
	case OpSqrt:
		ok = k == F64
	case OpBitNot:
		ok = k.Exact()
	}
	if !ok && k != NoKind {
		c.fail("%s of kind %s", unaryNames[x.Op], k)
	}
	return k
}

func (c *checker) binary(x *Binary) Kind {
	k := c.kind(x.X)
	c.is(x.Y, k)
	ok := k != C64
	switch x.Op {
	case OpDiv:
		ok = k == F64
	case OpQuo, OpRem, OpAnd, OpOr, OpXor, OpShl, OpShr:
		ok = k.Exact()
	}
	if !ok && k != NoKind {
		c.fail("%s of kind %s", binaryNames[x.Op], k)
	}
	if x.Op >= OpLt {
		return U8
	}
	return k
}

// sameElem checks that two buffers hold elements of one kind.
func (c *checker) sameElem(a, b *Buf) {
	if a.Elem != b.Elem {
		c.fail("elements of kinds %s and %s", a.Elem, b.Elem)
	}
}

// call checks the call of a function of the program.
func (c *checker) call(s *Call) {
	if len(s.Args) != len(s.Fn.Params) || len(s.Results) != len(s.Fn.Results) {
		c.fail("%d arguments and %d results, not %d and %d", len(s.Args), len(s.Results), len(s.Fn.Params), len(s.Fn.Results))
		return
	}
	for i, a := range s.Args {
		p := s.Fn.Params[i]
		c.alike(a, p)
		c.argument(a)
		if p.Buf != nil && p.Buf.Owned && a.Buf != nil {
			c.handed(s, i)
		}
	}
	for i, r := range s.Results {
		c.alike(r, s.Fn.Results[i])
		c.received(r)
	}
}

// handed notes that a call takes over the storage of argument i, where the scalar
// that says so, one of those behind the arguments, is not the constant 0.
func (c *checker) handed(s *Call, i int) {
	place := len(s.Args)
	for k, p := range s.Fn.Params {
		if k >= i && p.Buf != nil && p.Buf.Owned {
			place--
		}
	}
	given := s.Args[place].Scalar
	if given == nil || given.Kind != U8 {
		c.fail("argument %d may be handed over, and nothing says whether it is", i+1)
		return
	}
	if d := c.decls[given]; d == nil || d.Init == nil || !IsInt(d.Init, 0) {
		c.owned(s.Args[i].Buf)
		c.put(s.Args[i].Buf, gone)
	}
}

// alike checks that two arrays are passed in the same way.
func (c *checker) alike(a, b Array) {
	switch {
	case (a.Buf == nil) != (b.Buf == nil) || len(a.Dims) != len(b.Dims):
		c.fail("an array of another rank than the function has")
	case a.Buf == nil && a.Scalar.Kind != b.Scalar.Kind:
		c.fail("kinds %s and %s", a.Scalar.Kind, b.Scalar.Kind)
	case a.Buf != nil:
		c.sameElem(a.Buf, b.Buf)
	}
}

// argument checks an array that is passed.
func (c *checker) argument(a Array) {
	c.indices(a.Dims...)
	c.indices(a.At)
	if a.Buf != nil {
		c.storage(a.Buf)
	} else {
		c.read(a.Scalar)
	}
}

// received declares an array that a call returns.
func (c *checker) received(a Array) {
	if a.Buf == nil {
		c.declare(a.Scalar, 0)
		return
	}
	c.declare(a.Buf, live|filled)
	c.extents(a.Dims)
}

var runtimeFuncs = func() map[string]RuntimeFunc {
	m := map[string]RuntimeFunc{}
	for _, f := range RuntimeFuncs {
		m[f.Name] = f
	}
	return m
}()

// runtime checks the call of a function of the run-time.
func (c *checker) runtime(s *Runtime) {
	f, ok := runtimeFuncs[s.Fn]
	if !ok {
		c.fail("the run-time has no such function")
		return
	}
	letters := f.Args
	if fixed, ok := strings.CutSuffix(letters, "*"); ok {
		letters = fixed + strings.Repeat("a", max(len(s.Args)-len(fixed), 0))
	}
	if len(s.Args) != len(letters) || len(s.Results) > len(f.Results) {
		c.fail("%d arguments and %d results, not %d and %d", len(s.Args), len(s.Results), len(letters), len(f.Results))
		return
	}
	for i, a := range s.Args {
		c.runtimeArg(a, letters[i])
	}
	for _, r := range s.Results {
		c.received(r)
	}
}

func (c *checker) runtimeArg(a RuntimeArg, letter byte) {
	switch letter {
	case 'i':
		c.is(a.X, I64)
	case 'b':
		c.is(a.X, U8)
	case 'd':
		c.is(a.X, F64)
	default:
		if a.Array == nil {
			return
		}
		if letter == 'v' && len(a.Array.Dims) != 1 || letter == 'm' && len(a.Array.Dims) != 2 {
			c.fail("an argument of rank %d", len(a.Array.Dims))
		}
		c.argument(*a.Array)
	}
}
