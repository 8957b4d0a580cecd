package fcl

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/fcl/eval"
	"github.com/tailor-lang/tailor/fcl/syntax"
	"github.com/tailor-lang/tailor/internal/diag"
)

// generator makes programs that are well typed by construction. Names are those of
// ints and pull arrays of ints in scope.
type generator struct {
	r      *rand.Rand
	ints   []string
	arrays []string
	names  int
}

func (g *generator) pick(all ...string) string { return all[g.r.IntN(len(all))] }

func (g *generator) fresh(prefix string) string {
	g.names++
	return fmt.Sprint(prefix, g.names)
}

// with makes something with another int, or array, in scope.
func (g *generator) with(ints, arrays string, f func() string) string {
	n, m := len(g.ints), len(g.arrays)
	if ints != "" {
		g.ints = append(g.ints, ints)
	}
	if arrays != "" {
		g.arrays = append(g.arrays, arrays)
	}
	text := f()
	g.ints, g.arrays = g.ints[:n], g.arrays[:m]
	return text
}

// int makes an expression of an int.
func (g *generator) int(depth int) string {
	if depth <= 0 {
		return g.pick(append([]string{"0", "1", "2", "7", "(-3)"}, g.ints...)...)
	}
	a, b := func() string { return g.int(depth - 1) }, func() string { return g.int(depth - 1) }
	switch g.r.IntN(11) {
	case 0, 1:
		return fmt.Sprintf("(%s %s %s)", a(), g.pick("+", "-", "*"), b())
	case 8:
		return fmt.Sprintf(g.pick("(int (i8 %s))", "(int (i16 %s))", "(int (i32 %s))", "(int (double %s / 2.0))", "(int (floor (0.75 * float (i16 %s))))", "(int (%s > 2))"), a())
	case 2:
		return fmt.Sprintf("(%s %s (1 + bitAnd %s 7))", a(), g.pick("/", "%"), b())
	case 3:
		return fmt.Sprintf("(%s %s %s)", g.pick("min", "max", "bitXor", "bitOr"), a(), b())
	case 4:
		return fmt.Sprintf("(if %s then %s else %s)", g.bool(depth-1), a(), b())
	case 5:
		x := g.fresh("x")
		value := a()
		return fmt.Sprintf("(let %s = %s in %s)", x, value, g.with(x, "", func() string { return g.int(depth - 1) }))
	case 6:
		return fmt.Sprintf("(length %s)", g.array(depth-1))
	case 7:
		return fmt.Sprintf("(snd (%s, %s))", a(), b())
	case 9:
		return g.loop(depth)
	}
	arr, name := g.array(depth-1), g.fresh("a")
	return fmt.Sprintf("(let %[1]s = %[2]s in if length %[1]s == 0 then %[3]s else index %[1]s (bitAnd %[4]s 65535 %% length %[1]s))", name, arr, a(), b())
}

// loop makes a value that a loop changes.
func (g *generator) loop(depth int) string {
	x, y := g.fresh("x"), g.fresh("x")
	body := func() string { return g.int(depth - 1) }
	step := func() string { return fmt.Sprintf("(%s, %s)", body(), body()) }
	first := step()
	both := func(f func() string) string {
		return g.with(x, "", func() string { return g.with(y, "", f) })
	}
	if g.r.IntN(2) == 0 {
		k := g.fresh("k")
		changed := both(func() string { return g.with(k, "", step) })
		return fmt.Sprintf("(fst (loop %s (fn %s => fn (%s, %s) => %s) %s))", g.pick("0", "1", "3"), k, x, y, changed, first)
	}
	return fmt.Sprintf("(fst (snd (until (fn (k, (%[1]s, %[2]s)) => k > 3 || %[3]s) (fn (k, (%[1]s, %[2]s)) => (k + 1, %[4]s)) (0, %[5]s))))",
		x, y, both(func() string { return g.bool(depth - 1) }), both(step), first)
}

