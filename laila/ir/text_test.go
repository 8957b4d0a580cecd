package ir

import (
	"fmt"
	"math"
	"math/rand"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/tail"
)

// every is a program with each statement and each form of expressions.
const every = `digits 17
tolerance 1e-13
const c: f64 = {1.0, -0.5, NaN, -Inf}
const c_2: u8 = {1, 0}
const c_3: i64 = {}
entry fun rec f(owned a: f64[n, m], k: i64) → (r: f64[d], flag: u8)
  ⍝ a line of the source ⍝ with a comment
  var x: f64
  x = -(1.0) + abs (a[k] - 1e+100)
  x = -1.0
  var t: u8 = (k <= -3) & !(x == c[0])
  flag = t ? 1u8 : c_2[k]
  k, overflow flag = k * 2
  d = (n quo 2) rem (m << 1)
  alloc r: f64[d * 2] zeroed shaped [d, 2]
  stack s: i16[4] zeroed
  null e: c32
  alias v = a
  copy r[0] = a[k], d elements
  s[k] = i16(~k)
  swap r, a
  if t
    fail INDEX ERROR: index {0} is outside 1…{1} on axis {2} where k, [n, m], "text"
  else
    loop
      break if k > 3
      (y: f64[p], z: i64) = f(a from k: f64[n, 1], k: i64)
      free y
  for i = 0 … n; independent
    r[i] = tl_fma(x, sqrt x, floor(x)) + tl_rez(tl_z:c64(x, 0.0))
  filter i_2 = 0 … d
    var w: f64 = r[i_2]
  where w > 0.0
    var q: f64 = w min x
  keep r[k < n] = q
  tile acc: r[0; d] with l: a[k], h: a[0], 7 terms; 0.0 where t
    var g: f64 = l * h
    acc = acc + g
  return
fun main() → ()
  (u: c8[o]) = run-time format[5](s: i16[4], 1c8, "a \"text\"")
  move e = u
  var bad: u8 = 0u8
  segmap i_3 = 0 … o; i_4: i32 = 0i32 … 7i32; flags bad; each 3; even
    bad = bad | 1u8
  segred i_5 = 0 … 9; tally
    pre
      var sum: i64 = 0
    red i_6 = 0 … i_5
      sum = sum + i_6
    join sum: b b_2 → b + b_2 neutral 0 exact
    post
      s[i_5] = i16(sum)
`

// TestText reads and writes a program with all there is.
func TestText(t *testing.T) {
	p, err := Parse(every)
	require.NoError(t, err)
	require.Equal(t, every, p.Text())
	require.Equal(t, 17, p.PP)
	require.Equal(t, "f", p.Entry.Name)
	require.True(t, p.Entry.Recursive)
	require.Equal(t, "main", p.Main.Name)
	floats := p.Consts[0].Floats
	require.True(t, math.IsNaN(floats[2]) && math.IsInf(floats[3], -1))
	fault := p.Entry.Body[15].(*If).Then[0].(*Fail)
	require.Equal(t, tail.FaultIndex, fault.Fault)
	require.Len(t, fault.Args, 3)
	nest := p.Main.Body[3].(*Nest)
	require.Equal(t, int64(3), nest.Each)
	require.True(t, nest.Even)
	require.Equal(t, I32, nest.Dims[1].Var.Kind)
}

// TestTextErrors says where texts are wrong.
func TestTextErrors(t *testing.T) {
	for _, c := range []struct{ body, wrong string }{
		{"x = 1", "line 2: there is no variable x"},
		{"var x: i7", `line 2: a kind is expected before "i7"`},
		{"var x: i64 = 1 + )", `a name is expected before ")"`},
		{"var x: i8 = 300i8", "300 is no integer of kind i8"},
		{"var for: i64", "a name is expected"},
		{"var x: i64\n  var x: f64", "line 3: x has kind i64"},
		{"var x: i64 = 1 2", `the end of the line is expected before "2"`},
		{"loop\n      return", "line 3: a statement that is indented too far"},
		{"loop\n   return", "an odd number of spaces"},
		{"else", "line 2: a statement outside of the functions"},
		{"fail NO ERROR: at all", "no such fault"},
		{"segmap; odd", "is no attribute of a nest"},
		{"segred\n    pre\n    post", "a line with red is expected"},
		{"() = g()", "there is no function g"},
		{"var x: i64\n  x, overflow x = 1", "no operation whose overflow can be seen"},
		{"var x: i64 = " + strings.Repeat("(", 6000), "expressions are nested too deeply"},
		{"var x: i64 = " + strings.Repeat("!", 6000), "expressions are nested too deeply"},
	} {
		_, err := Parse("fun main() → ()\n  " + c.body + "\n")
		require.ErrorContains(t, err, c.wrong, c.body)
	}
	_, err := Parse("")
	require.ErrorContains(t, err, "there is no function")
}

// sameText reports what a text is after it was read and written.
func sameText(t *testing.T, text string) {
	t.Helper()
	p, err := Parse(text)
	require.NoError(t, err, text)
	require.Equal(t, text, p.Text())
}

