package kernel

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/fcl/scalar"
	"github.com/tailor-lang/tailor/fcl/types"
)

// evaluate computes an int with values of variables.
func evaluate(e Expr, vars map[string]int64) (int64, bool) {
	switch e := e.(type) {
	case *Const:
		return e.Value.I, true
	case *Var:
		if e.Def != nil {
			return evaluate(e.Def, vars)
		}
		return vars[e.Name], true
	case *Op:
		args := make([]scalar.Scalar, len(e.Args))
		for i, a := range e.Args {
			v, ok := evaluate(a, vars)
			if !ok {
				return 0, false
			}
			args[i] = scalar.Int(v)
		}
		if e.Name == "not" {
			return 1 - args[0].I, true
		}
		v, err := scalar.Arithmetic(e.Name, args...)
		return v.I, err == nil
	}
	panic(fmt.Sprintf("expression %T", e))
}

// sample makes an index expression over n, which is a length, and indices of loops
// whose bounds are such expressions.
type sample struct {
	r    *rand.Rand
	vars []*Var
}

func newSample(seed uint64) *sample {
	s := &sample{r: rand.New(rand.NewPCG(seed, 3))}
	s.vars = append(s.vars, &Var{Name: "n1", ID: 1, Of: types.Int, Lo: Int(0), Hi: Int(1 << 30), Host: true})
	for i := 2; i < 5; i++ {
		v := &Var{Name: fmt.Sprint("i", i), ID: i, Of: types.Int, Lo: Int(0), Hi: Apply("-", s.expr(2), Int(1))}
		if s.r.IntN(4) == 0 {
			v = &Var{Name: fmt.Sprint("d", i), ID: i, Of: types.Int, Def: s.expr(2)}
		}
		s.vars = append(s.vars, v)
	}
	return s
}

func (s *sample) expr(depth int) Expr {
	if depth == 0 {
		if s.r.IntN(3) == 0 {
			return Int(int64(s.r.IntN(9)))
		}
		return s.vars[s.r.IntN(len(s.vars))]
	}
	op := []string{"+", "-", "*", "min", "max", "/", "%", "bitAnd"}[s.r.IntN(8)]
	a := s.expr(depth - 1)
	switch op {
	case "/", "%":
		return Apply(op, a, Int(int64(1+s.r.IntN(8))))
	case "bitAnd":
		return Apply(op, a, Int(int64(s.r.IntN(8))))
	}
	return Apply(op, a, s.expr(depth-1))
}

// values gives the variables values within their bounds; false where there are none.
func (s *sample) values() (map[string]int64, bool) {
	vars := map[string]int64{}
	for _, v := range s.vars {
		if v.Def != nil {
			continue
		}
		most, ok := evaluate(v.Hi, vars)
		if !ok || most < 0 {
			return nil, false
		}
		vars[v.Name] = s.r.Int64N(min(most, 40) + 1)
		if s.r.IntN(3) == 0 && v.Name != "n1" {
			vars[v.Name] = most
		}
	}
	return vars, true
}

// TestProofs holds what the prover claims of random index expressions against their
// values, and simplified quotients against C's.
func TestProofs(t *testing.T) {
	proved, byCondition := 0, 0
	for seed := range uint64(500) {
		s := newSample(seed)
		a, b := s.expr(2), s.expr(2)
		least, less := Least(a, b), Less(a, b)
		var quotient, rest Expr
		if c, ok := value(b); ok && c > 0 {
			quotient, rest = Apply("/", a, b), Apply("%", a, b)
		}
		bounded := HostBound(a)
		given := Apply([]string{"<", "<=", ">", ">=", "==", "!="}[seed%6], s.expr(1), s.expr(1))
		within := inside(a, b, []Expr{given})
		if seed%4 == 0 {
			within = inside(a, b, []Expr{Opposite(given)})
			given = Apply("not", given)
		}
		if least {
			proved++
		}
		if within && !inside(a, b, nil) {
			byCondition++
		}
		for range 20 {
			vars, ok := s.values()
			if !ok {
				continue
			}
			x, okX := evaluate(a, vars)
			y, okY := evaluate(b, vars)
			if !okX || !okY {
				continue
			}
			text := fmt.Sprintf("%d: %s, %s at %v", seed, Text1(a), Text1(b), vars)
			require.False(t, least && x > y, "%s: %d ≤ %d", text, x, y)
			require.False(t, less && x >= y, "%s: %d < %d", text, x, y)
			holds, okG := evaluate(given, vars)
			require.False(t, within && okG && holds != 0 && (x < 0 || x >= y), "%s: where %s", text, Text1(given))
			if quotient != nil {
				q, _ := evaluate(quotient, vars)
				r, _ := evaluate(rest, vars)
				require.Equal(t, [2]int64{x / y, x % y}, [2]int64{q, r}, text)
			}
			if bounded != nil {
				most, ok := evaluate(bounded, vars)
				require.False(t, ok && x > most, "%s: bound %s", text, Text1(bounded))
			}
		}
	}
	assert.Greater(t, proved, 50)
	assert.Greater(t, byCondition, 0)
}