func (g *generator) bool(depth int) string {
	if depth <= 0 {
		return g.pick("true", "false")
	}
	switch g.r.IntN(3) {
	case 0:
		return fmt.Sprintf("(%s %s %s)", g.bool(depth-1), g.pick("&&", "||"), g.bool(depth-1))
	case 1:
		return fmt.Sprintf("(! %s)", g.bool(depth-1))
	}
	return fmt.Sprintf("(%s %s %s)", g.int(depth-1), g.pick("<", "<=", "==", "!=", ">"), g.int(depth-1))
}

// size makes a small length.
func (g *generator) size(depth int) string {
	if g.r.IntN(2) == 0 {
		return g.pick("0", "1", "3", "5", "8")
	}
	return fmt.Sprintf("(bitAnd %s 7)", g.int(depth-1))
}

// function makes a function of ints.
func (g *generator) function(depth, arity int) string {
	x := g.fresh("x")
	return fmt.Sprintf("(fn %s => %s)", x, g.with(x, "", func() string {
		if arity > 1 {
			return g.function(depth, arity-1)
		}
		return g.int(depth - 1)
	}))
}

// array makes a pull array of ints.
func (g *generator) array(depth int) string {
	if depth <= 0 {
		if len(g.arrays) == 0 {
			return "(iota 3)"
		}
		return g.pick(g.arrays...)
	}
	switch g.r.IntN(8) {
	case 6:
		x := g.fresh("a")
		return fmt.Sprintf("(let %s = %s in elements (%s (matrix (length %s / 2, 2) %s)))", x, g.array(depth-1),
			g.pick("transpose2", "window2 (1, 0) (2, 2)", "zipWith2 (+) (generate2 (2, 3) (fn (y, x) => y - x))"), x, x)
	case 7:
		x, f := g.fresh("a"), g.function(depth, 1)
		return fmt.Sprintf("(let %s = %s in map (fn (x, y) => x - y) (zip (map %s %s) (reverse %s)))", x, g.array(depth-1), f, x, x)
	case 0:
		return fmt.Sprintf("(generate %s %s)", g.size(depth), g.function(depth, 1))
	case 1:
		return fmt.Sprintf("(map %s %s)", g.function(depth, 1), g.array(depth-1))
	case 2:
		return fmt.Sprintf("(%s %s)", g.pick("reverse", "drop 1", "take 2", "id"), g.array(depth-1))
	case 3:
		return fmt.Sprintf("(zipWith %s %s %s)", g.function(depth, 2), g.array(depth-1), g.array(depth-1))
	case 4:
		return fmt.Sprintf("(append %s %s)", g.array(depth-1), g.array(depth-1))
	}
	return g.array(depth - 1)
}

