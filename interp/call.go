package interp

import (
	"slices"

	"time"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/interp/prim"
)

// closure is a dfn, or an operator with its operands, and the frame it was made in.
type closure struct {
	body        []apl.Stmt
	frame       *Frame
	node        apl.Node
	name        string
	left, right any  // ⍺⍺ and ⍵⍵
	op          *dop // ∇∇
	leaf        bool // see Interp.leaf
	note        *apl.Annotation
	profile     *profile
}

// title is what messages call the function.
func (c *closure) title() string {
	if c.name != "" {
		return c.name
	}
	return "a dfn"
}

// only returns the scalar function g where the dfn is {⍺ g ⍵}, or "".
func (c *closure) only() string {
	if len(c.body) != 1 || c.note != nil {
		return ""
	}
	s, ok := c.body[0].(*apl.ExprStmt)
	if !ok {
		return ""
	}
	d, ok := s.X.(*apl.Dyadic)
	if !ok {
		return ""
	}
	x, ok1 := d.X.(*apl.Var)
	y, ok2 := d.Y.(*apl.Var)
	p, ok3 := d.F.(*apl.Prim)
	if ok1 && ok2 && ok3 && x.Ident == "⍺" && y.Ident == "⍵" && prim.IsScalar(p.Glyph) {
		return p.Glyph
	}
	return ""
}

// dop is an operator made of braces.
type dop struct {
	node  *apl.Dop
	frame *Frame
	note  *apl.Annotation
}

// reading is an operator's body read for operands of two classes.
type reading struct {
	node        *apl.Dop
	left, right bool // they are arrays
}

// Derive gives the operator its operands.
func (d *dop) Derive(in *Interp, left, right any) (Function, error) {
	_, la := left.(*V)
	_, ra := right.(*V)
	r := reading{d.node, la, ra}
	node := in.readings[r]
	if node == nil {
		var err error
		if node, err = d.node.Reading(la, ra); err != nil {
			return nil, err
		}
		in.readings[r] = node
	}
	return &closure{body: node.Body, frame: d.frame, node: node, left: left, right: right, op: d, note: d.note}, nil
}

// maxDepth is the number of calls that may be open at once.
const maxDepth = 40000

// Call calls the dfn: its compiled form, if there is one. What its annotation says is
// tested.
func (c *closure) Call(in *Interp, x, y *V) (*V, error) {
	if in.apart {
		defer in.moveTo(in.moveFor(c.frame))
	}
	k, err := in.begin(c, x, y)
	if err != nil {
		return nil, err
	}
	r, err := c.called(in, x, y)
	if err == nil {
		err = k.end(r)
	}
	return r, err
}

func (c *closure) called(in *Interp, x, y *V) (*V, error) {
	if in.compiler == nil {
		return c.interpreted(in, x, y)
	}
	if in.stretch != nil && in.abandons() {
		return nil, errAbandoned
	}
	p := in.profile(c, "")
	if r, ok := in.specialised(p, c, x, y); ok {
		in.shy = false
		return r, nil
	}
	if p.plain.n >= sampled || p.calls < unsampled {
		return c.interpreted(in, x, y)
	}
	start := time.Now()
	r, err := c.interpreted(in, x, y)
	p.plain.add(start, 1)
	return r, err
}

// interpreted calls the dfn. What it calls as its own result replaces it.
func (c *closure) interpreted(in *Interp, x, y *V) (*V, error) {
	if in.depth++; in.depth > maxDepth {
		in.depth--
		return nil, prim.Errorf(diag.TooDeep, "recursion is too deep")
	}
	caller := in.current
	defer func() { in.depth--; in.current = caller }()
	if m := in.env.Meter; m != nil {
		defer m.Back(m.Now())
	}
	var k *claimed // of the last call that replaced another one
	for {
		if in.interrupted() {
			return nil, ErrInterrupted
		}
		f := in.newFrame()
		f.parent, f.caller, f.alpha, f.omega, f.self = c.frame, caller, x, y, c
		in.current = f
		r, next, err := in.body(f, c.body)
		if f.saved != nil {
			in.restore(f)
			if next != nil { // the call that replaces this one saw its system variables
				return nil, prim.Errorf(diag.FileOrTool, "internal error: a call behind its frame")
			}
		}
		if err != nil {
			if e, ok := err.(*Fault); ok {
				e.leave(f)
			}
			return nil, err
		}
		if c.leaf {
			in.release(f)
		}
		if next == nil {
			return r, k.end(r)
		}
		c, x, y = next.f, next.x, next.y
		in.moveFor(c.frame)
		if last, err := in.begin(c, x, y); err != nil {
			return nil, err
		} else if last != nil {
			k = last
		}
		if in.compiler != nil {
			if r, ok := in.specialised(in.profile(c, ""), c, x, y); ok {
				in.shy = false
				return r, k.end(r)
			}
		}
	}
}

// tail is a call that replaces its caller.
type tail struct {
	f    *closure
	x, y *V
}