// TestTextOfRandomNests writes, reads and writes random programs.
func TestTextOfRandomNests(t *testing.T) {
	for seed := range int64(300) {
		g := &randomNests{Rand: rand.New(rand.NewSource(seed))}
		g.buf = &Buf{Name: "a", Elem: F64}
		main := &Func{Name: "main", Body: append([]Stmt{&DeclBuf{Buf: g.buf, Count: Integer(9), Shape: []Expr{Integer(9)}}}, g.block(3)...)}
		sameText(t, (&Program{PP: 10, Main: main}).Text())
	}
}

// randomNests makes blocks of statements that need not mean anything.
type randomNests struct {
	*rand.Rand
	buf  *Buf
	vars []*Var
}

func (g *randomNests) fresh(k Kind) *Var {
	v := &Var{Name: string("ijkxyz"[g.Intn(6)]), Kind: k}
	g.vars = append(g.vars, v)
	return v
}

func (g *randomNests) kind() Kind { return U8 + Kind(g.Intn(int(C8-U8)+1)) }

func (g *randomNests) block(depth int) []Stmt {
	var out []Stmt
	for range g.Intn(4) {
		out = append(out, g.stmt(depth))
	}
	return out
}

func (g *randomNests) dims() []Dim {
	var out []Dim
	for range g.Intn(3) {
		lo, hi := g.expr(2), g.expr(2)
		out = append(out, Dim{g.fresh(g.kind()), lo, hi})
	}
	return out
}

func (g *randomNests) stmt(depth int) Stmt {
	if depth == 0 {
		return g.fresh(g.kind()).Decl(nil)
	}
	switch g.Intn(9) {
	case 0:
		x := g.expr(4)
		return g.fresh(g.kind()).Decl(x)
	case 1:
		return g.buf.Store(g.expr(2), g.expr(4))
	case 2:
		return &Loop{g.block(depth - 1)}
	case 3:
		return &BreakIf{g.expr(3)}
	case 4:
		return &If{g.expr(3), g.block(depth - 1), g.block(depth - 1)}
	case 5:
		return &Comment{Text: fmt.Sprint("⍝ ", g.Intn(9), "  ")}
	case 6:
		lo, hi := g.expr(2), g.expr(2)
		return &For{Var: g.fresh(g.kind()), Lo: lo, Hi: hi, Body: g.block(depth - 1), Independent: g.Intn(2) == 0, Terms: g.Intn(2) == 0}
	}
	return g.nest(depth)
}

func (g *randomNests) nest(depth int) Stmt {
	n := &Nest{Kind: SegMap + NestKind(g.Intn(4)), Dims: g.dims(), Each: int64(g.Intn(2)), Tally: g.Intn(2) == 0, Lookup: int64(g.Intn(2)), Even: g.Intn(2) == 0, Split: int64(g.Intn(2))}
	long := g.Intn(2) == 0
	var accs []*Var
	if long {
		n.Pre = g.block(depth - 1)
		for range g.Intn(3) {
			accs = append(accs, g.fresh(g.kind()))
			n.Pre = append(n.Pre, accs[len(accs)-1].Decl(nil))
		}
		n.Red = g.dims()
	}
	n.Body = g.block(depth - 1)
	if long {
		for _, v := range accs {
			a := Acc{Var: v, Left: g.fresh(v.Kind), Right: g.fresh(g.kind()), Exact: g.Intn(2) == 0}
			if a.Combine = g.expr(3); g.Intn(2) == 0 {
				a.Neutral = g.expr(2)
			}
			n.Accs = append(n.Accs, a)
		}
		n.Post = g.block(depth - 1)
	}
	return n
}

// floats are doubles whose texts might be mistaken.
var floats = []float64{0, math.Copysign(0, -1), 1, -3, 0.1, 1e21, 1e-7, math.MaxFloat64, math.SmallestNonzeroFloat64, math.Inf(1), math.Inf(-1), math.NaN()}

// expr returns an expression whose operands need not fit together.
func (g *randomNests) expr(depth int) Expr {
	if depth > 0 {
		switch g.Intn(7) {
		case 0:
			return g.buf.Load(g.expr(depth - 1))
		case 1:
			return (OpNeg + UnOp(g.Intn(int(OpBitNot)))).Of(g.expr(depth - 1))
		case 2, 3:
			return (OpAdd + BinOp(g.Intn(int(OpNe)))).Of(g.expr(depth-1), g.expr(depth-1))
		case 4:
			return &Select{g.expr(depth - 1), g.expr(depth - 1), g.expr(depth - 1)}
		case 5:
			return &Convert{g.kind(), g.expr(depth - 1)}
		case 6:
			return &Math{"tl_fn", g.kind(), []Expr{g.expr(depth - 1), g.expr(depth - 1)}}
		}
	}
	switch {
	case g.Intn(2) == 0 && len(g.vars) > 0:
		return g.vars[g.Intn(len(g.vars))].Use()
	case g.Intn(2) == 0:
		return &Float{floats[g.Intn(len(floats))]}
	}
	for {
		if k := g.kind(); k.Exact() {
			a, b := g.Int63()>>g.Intn(63), g.Int63()>>g.Intn(63)
			return &Int{wrapTo(k, a-b), k}
		}
	}
}

// FuzzText says that what is read of any text is what is written of it.
func FuzzText(f *testing.F) {
	f.Add(every)
	f.Fuzz(func(t *testing.T, text string) {
		p, err := Parse(text)
		if err == nil {
			sameText(t, p.Text())
		}
	})
}
