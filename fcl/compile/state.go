package compile

import (
	"github.com/tailor-lang/tailor/fcl/kernel"
	"github.com/tailor-lang/tailor/fcl/types"
)

// loop makes a loop that changes variables:
//
//	loop n (fn i => fn s => f i s) z        s = z; for (i = 0; i < n; i++) s = f(i, s);
func loop(c *call) Value {
	s := c.state()
	c.sequential(kernel.Int(0), c.share("n", c.expr(0)).(kernel.Expr), func(i kernel.Expr) {
		c.change(s, c.apply(1, i, s))
	})
	return s
}

// until makes a loop that changes variables as long as a condition does not hold.
func until(c *call) Value {
	s := c.state()
	c.emit(&kernel.Loop{Body: c.block(func() {
		c.emit(&kernel.Break{Unless: kernel.Opposite(c.apply(0, s).(kernel.Expr))})
		c.change(s, c.apply(1, s))
	})})
	return s
}

// state declares the variables of a loop.
func (c *call) state() Value {
	t := c.elem()
	if !ofScalars(t) {
		unsupported(c.at, "what a loop changes is scalars here, and tuples of them, not %s", types.Text(t))
	}
	s := c.undefined(t)
	c.assign(s, c.args[2])
	return s
}

// change assigns to the variables what was computed of them.
func (c *call) change(s, v Value) {
	next := c.undefined(c.elem())
	c.assign(next, v)
	c.assign(s, next)
}

// ofScalars reports whether a type has nothing but scalars.
func ofScalars(t types.Type) bool {
	switch t := types.Find(t).(type) {
	case types.Scalar:
		return true
	case *types.Tuple:
		for _, item := range t.Items {
			if !ofScalars(item) {
				return false
			}
		}
		return true
	}
	return false
}