// body runs the statements of a dfn. The result is a value, or a call whose result
// it is.
func (in *Interp) body(f *Frame, body []apl.Stmt) (*V, *tail, error) {
	var last *V
	in.shy = false
	for i, s := range body {
		if in.env.Meter != nil {
			in.meterBody(i, s)
		}
		if l, ok := s.(*apl.Loose); ok {
			var err error
			if s, err = in.reading(f, l); err != nil {
				return nil, nil, err
			}
		}
		switch s := s.(type) {
		case *apl.ExprStmt:
			if !s.Silent {
				return in.result(f, s.X)
			}
			if i < len(body)-1 {
				if ok, err := in.grow(f, s.X); err != nil {
					return nil, nil, err
				} else if ok {
					last = nil
					continue
				}
			}
			v, err := in.eval(f, s.X)
			if err != nil {
				return nil, nil, err
			}
			last = v
		case *apl.Guard:
			yes, err := in.condition(f, s.Cond)
			if err != nil {
				return nil, nil, err
			}
			if yes {
				return in.guarded(f, s)
			}
			last = nil
		case *apl.ErrorGuard:
			return in.errorGuard(f, s, body[i+1:])
		case *apl.DefaultLeft:
			if err := in.defaultLeft(f, s); err != nil {
				return nil, nil, err
			}
		case *apl.FuncDef, *apl.OperatorDef:
			if err := in.define(f, s); err != nil {
				return nil, nil, err
			}
			last = nil
		case *apl.Display:
			if err := in.display(f, s); err != nil {
				return nil, nil, err
			}
			last = nil
		default:
			return nil, nil, in.fault(s, diag.Unreadable, "a statement that could not be read")
		}
	}
	in.shy = last != nil
	return last, nil, nil
}

// guarded evaluates the result of a guard whose condition holds.
func (in *Interp) guarded(f *Frame, s *apl.Guard) (*V, *tail, error) {
	if !s.Silent {
		return in.result(f, s.Result)
	}
	v, err := in.eval(f, s.Result)
	in.shy = true
	return v, nil, err
}

// result evaluates the expression that is a dfn's result. A call of a dfn as the
// last thing is left to the caller.
func (in *Interp) result(f *Frame, x apl.Expr) (*V, *tail, error) {
	in.shy = false
	if f.saved == nil {
		switch x := x.(type) {
		case *apl.Monadic:
			if name, ok := x.F.(*apl.FuncName); ok {
				return in.tailCall(f, name, nil, x.Y, x)
			}
		case *apl.Dyadic:
			if name, ok := x.F.(*apl.FuncName); ok && in.functionLeft(f, x.X) == nil {
				return in.tailCall(f, name, x.X, x.Y, x)
			}
		}
	}
	v, err := in.eval(f, x)
	return v, nil, err
}

func (in *Interp) tailCall(f *Frame, name *apl.FuncName, left, right apl.Expr, site apl.Expr) (*V, *tail, error) {
	y, err := in.givenUp(f, right), error(nil)
	if y == nil {
		y, err = in.need(f, right)
	}
	if err != nil {
		return nil, nil, err
	}
	fn, err := in.functionName(f, name)
	if err != nil {
		return nil, nil, err
	}
	var x *V
	if left != nil {
		if x, err = in.need(f, left); err != nil {
			return nil, nil, err
		}
	}
	if c, ok := fn.(*closure); ok && f.self != nil && f.saved == nil {
		return nil, &tail{c, x, y}, nil
	}
	v, err := in.apply(site, name, left, right, fn, x, y)
	return v, nil, err
}

// condition evaluates a guard's condition.
func (in *Interp) condition(f *Frame, x apl.Expr) (bool, error) {
	v, err := in.need(f, x)
	if err != nil {
		return false, err
	}
	if v.Len() != 1 {
		return false, in.fault(x, diag.WrongLength, "a condition of %d elements", v.Len())
	}
	b, err := prim.Truths(v)
	if err != nil {
		return false, at(err, x, nil, nil)
	}
	return b[0] == 1, nil
}

// defaultLeft is ⍺←.
func (in *Interp) defaultLeft(f *Frame, s *apl.DefaultLeft) error {
	if f.alpha != nil || f.alphaFunc != nil {
		return nil
	}
	if s.Func != nil {
		fn, err := in.function(f, s.Func)
		f.alphaFunc = fn
		return err
	}
	v, err := in.need(f, s.Value)
	f.alpha = v
	return err
}

// errorGuard runs the statements behind an error guard.
func (in *Interp) errorGuard(f *Frame, s *apl.ErrorGuard, rest []apl.Stmt) (*V, *tail, error) {
	list, err := in.need(f, s.Numbers)
	if err != nil {
		return nil, nil, err
	}
	which, err := prim.Ints(list)
	if err != nil {
		return nil, nil, at(err, s.Numbers, nil, nil)
	}
	depth := in.depth
	names := slices.Clone(f.bindings())
	f.guards = append(f.guards, which)
	v, next, err := in.body(f, rest)
	for err == nil && next != nil {
		v, err = next.f.Call(in, next.x, next.y)
		next = nil
	}
	f.guards = f.guards[:len(f.guards)-1]
	if err == nil || final(err) {
		return v, nil, err
	}
	fault := asFault(err)
	if fault.leaves == f || !catches(which, fault.number) {
		return nil, nil, err
	}
	in.depth, in.last, in.current, in.shy = depth, fault, f, false
	f.unwind(names)
	before := in.reported
	in.reported = fault
	defer func() { in.reported = before }()
	if s.Silent {
		v, err := in.eval(f, s.Result)
		in.shy = true
		return v, nil, err
	}
	v, err = in.eval(f, s.Result)
	return v, nil, err
}

// catches reports whether event numbers name an event: 0 names all errors, 1000
// interrupts.
func catches(which []int64, number int) bool {
	for _, n := range which {
		if n == int64(number) || n == 0 && number < 1000 {
			return true
		}
	}
	return false
}
