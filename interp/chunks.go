package interp

import (
	"time"

	"github.com/tailor-lang/tailor/internal/progress"
	"github.com/tailor-lang/tailor/interp/value"
)

// f¨ of many items by a dfn is compiled as a whole for the types of the arrays, and
// called for chunks of items: so that what a compiler in the background makes is used
// as soon as it is there, and that items are interpreted from where compiled code had
// no answer.

const (
	// fewItems is the number of items that are always interpreted first.
	fewItems = 32
	// chunkTime is the time that chunks grow to.
	chunkTime = 10 * time.Millisecond
	mostItems = 1 << 22
)

// overItems calls a function for each of n items, x and y being arrays whose items are
// taken in steps of sx and sy, which are 0 for an array that is taken as one item.
func (in *Interp) overItems(fn Function, shape []int, n int, x, y *V, sx, sy int) (*V, error) {
	call := func(i int) (*V, error) {
		if x == nil {
			return fn.Call(in, nil, y.Item(i))
		}
		return fn.Call(in, x.Item(i*sx), y.Item(i*sy))
	}
	shown := in.env.Progress.Begin(0, n)
	defer shown.End()
	c, ok := fn.(*closure)
	if in.compiler == nil || !ok || n <= fewItems && !in.env.Eager || y.Kind == value.Mixed || x != nil && x.Kind == value.Mixed {
		g := &gathering{items: value.NewBuilder(n), call: call, shown: shown}
		return g.finish(shape, n, 0)
	}
	g := &gathering{items: value.NewBuilder(n), call: call, shown: shown}
	first := min(fewItems, n)
	if in.env.Eager {
		first = 0
	}
	start := time.Now()
	if err := g.interpret(0, first); err != nil {
		return nil, err
	}
	spent := time.Since(start)
	if spent/time.Duration(max(first, 1))*time.Duration(n) < hotTime/4 && !in.env.Eager {
		return g.finish(shape, n, first)
	}
	return in.inChunks(g, c, shape, n, first, x, y, sx, sy)
}

// gathering collects the results for items.
type gathering struct {
	items *value.Builder
	call  func(i int) (*V, error)
	none  int // results that are missing
	shown *progress.Loop
}

// interpret calls the function for items from…to-1.
func (g *gathering) interpret(from, to int) error {
	for i := from; i < to; i++ {
		g.shown.At(i)
		r, err := g.call(i)
		if err != nil {
			return err
		}
		if r == nil {
			g.none++
			continue
		}
		g.items.Add(r)
	}
	return nil
}

// finish interprets the items from a place on and returns the array of all results.
func (g *gathering) finish(shape []int, n, from int) (*V, error) {
	if err := g.interpret(from, n); err != nil {
		return nil, err
	}
	return g.array(shape, n)
}

// inChunks goes on with the items from a place on by compiled code.
func (in *Interp) inChunks(g *gathering, c *closure, shape []int, n, from int, x, y *V, sx, sy int) (*V, error) {
	p := in.profile(c, "¨")
	size, faults := 256, 0
	for from < n {
		to := min(from+size, n)
		g.shown.At(from)
		px, py := chunk(x, sx, from, to), chunk(y, sy, from, to)
		v := in.version(p, c, "¨", px, py)
		if v == nil || v.f == nil || faults >= maxFaults {
			return g.finish(shape, n, from)
		}
		if in.poll() {
			return nil, ErrInterrupted
		}
		start := time.Now()
		r, ok := v.f.Call(px, py)
		if !ok || r.Len() != to-from {
			faults++
			if err := g.interpret(from, to); err != nil {
				return nil, err
			}
		} else {
			g.items.AddAll(r)
			if time.Since(start) < chunkTime && size < mostItems {
				size *= 4
			}
		}
		from = to
	}
	in.shy = false
	return g.array(shape, n)
}

// chunk returns items from…to-1 of an array as a vector, or the array itself as an item
// that is the same for all.
func chunk(a *V, step, from, to int) *V {
	switch {
	case a == nil:
		return nil
	case step == 0:
		return a.Item(0)
	}
	return a.Part(from, to, []int{to - from})
}

// array returns the array of all results; none if no call gave one.
func (g *gathering) array(shape []int, n int) (*V, error) {
	switch g.none {
	case 0:
		return g.items.Array(shape), nil
	case n:
		return nil, nil
	}
	return nil, noResult()
}