// program makes an expression of Program<l> [int]<l>.
func (g *generator) program(level string, depth int) string {
	if depth <= 0 {
		return fmt.Sprintf("(return<%s> (push<%s> %s))", level, level, g.array(1))
	}
	below := map[string]string{"grid": "block", "block": g.pick("thread", "thread", "warp")}[level]
	switch k := g.r.IntN(15); {
	case k == 8:
		return g.tandem(level, depth)
	case k == 11: // two programs, of which one runs
		n := g.pick("0", "1", "3", "")
		if n == "" {
			return fmt.Sprintf("(choose<%s> %s %s %s)", level, g.bool(2), g.program(level, depth-1), g.program(level, depth-1))
		}
		return fmt.Sprintf("(choose<%[1]s> %[2]s (resize<%[1]s> %[3]s %[4]s) (resize<%[1]s> %[3]s %[5]s))", level, g.bool(2), n, g.program(level, depth-1), g.program(level, depth-1))
	case k == 12: // elements that join numbers
		x, a, f := g.fresh("a"), g.fresh("a"), g.function(2, 1)
		return fmt.Sprintf("do<%[1]s> { p%[2]s <- %[3]s; %[2]s <- force<%[1]s> p%[2]s; %[4]s <- accumulate<%[1]s> %[5]s (i32 %[6]s) %[7]s (push<%[1]s> (map (fn x => (x > 1, bitAnd (%[8]s x) 1, i32 x)) %[2]s)); return<%[1]s> (push<%[1]s> (map int %[4]s)) }",
			level, x, g.program(level, depth-1), a, g.pick("(+)", "min", "max", "bitXor", "bitAnd"), g.pick("0", "1", "(-1)"), g.pick("2", "3", "5"), f)
	case k == 13: // elements that say where they go
		x := g.fresh("a")
		return fmt.Sprintf("do<%[1]s> { p%[2]s <- %[3]s; %[2]s <- force<%[1]s> p%[2]s; let n%[2]s = length %[2]s; return<%[1]s> (place<%[1]s> n%[2]s (push<%[1]s> (generate (2 * n%[2]s) (fn i => (i %% 2 == %[4]s, n%[2]s - 1 - i / 2, index %[2]s (i / 2)))))) }",
			level, x, g.program(level, depth-1), g.pick("0", "1"))
	case k == 14 && below != "" && depth > 1: // programs of several lengths
		x := g.fresh("at")
		each := g.with(x, "", func() string { return g.program(below, depth-2) })
		return fmt.Sprintf("(assemble<%[1]s> 6 (fn (i, j) => i * (i + 1) / 2 + j) (generate 3 (fn %[2]s => resize<%[1]s> (%[2]s + 1) %[3]s)))", below, x, each)
	case k == 9:
		x, step := g.fresh("a"), g.function(2, 2)
		return fmt.Sprintf("do<%s> { %s <- poweri<%s> %s (fn i => fn a => return<%s> (push<%s> (map (%s i) (reverse a)))) %s; return<%s> (push<%s> %s) }",
			level, x, level, g.pick("0", "1", "2"), level, level, step, g.program(level, depth-1), level, level, x)
	case k == 10:
		x, n := g.fresh("at"), g.pick("1", "2", "3")
		each := g.with(x, "", func() string { return g.program(level, min(depth-1, 1)) })
		return fmt.Sprintf("(interleaveSeq<%s> %s (fn (i, j) => i * %s + j) (generate %s (fn %s => resize<%s> %s %s)))", level, n, n, g.size(1), x, level, n, each)
	case k <= 1:
		x := g.fresh("a")
		p := g.program(level, depth-1)
		rest := g.with("", x, func() string { return g.program(level, depth-1) })
		return fmt.Sprintf("do<%s> { p%s <- %s; %s <- force<%s> p%s; %s }", level, x, p, x, level, x, rest)
	case k == 2:
		return fmt.Sprintf("(mapProgram<%s> %s %s)", level, g.function(2, 1), g.program(level, depth-1))
	case k == 3:
		x, step := g.fresh("a"), g.function(2, 1)
		return fmt.Sprintf("do<%s> { %s <- power<%s> %s (fn a => return<%s> (push<%s> (map %s a))) %s; return<%s> (push<%s> %s) }",
			level, x, level, g.pick("0", "1", "3"), level, level, step, g.program(level, depth-1), level, level, x)
	case k == 4:
		x := g.fresh("a")
		cond, step := "length a > 2", "zipWith (+) (drop 1 a) a"
		if g.r.IntN(2) == 0 {
			cond, step = "length a > 0 && index a 0 < 9", "map (fn x => max x 0 + 3) (reverse a)"
		}
		return fmt.Sprintf("do<%s> { %s <- while<%s> (fn a => %s) (fn a => return<%s> (push<%s> (%s))) %s; return<%s> (push<%s> %s) }",
			level, x, level, cond, level, level, step, g.program(level, depth-1), level, level, x)
	case level == "warp":
		return g.program(level, 0)
	case level == "thread":
		x, f := g.fresh("a"), g.function(3, 2)
		return fmt.Sprintf(g.pick("(let %[3]s = %[2]s in return<thread> (scanl %[1]s %[4]s %[3]s))",
			"(let %[3]s = %[2]s in return<thread> (seqfor (length %[3]s) (length %[3]s) (fn read => fn i => (i, %[1]s (if i == 0 then %[4]s else read (i - 1)) (index %[3]s i)))))",
			"(let %[3]s = %[2]s in return<thread> (seqforInit (push<thread> (append %[3]s (iota 3))) 5 (fn read => fn i => (i %% 3, %[1]s (read (i %% 2)) %[4]s))))",
			"(let %[3]s = %[2]s in return<thread> (seqmap (push<thread> (iota 3)) (length %[3]s) (fn read => fn i => (i %% 3, %[1]s (read (i %% 2)) (index %[3]s i), read 1))))"), f, g.array(1), x, g.int(1))
	}
	x, n := g.fresh("at"), g.pick("1", "2", "3")
	each := g.with(x, "", func() string { return g.program(below, depth-1) })
	return fmt.Sprintf("(concat<%s> %s (generate %s (fn %s => resize<%s> %s %s)))", below, n, g.size(1), x, below, n, each)
}