// names for the tests of programs.
var (
	length = &Var{Name: "n", ID: 1, Of: types.Int, Lo: Int(0), Hi: Int(1 << 30), Host: true}
	input  = &Array{Name: "in", Elem: types.Int, Space: Global, Len: length, Object: &Object{Name: "in"}}
	output = &Array{Name: "out", Elem: types.Int, Space: Global, Len: length, Object: &Object{Name: "out"}}
)

func local(name string) *Array {
	return &Array{Name: name, Elem: types.Int, Space: Local, Len: Int(64), Object: &Object{Name: name}}
}

// copies makes the loop in which the work-items of a group copy 64 elements.
func copies(id int, from, to *Array) Stmt {
	i := &Var{Name: fmt.Sprint("i", id), ID: id, Of: types.Int, Lo: Int(0), Hi: Int(63)}
	return &Each{By: Items, Var: i, N: Int(64), Body: []Stmt{&Store{to, i, &Load{from, i}}}}
}

func placed(body ...Stmt) *Kernel {
	g := &Var{Name: "g", ID: 2, Of: types.Int, Lo: Int(0), Hi: length}
	k := &Kernel{Name: "k", N: length, Groups: true, Body: []Stmt{&Each{By: Groups, Var: g, N: length, Body: body}}}
	k.Place()
	return k
}

// TestBarriers counts barriers: between a write and a read of others, before memory is
// written again, and none where nothing meets.
func TestBarriers(t *testing.T) {
	a, b, c := local("a"), local("b"), local("c")
	k := placed(copies(3, input, output), copies(4, input, output))
	assert.Equal(t, 0, strings.Count(k.String(), "barrier"), k)

	k = placed(&Alloc{a}, copies(3, input, a), copies(4, a, output))
	assert.Equal(t, 1, strings.Count(k.String(), "barrier"), k)
	d := &Array{Name: "d", Elem: types.Int, Space: Scratch, Len: Int(9), Object: &Object{Name: "d"}}
	k = placed(&Alloc{a}, &Alloc{d}, copies(3, input, a), copies(4, a, d), copies(5, d, output))
	assert.Equal(t, 2, strings.Count(k.String(), "barrier"), "once before a is written again, by the next group's work: %s", k)

	k = placed(&Alloc{a}, &Alloc{b}, copies(3, input, a), copies(4, input, b), copies(5, a, output), copies(6, b, output))
	assert.Equal(t, 1, strings.Count(k.String(), "barrier"), "one barrier is for both arrays: %s", k)
	assert.Len(t, k.Fixed, 2)

	k = placed(&Alloc{a}, copies(3, input, a), &Alloc{b}, copies(4, a, b), &Alloc{c}, copies(5, b, c), copies(6, c, output))
	assert.Len(t, k.Fixed, 2, "a and c are not live together: %s", k)
	assert.Same(t, k.Objects[a.Object], k.Objects[c.Object])

	i := &Var{Name: "i9", ID: 9, Of: types.Int, Lo: Int(0), Hi: length}
	k = placed(&Alloc{a}, copies(3, input, a), &For{Var: i, From: Int(0), N: length, Body: []Stmt{&Alloc{b}, copies(4, a, b), copies(5, b, output)}})
	assert.Len(t, k.Fixed, 2, "a lives as long as the loop: %s", k)
}

