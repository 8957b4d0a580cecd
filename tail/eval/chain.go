package eval

import (
	"math"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/num"
	"github.com/tailor-lang/tailor/tail"
)

// Chains: element [i;j] of the result begins with a number, and f extends it by
// the terms x[i;k] and y[k;j], from the first to the last. +.× of doubles is the
// chain of fmad from 0.

// chainProduct is a compiled chain.
type chainProduct struct {
	*tail.Apply
	f    *kernel
	site site // of the function's op, where it is one
}

func (s *scope) chain(e *tail.Apply) code {
	f := e.Args[0].(*tail.Lam)
	p := &chainProduct{Apply: e, f: s.kernel(f), site: site{e, s.m}}
	if a, ok := f.Body.(*tail.Apply); ok {
		p.site.Apply = a
	}
	args, t := s.args(e.Args[1:], false), e.Ty.(*tail.Array)
	return func(fr *frame) value {
		y := args[2](fr).arr
		x := args[1](fr).arr
		start := args[0](fr).word
		r, n := len(x.Shape)-1, y.Shape[0]
		if x.Shape[r] != n {
			raise(e, tail.FaultInner, x.Shape, y.Shape)
		}
		dst := fr.m.allocRaw(e, t.Elem, fr.m.concat(x.Shape[:r], y.Shape[1:])...)
		rows, cols := array.Count(x.Shape[:r]), array.Count(y.Shape[1:])
		for i := range rows * cols {
			putBits(dst, i, start)
		}
		if rows*cols*n > 0 {
			p.run(fr, dst, x, y, rows, n, cols)
			p.site.checkFinite(dst)
		}
		return unbox(dst)
	}
}

func (p *chainProduct) run(fr *frame, dst, x, y *array.Array, rows, n, cols int) {
	switch {
	case len(y.Shape) == 1 && n > num.Lanes:
		for i := range rows {
			fr.m.tick()
			p.inOrder(fr, dst, i, x, y, n)
		}
	case p.f.op != tail.OpFmaD || fr.m.env.Plain:
		p.byRows(fr, dst, x, y, rows, n, cols)
	case cols < laneCols:
		if cols > 1 {
			y = transposed(y, n, cols)
		}
		for i := range rows {
			fr.m.tick()
			for c := range cols {
				k := i*cols + c
				dst.Doubles[k] = fused(dst.Doubles[k], x.Doubles[i*n:(i+1)*n], y.Doubles[c*n:(c+1)*n])
			}
		}
	default:
		fusedRows(fr, dst.Doubles, x.Doubles, y.Doubles, rows, n, cols)
	}
}

// fused extends z by the products of the elements of x and y.
func fused(z float64, x, y []float64) float64 {
	y = y[:len(x)]
	for k := range x {
		z = math.FMA(x[k], y[k], z)
	}
	return z
}

// fusedRows extends the rows of z as a whole, term by term.
func fusedRows(fr *frame, z, x, y []float64, rows, n, cols int) {
	for i := range rows {
		fr.m.tick()
		zi, xi := z[i*cols:(i+1)*cols], x[i*n:(i+1)*n]
		for j, a := range xi {
			yj := y[j*cols : (j+1)*cols][:len(zi)]
			for c := range zi {
				zi[c] = math.FMA(a, yj[c], zi[c])
			}
		}
	}
}

// inOrder extends element i of the result, of a product with a vector, in the order
// of num.Ordered: the lanes are a row.
func (p *chainProduct) inOrder(fr *frame, dst *array.Array, i int, x, y *array.Array, n int) {
	if p.f.op == tail.OpFmaD && !fr.m.env.Plain {
		xi, yi := x.Doubles[i*n:(i+1)*n], y.Doubles[:n]
		step := func(acc float64, k int) float64 { return math.FMA(xi[k], yi[k], acc) }
		dst.Doubles[i] += num.Ordered(n, math.Copysign(0, -1), step, func(x, y float64) float64 { return x + y })
		return
	}
	lanes := array.New(array.Double, num.Lanes)
	p.f.begin(fr, num.Lanes)
	defer p.f.end()
	all := math.Copysign(0, -1)
	for from := 0; from < n; from += num.SuperBlock {
		super := math.Copysign(0, -1)
		for at := from; at < min(n, from+num.SuperBlock); at += num.Block {
			fillSlice(lanes.Doubles, math.Copysign(0, -1))
			end := min(n, at+num.Block)
			for k := at; k < end; k += num.Lanes {
				p.f.params[0].aim(x, i*n+k)
				p.f.params[1].aim(y, k)
				p.f.params[2].aim(lanes, 0)
				p.f.run(fr, lanes, 0, min(num.Lanes, end-k))
			}
			sum := lanes.Doubles[0]
			for _, z := range lanes.Doubles[1:] {
				sum += z
			}
			super += sum
		}
		all += super
	}
	dst.Doubles[i] += all
}

// byRows extends rows of the result by any function.
func (p *chainProduct) byRows(fr *frame, dst, x, y *array.Array, rows, n, cols int) {
	p.f.begin(fr, cols)
	for i := range rows {
		for c := 0; c < cols; c += blockSize {
			width := min(blockSize, cols-c)
			for j := range n {
				p.f.params[0].fill(elemBits(x, i*n+j), width)
				p.f.params[1].aim(y, j*cols+c)
				p.f.params[2].aim(dst, i*cols+c)
				p.f.run(fr, dst, i*cols+c, width)
			}
		}
	}
	p.f.end()
}