// tandem makes a program that stores two or three arrays of one length, some of pairs.
func (g *generator) tandem(level string, depth int) string {
	x, a, b := g.fresh("a"), g.fresh("a"), g.fresh("a")
	first, second, last := g.function(2, 1), g.function(2, 1), g.function(2, 2)
	pairs := g.pick("map fst", "map snd")
	return fmt.Sprintf("do<%[1]s> { p%[2]s <- %[3]s; %[2]s <- force<%[1]s> p%[2]s; %[4]s <- force<%[1]s> (push<%[1]s> (map (fn x => (x, %[5]s x)) %[2]s)); %[6]s <- force<%[1]s> (push<%[1]s> (map %[7]s %[8]s)); return<%[1]s> (push<%[1]s> (zipWith %[9]s (%[10]s %[4]s) (reverse %[6]s))) }",
		level, x, g.program(level, depth-1), a, first, b, second, g.pick(x, "(reverse "+x+")", "(drop 1 "+x+")"), last, pairs)
}

// prelude has what the programs use: resize gives an array a length.
const generated = `
fun id x = x
fun mapProgram<l> f p = do<l> { x <- p; return (mapPush f x) }
fun resize<l> n p =
  do<l> { x <- p; a <- force<l> x; return<l> (push<l> (generate n (fn i => if i < length a then index a i else i))) }
fun main n arr = `

func (g *generator) main() string {
	g.ints, g.arrays = []string{"n"}, []string{"arr"}
	return generated + g.program("grid", 3) + "\n"
}

// generatedRun makes a program, and runs it on data.
func generatedRun(t testing.TB, seed uint64) (text string, p *Program, args []Data, v eval.Value, err error) {
	g := &generator{r: rand.New(rand.NewPCG(seed, 19))}
	text = g.main()
	p, err = Load(diag.NewSource("", text))
	if err != nil {
		require.FailNow(t, text, err.(*diag.Error).Render())
	}
	for _, d := range []string{fmt.Sprint(g.r.IntN(9)), g.pick("[]", "[5]", "[3, 1, 4, 1, 5, 9, 2, 6]")} {
		a, err := ReadData(d)
		require.NoError(t, err)
		if d == "[]" {
			a.Loose = true
		}
		args = append(args, a)
	}
	v, _, err = p.Run(args, DefaultParams)
	return text, p, args, v, err
}

// TestSoundness runs generated programs: they have a type, and get to a value or a
// fault (proposition 11). Printed and read again they give the same.
func TestSoundness(t *testing.T) {
	n := 300
	if testing.Short() {
		n = 30
	}
	n = max(n, 20*many())
	faults := 0
	for seed := range uint64(n) {
		text, p, args, v, err := generatedRun(t, seed)
		q, again := Load(diag.NewSource("", syntax.Print(p.Tree)))
		require.NoError(t, again, text)
		w, _, other := q.Run(args, DefaultParams)
		if err != nil {
			faults++
			var e *diag.Error
			require.ErrorAs(t, err, &e, text)
			require.ErrorAs(t, other, &e, text)
			continue
		}
		require.NoError(t, other, text)
		assert.Equal(t, eval.Text(v), eval.Text(w), text)
		assert.IsType(t, &eval.Pull{}, v, text)
	}
	assert.Less(t, faults, n/4, "most programs run")
}