// TestApart tells loops that may change an array in place.
func TestApart(t *testing.T) {
	a := local("a")
	i := &Var{Name: "i", ID: 3, Of: types.Int, Lo: Int(0), Hi: Apply("-", length, Int(1))}
	j := &Var{Name: "j", ID: 4, Of: types.Int, Lo: Int(0), Hi: Int(3)}
	at := func(by int64, rest Expr) Expr { return Apply("+", Apply("*", i, Int(by)), rest) }
	set := func(to, from Expr) Stmt { return &Store{a, to, &Load{a, from}} }
	loop := func(body ...Stmt) []Stmt { return []Stmt{&For{Var: i, N: length, From: Int(0), Body: body}} }
	inner := func(s Stmt) Stmt { return &For{Var: j, N: Int(4), From: Int(0), Body: []Stmt{s}} }
	assert.True(t, Apart(loop(set(i, i))))
	assert.True(t, Apart(loop(inner(set(at(4, j), at(4, j))))))
	assert.True(t, Apart(loop(set(at(2, Int(0)), at(2, Int(1))))))
	assert.False(t, Apart(loop(set(i, Apply("+", i, Int(1))))), "the next iteration's element")
	assert.False(t, Apart(loop(inner(set(at(3, j), at(3, j))))), "iterations share elements")
	assert.False(t, Apart(loop(inner(set(at(4, j), at(4, Apply("-", Int(3), j)))))), "an element is written before it is read")
	assert.False(t, Apart(loop(set(at(2, Int(0)), at(2, Int(1))), set(at(2, Int(1)), at(2, Int(0))))), "an element is written before it is read")
}

// TestOwn puts into registers what each work-item has for itself of a local array.
func TestOwn(t *testing.T) {
	items := func(n int64, body func(i, j *Var) Stmt) Stmt {
		i := &Var{Name: "i", ID: 3, Of: types.Int, Lo: Int(0), Hi: Int(n - 1)}
		j := &Var{Name: "j", ID: 4, Of: types.Int, Lo: Int(0), Hi: Int(3)}
		return &Each{By: Items, Var: i, N: Int(n), Body: []Stmt{&For{Var: j, From: Int(0), N: Int(4), Body: []Stmt{body(i, j)}}}}
	}
	text := func(read func(i, j *Var) Expr, n int64) string {
		a := local("a")
		fill := items(n, func(i, j *Var) Stmt { return &Store{a, Apply("+", Apply("*", i, Int(4)), j), j} })
		use := items(n, func(i, j *Var) Stmt {
			return &Store{output, Apply("+", Apply("*", i, Int(4)), j), &Load{a, read(i, j)}}
		})
		g := &Var{Name: "g", ID: 2, Of: types.Int, Lo: Int(0), Hi: length}
		k := &Kernel{Name: "k", N: length, Groups: true, Group: 16, Body: []Stmt{&Each{By: Groups, Var: g, N: length, Body: []Stmt{&Alloc{a}, fill, use}}}}
		k.Place()
		return k.String()
	}
	own := func(i, j *Var) Expr { return Apply("+", Apply("*", i, Int(4)), j) }
	kept := text(own, 16)
	assert.Contains(t, kept, "long a[4];")
	assert.Contains(t, kept, "= a[j];")
	assert.NotContains(t, kept, "barrier")
	assert.Contains(t, text(own, 17), "barrier", "a work-item has several iterations")
	assert.Contains(t, text(func(i, j *Var) Expr { return Apply("+", Apply("*", j, Int(4)), i) }, 16), "barrier", "elements of others")
}

// TestInts computes small places with ints, and what may be larger with 64 bits.
func TestInts(t *testing.T) {
	i := &Var{Name: "i", ID: 3, Of: types.Int, Lo: Int(0), Hi: Int(1 << 20)}
	small := &Var{Name: "s", ID: 4, Of: types.Int, Def: Apply("+", Apply("/", i, Int(16)), Int(3))}
	large := &Var{Name: "l", ID: 5, Of: types.Int, Def: Apply("*", i, Int(1<<20))}
	k := placed(&Decl{small, small.Def}, &Decl{large, large.Def}, &Store{output, Apply("*", small, Int(1<<20)), Apply("min", small, Int(9))}, &Store{output, large, large})
	assert.Contains(t, k.String(), "int s = (int)i / 16 + 3;")
	assert.Contains(t, k.String(), "long l = i * 1048576;")
	assert.Contains(t, k.String(), "out[(long)s * 1048576] = min((int)s, (int)9);")
}

