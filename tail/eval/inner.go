package eval

import (
	"math"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/tail"
)

// Inner products: element [i;j] of the result is f/ x[i;] g y[;j], terms taken
// from the last to the first. Rows of the result that are long enough are
// accumulated as a whole, term by term; short ones element by element.

// laneCols is the least length of a row that is worth a lane.
const laneCols = 8

// innerProduct is a compiled inner or inner1.
type innerProduct struct {
	*tail.Apply
	f, g  *kernel
	foldF *binary
}

func (s *scope) inner(e *tail.Apply) code {
	p := &innerProduct{Apply: e}
	p.foldF = s.binary(e, e.Args[0].(*tail.Lam))
	p.f = s.kernel(e.Args[0].(*tail.Lam))
	p.f.op = e.Ordered(p.f.op)
	p.g = s.kernel(e.Args[1].(*tail.Lam))
	args, t := s.args(e.Args[2:], false), e.Ty.(*tail.Array)
	last := len(args) - 1
	return func(fr *frame) value {
		y := args[last](fr).arr
		x := args[last-1](fr).arr
		var neutral value
		if e.Op == tail.OpInner {
			neutral = args[0](fr)
		}
		r, n := len(x.Shape)-1, y.Shape[0]
		if x.Shape[r] != n {
			raise(e, tail.FaultInner, x.Shape, y.Shape)
		}
		dst := fr.m.allocRaw(e, t.Elem, fr.m.concat(x.Shape[:r], y.Shape[1:])...)
		rows, cols := array.Count(x.Shape[:r]), array.Count(y.Shape[1:])
		switch {
		case n == 0:
			emptyReduce(e, dst, neutral)
		case rows*cols > 0:
			p.run(fr, dst, x, y, rows, n, cols)
		}
		return unbox(dst)
	}
}

func (p *innerProduct) run(fr *frame, dst, x, y *array.Array, rows, n, cols int) {
	switch {
	case fr.m.env.Plain || cols < laneCols:
		if cols > 1 {
			y = transposed(y, n, cols)
		}
		p.byElements(fr, dst, x, y, rows, n, cols)
	case p.f.op == tail.OpAddD && p.g.op == tail.OpMulD:
		matrixProduct(fr, dst.Doubles, x.Doubles, y.Doubles, rows, n, cols)
		p.foldF.site.checkFinite(dst)
	case p.f.op == tail.OpAddI && p.g.op == tail.OpMulI && smallProducts(x.Ints, y.Ints, n):
		matrixProduct(fr, dst.Ints, x.Ints, y.Ints, rows, n, cols)
	default:
		p.byRows(fr, dst, x, y, rows, n, cols)
	}
}

// smallProducts reports that no sum of n products of elements of x and y can
// overflow.
func smallProducts(x, y []int64, n int) bool {
	a, b := largest(x), largest(y)
	return a < 1<<31 && b < 1<<31 && (a == 0 || b == 0 || uint64(n) <= math.MaxInt64/(a*b))
}

// largest returns the greatest magnitude.
func largest(v []int64) uint64 {
	m := uint64(0)
	for _, x := range v {
		m = max(m, uint64(max(x, -x))) // the least int is its own negation
	}
	return m
}

// matrixProduct accumulates rows of x+.×y without checks.
func matrixProduct[T ordered](fr *frame, z, x, y []T, rows, n, cols int) {
	for i := range rows {
		fr.m.tick()
		zi, xi := z[i*cols:(i+1)*cols], x[i*n:(i+1)*n]
		for j, a := range xi {
			yj := y[j*cols : (j+1)*cols][:len(zi)]
			if j == 0 {
				for c := range zi {
					zi[c] = a * yj[c]
				}
				continue
			}
			for c := range zi {
				zi[c] += a * yj[c]
			}
		}
	}
}

// byRows accumulates rows of the result.
func (p *innerProduct) byRows(fr *frame, dst, x, y *array.Array, rows, n, cols int) {
	term := array.New(dst.Elem, min(cols, blockSize))
	p.g.begin(fr, cols)
	p.f.begin(fr, cols)
	for i := range rows {
		for c := 0; c < cols; c += blockSize {
			width := min(blockSize, cols-c)
			for k := n - 1; k >= 0; k-- {
				j := k
				if p.f.op.Forward() {
					j = n - 1 - k
				}
				p.g.params[0].fill(elemBits(x, i*n+j), width)
				p.g.params[1].aim(y, j*cols+c)
				if k == n-1 {
					p.g.run(fr, dst, i*cols+c, width)
					continue
				}
				p.g.run(fr, term, 0, width)
				p.f.params[0].aim(term, 0)
				p.f.params[1].aim(dst, i*cols+c)
				p.f.run(fr, dst, i*cols+c, width)
			}
		}
	}
	p.f.end()
	p.g.end()
}

// byElements computes the terms of each element, and reduces them; y is
// transposed.
func (p *innerProduct) byElements(fr *frame, dst, x, y *array.Array, rows, n, cols int) {
	terms, fold := array.New(dst.Elem, n), p.foldF.fold
	if len(y.Shape) > 1 {
		fold = p.foldF.foldPlain
	}
	p.g.begin(fr, n)
	for i := range rows {
		for c := range cols {
			for j := 0; j < n; j += blockSize {
				p.g.params[0].aim(x, i*n+j)
				p.g.params[1].aim(y, c*n+j)
				p.g.run(fr, terms, j, min(blockSize, n-j))
			}
			putBits(dst, i*cols+c, fold(fr, terms, 0, n, 1))
		}
	}
	p.g.end()
}

// transposed returns the n × cols matrix y as cols × n.
func transposed(y *array.Array, n, cols int) *array.Array {
	r := array.New(y.Elem, cols, n)
	copyStrided(r, 0, []int{n, 1}, y, 0, []int{1, cols}, []int{cols, n})
	return r
}
