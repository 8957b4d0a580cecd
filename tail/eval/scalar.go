package eval

import "github.com/tailor-lang/tailor/tail"

// The scalar ops, each as a function of one tuple of elements (code) and as a
// loop over blocks of elements (lane). Most loops are made from the function;
// the common ones are written out so that they run at the speed of the memory.

// lane computes n elements of a register from those of others.
type lane func(fr *frame, n int)

// scalarImpl is the implementation of a scalar op.
type scalarImpl struct {
	code func(s *site, args []code) code
	lane func(s *site, args []*reg, out *reg) lane
}

func niladic[R cell](f func(s *site) R) scalarImpl {
	return scalarImpl{
		code: func(s *site, _ []code) code {
			return func(*frame) value { return scalar(f(s)) }
		},
		lane: func(s *site, _ []*reg, out *reg) lane {
			return func(_ *frame, n int) {
				z := cells[R](out, n)
				for i := range z {
					z[i] = f(s)
				}
			}
		},
	}
}

func monadic[A, R cell](f func(s *site, y A) R) scalarImpl {
	return monadicLoop(f, func(s *site, z []R, y []A) {
		for i := range z {
			z[i] = f(s, y[i])
		}
	})
}

func monadicLoop[A, R cell](f func(s *site, y A) R, loop func(s *site, z []R, y []A)) scalarImpl {
	return scalarImpl{
		code: func(s *site, args []code) code {
			y := args[0]
			return func(fr *frame) value { return scalar(f(s, fromBits[A](y(fr).word))) }
		},
		lane: func(s *site, args []*reg, out *reg) lane {
			y := args[0]
			return func(_ *frame, n int) { loop(s, cells[R](out, n), cells[A](y, n)) }
		},
	}
}

func dyadic[A, B, R cell](f func(s *site, x A, y B) R) scalarImpl {
	return dyadicLoop(f, func(s *site, z []R, x []A, y []B) {
		for i := range z {
			z[i] = f(s, x[i], y[i])
		}
	})
}

func dyadicLoop[A, B, R cell](f func(s *site, x A, y B) R, loop func(s *site, z []R, x []A, y []B)) scalarImpl {
	return scalarImpl{
		code: func(s *site, args []code) code {
			x, y := args[0], args[1]
			return func(fr *frame) value {
				b := fromBits[B](y(fr).word)
				return scalar(f(s, fromBits[A](x(fr).word), b))
			}
		},
		lane: func(s *site, args []*reg, out *reg) lane {
			x, y := args[0], args[1]
			return func(_ *frame, n int) {
				z := cells[R](out, n)
				loop(s, z, cells[A](x, n)[:len(z)], cells[B](y, n)[:len(z)])
			}
		},
	}
}

// triadic is the implementation of a function of three doubles.
func triadic(f func(x, y, z float64) float64) scalarImpl {
	return scalarImpl{
		code: func(_ *site, args []code) code {
			x, y, z := args[0], args[1], args[2]
			return func(fr *frame) value {
				c := fromBits[float64](z(fr).word)
				b := fromBits[float64](y(fr).word)
				return scalar(f(fromBits[float64](x(fr).word), b, c))
			}
		},
		lane: func(_ *site, args []*reg, out *reg) lane {
			x, y, z := args[0], args[1], args[2]
			return func(_ *frame, n int) {
				r := cells[float64](out, n)
				a, b, c := cells[float64](x, n)[:len(r)], cells[float64](y, n)[:len(r)], cells[float64](z, n)[:len(r)]
				for i := range r {
					r[i] = f(a[i], b[i], c[i])
				}
			}
		},
	}
}

var scalarOps [tail.NumOps]scalarImpl

func init() {
	for _, table := range []map[tail.Op]scalarImpl{intOps, doubleOps, complexOps, boolOps, coercions} {
		for o, impl := range table {
			if o.CanOverflow() {
				impl = tested(impl)
			}
			scalarOps[o] = impl
		}
	}
}