// TestSweep removes what nothing needs: an array that nothing reads, with the loop that
// computes its elements.
func TestSweep(t *testing.T) {
	a, b := local("a"), local("b")
	r := &Var{Name: "r", ID: 3, Of: types.Int, Mutable: true}
	i := &Var{Name: "i", ID: 4, Of: types.Int, Lo: Int(0), Hi: length}
	sum := []Stmt{&Decl{Var: r, Init: Int(0)}, &For{Var: i, From: Int(0), N: length, Body: []Stmt{&Assign{r, Apply("+", r, &Load{input, i})}}}}
	stored := append(sum, &Store{a, Int(0), r})
	k := placed(append(append([]Stmt{&Alloc{a}, &Alloc{b}}, stored...), copies(5, a, b), copies(6, input, output))...)
	assert.Empty(t, append(k.Slots, k.Fixed...))
	assert.NotContains(t, k.String(), " r", k)
	k = placed(append(append([]Stmt{&Alloc{a}}, stored...), copies(6, a, output))...)
	assert.Contains(t, k.String(), "local0[0] = r;")
	k = placed(&Alloc{a}, &Store{a, Check(&Load{input, Int(0)}, length, 1), Int(0)}, copies(6, input, output))
	assert.Contains(t, k.String(), "fcl_check", "faults stay")
	joined := &Exchange{Op: "add", Array: a, Index: Int(0), Args: []Expr{Int(1)}, Old: &Var{Name: "old", ID: 7, Of: types.I32}}
	k = placed(&Alloc{a}, joined, copies(6, input, output))
	assert.NotContains(t, k.String(), "atomic")
	k = placed(&Alloc{a}, joined, copies(6, a, output))
	assert.Contains(t, k.String(), "atomic_add")
}

// TestUndecided tells loops whose ends the host knows from those whose ends each group finds.
func TestUndecided(t *testing.T) {
	a, group := local("a"), &Var{Name: "g", ID: 5, Of: types.Int}
	body := []Stmt{copies(6, input, a)}
	twice := &Var{Name: "t", ID: 7, Of: types.Int, Def: Apply("*", group, Int(2))}
	for want, all := range map[bool][]Stmt{
		false: {&For{N: length, Body: body}, &If{Cond: Apply("<", Int(3), length), Then: body}, &Loop{Body: []Stmt{&Store{output, group, group}}}},
		true:  {&For{N: twice, Body: body}, &For{N: &Load{input, Int(0)}, Body: body}, &If{Cond: Apply("<", group, length), Then: body}, &Loop{Body: body}},
	} {
		for _, s := range all {
			assert.Equal(t, want, (&Kernel{Body: []Stmt{s}}).Undecided(), "%T", s)
		}
	}
}

// TestPrinted holds the C text of expressions.
func TestPrinted(t *testing.T) {
	x, y := &Var{Name: "x", Of: types.Int}, &Var{Name: "y", Of: types.Int}
	f := &Var{Name: "f", Of: types.F32}
	b := &Var{Name: "b", Of: types.I8}
	for want, e := range map[string]Expr{
		"(long)((ulong)x + y)":           Apply("+", x, y),
		"n * 4 + 3":                      Apply("+", Apply("*", length, Int(4)), Int(3)),
		"(int)((uint)(n * 4) + (uint)3)": Apply("i32", Apply("+", Apply("*", length, Int(4)), Int(3))),
		"(int)((uint)x + (uint)y)":       Apply("i32", Apply("+", x, y)),
		"(int)(n * n)":                   Apply("i32", Apply("*", length, length)),
		"fcl_div_long(x, y, fault, 7)":   Divide("/", x, y, 7),
		"x / 3":                          Divide("/", x, Int(3), 7),
		"f * 0.5f":                       Apply("*", f, &Const{scalar.Number(types.F32, 0, 0.5)}),
		"fcl_min_float(f, f * f)":        Apply("min", f, Apply("*", f, f)),
		"(char)((uint)b + b)":            Apply("+", b, b),
		"convert_long_sat(f)":            Apply("int", f),
		"x < y && !(y == x)":             Apply("&&", Apply("<", x, y), Apply("not", Apply("==", y, x))),
		"(x < y) == (y < x)":             Apply("==", Apply("<", x, y), Apply("<", y, x)),
		"(long)((ulong)x << (y & 63))":   Apply("<<", x, y),
		"x >> 3":                         Apply(">>", x, Int(3)),
		"in[fcl_check(x, n, fault, 2)]":  &Load{input, Check(x, length, 2)},
		"(x & 7) + n":                    Apply("+", Apply("bitAnd", x, Int(7)), length),
	} {
		assert.Equal(t, want, Text1(e))
	}
}
