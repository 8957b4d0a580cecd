package eval

import (
	"math"
	"time"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/internal/prng"
	"github.com/tailor-lang/tailor/tail"
)

// Ops that depend on the world outside: random numbers, clocks, arguments.

// world is what such ops remember.
type world struct {
	random *prng.Source
	start  time.Time
}

func newWorld() world {
	return world{prng.New(prng.DefaultSeed), time.Now()}
}

var worldOps = map[tail.Op]builtin{
	tail.OpDeal:      {run: deal},
	tail.OpSeed:      {run: seed},
	tail.OpGenerator: {run: generator},
	tail.OpStop:      {run: signal},
	tail.OpTimeStamp: {run: timeStamp},
	tail.OpClock:     {run: clock},
	tail.OpArgCount:  {run: argCount},
	tail.OpArgText:   {run: argText},
	tail.OpReceive:   {run: receive},
	tail.OpSend:      {run: send},
}

// receive copies the array of a place: what is computed may be written to.
func receive(s *site, a []*array.Array) *array.Array {
	t := s.Ty.(*tail.Array)
	if get := s.m.env.Received; get != nil {
		if found := get(int(a[0].Int(0))); found != nil {
			return copyArray(found)
		}
	}
	return array.New(t.Elem, make([]int, t.Dims())...)
}

func send(s *site, a []*array.Array) *array.Array {
	if put := s.m.env.Sent; put != nil {
		put(int(a[1].Int(0)), copyArray(a[0]))
	}
	return array.ScalarInt(a[1].Int(0))
}

func deal(s *site, a []*array.Array) *array.Array {
	x, y := a[0].Int(0), a[1].Int(0)
	switch {
	case y < 0:
		raise(s.Apply, tail.FaultOutOfDomain, float64(y))
	case x < 0 || x > y:
		raise(s.Apply, tail.FaultOutOfDomain, float64(x))
	}
	r := s.m.allocRaw(s.Apply, array.Int, int(min(x, math.MaxInt)))
	copy(r.Ints, s.m.world.random.Deal(x, y))
	return r
}

func seed(s *site, a []*array.Array) *array.Array {
	n := a[0].Int(0)
	s.m.world.random.Seed(n)
	return array.ScalarInt(n)
}

func generator(s *site, _ []*array.Array) *array.Array {
	return array.ScalarInt(s.m.world.random.State())
}

func timeStamp(_ *site, _ []*array.Array) *array.Array {
	t := time.Now()
	return intVector([]int{t.Year(), int(t.Month()), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond() / 1e6})
}

// clock is ⎕AI: user, compute time, connect time and keying time in
// milliseconds; we know how long the program has been running.
func clock(s *site, _ []*array.Array) *array.Array {
	ms := int(time.Since(s.m.world.start).Milliseconds())
	return intVector([]int{0, ms, ms, 0})
}

func argCount(s *site, _ []*array.Array) *array.Array {
	return array.ScalarInt(int64(len(s.m.env.Args)))
}

func argText(s *site, a []*array.Array) *array.Array {
	n := a[0].Int(0)
	if n < 1 || n > int64(len(s.m.env.Args)) {
		raise(s.Apply, tail.FaultIndex, n, len(s.m.env.Args), 1)
	}
	return array.VectorChar([]rune(s.m.env.Args[n-1]))
}

// signals are the general codes of the kinds of ours that Dyalog numbers.
var signals = map[int64]diag.Code{
	1: diag.NoMemory, 2: diag.Unreadable, 3: diag.WrongIndex, 4: diag.WrongRank, 5: diag.WrongLength, 6: diag.MissingValue, 10: diag.AtLimit, 11: diag.WrongDomain,
}

// signal ends the program, unless the number is 0.
func signal(s *site, a []*array.Array) *array.Array {
	n := a[1].Int(0)
	switch {
	case n == 0:
		return a[1]
	case n == -1:
		panic(stop{errOff})
	}
	text := string(a[0].Chars)
	if text == "" {
		text = "signalled by the program"
	}
	code, ok := signals[n]
	switch {
	case s.Code != 0:
		code = s.Code
	case !ok:
		code, text = diag.FileOrTool, "error "+tail.OperandText(n)+": "+text
	}
	panic(stop{&diag.Error{Code: code, Message: text, Span: s.Where, Operands: s.Operands, RunTime: true, Signalled: s.Code == 0}})
}
