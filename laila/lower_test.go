package laila_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/infer"
	"github.com/tailor-lang/tailor/internal/cputime"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/laila"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/lowertest"
	"github.com/tailor-lang/tailor/laila/pass"
	"github.com/tailor-lang/tailor/tail/opt"
)

// TestFusion says how many nests, sequential loops and allocations programs
// come to.
func TestFusion(t *testing.T) {
	cases := []struct {
		source string
		want   ir.Stats
	}{
		{"+/2×⍳1000", ir.Stats{Nests: 1}},
		{"x←3×⍳1000\n+/x×x", ir.Stats{Nests: 1}},                           // x is used twice, in one nest
		{"⌈/⌽1↓1000⍴⍳500", ir.Stats{Nests: 1}},                             // places modulo 500
		{"⍉2 3⍴⍳6", ir.Stats{Nests: 1}},                                    // small arrays are on the stack
		{"+/0,⍳1000", ir.Stats{Nests: 2}},                                  // one nest a piece
		{"x←+\\⍳1000\n(+/x)+⌈/x", ir.Stats{Nests: 1, Loops: 1, Allocs: 1}}, // two reductions in one pass
		{"v←0,⍳1000\n+/1↓v-¯1⌽v", ir.Stats{Nests: 2}},                      // differences that cannot overflow stay delayed
		{"({1⌽⍵}⍣10)⍳1000", ir.Stats{Nests: 3, Loops: 1, Allocs: 2}},
	}
	for _, c := range cases {
		p := lowertest.Loops(t, c.source)
		require.Equal(t, c.want, p.Stats(), "%s\n%s", c.source, p)
	}
}

// TestNoTests says what must not be left in loops.
func TestNoTests(t *testing.T) {
	absent := func(source string, texts ...string) {
		t.Helper()
		p := lowertest.Loops(t, source).String()
		for _, text := range texts {
			require.NotContains(t, p, text, source)
		}
	}
	absent("⌊(⍳1000)÷7", "f64")                       // quotients of integers
	absent("+/7|¯50+⍳100", "?")                       // remainders of what can be negative
	absent("+⌿0=(⍳99)∘.|⍳99", "i64(i32")              // a test of divisibility needs no remainder
	absent("+/⍳1000000", "overflow")                  // the sum is known to fit
	absent("+/1⌽⍳1000", "rem", "if")                  // rotation splits the index set
	absent("x←⍳100\nx[1+⍳10]", "fail")                // indices are in range
	absent("(⍳10)∘.+⍳10", "overflow")                 // ranges of iotas
	absent("+/(⍳100)÷1+⍳100", "fail")                 // the divisor is not zero
	absent("b←10 10⍴1=⍳100\n+/+/(1⌽b)+¯1⌽b", "i64(b") // narrow sums
}

// TestFirst says that searches for a first element store neither the elements
// nor tests of them, and call no library.
func TestFirst(t *testing.T) {
	for _, source := range []string{
		"m←⍉300 16⍴÷⍳4800\n+/1++/∧\\m≠⍉300 16⍴⌊⌿m",
		"{⍵⍳⌊/⍵}⍤1⊢300 16⍴÷⍳4800", "{⊃⍋⍵}⍤1⊢300 16⍴÷⍳4800", "⊃⍸500<⌊(⍳1000)×3÷2", "(⍳1000)⍳777",
	} {
		p := lowertest.Loops(t, source).String()
		require.NotContains(t, p, "run-time indexof", source)
		require.NotContains(t, p, "run-time grade", source)
		require.NotContains(t, p, "u8[", source)
	}
}

// TestOrder says that a vector indexed by its own grade is not looked up.
func TestOrder(t *testing.T) {
	lower := func(source string) string {
		tree, err := apl.Parse(diag.NewSource("test.apl", source))
		require.NoError(t, err)
		p, err := infer.Program(tree, infer.Options{})
		require.NoError(t, err)
		out, _, err := laila.Lower(p, laila.Options{Target: pass.CPU})
		require.NoError(t, err)
		return out.String()
	}
	both := lower("x←100|7×⍳1000\ng←⍋x\ns←x[g]\n+/s×g")
	require.Contains(t, both, "sorted: i8")
	require.NotContains(t, both, "r[i] - 1")
	require.Contains(t, lower("{⍵[⍒⍵]}100|7×⍳1000"), "run-time sorted")
	require.NotContains(t, lower("x←100|7×⍳1000\ny←⌽x\n+/y[⍋x]"), "sorted") // of another vector
}

// TestUpdateInPlace says when indexed assignment copies.
func TestUpdateInPlace(t *testing.T) {
	copies := func(source string) int { return strings.Count(lowertest.Loops(t, source).String(), "copy ") }
	require.Zero(t, copies("x←+\\⍳1000\nx[3]←9\n+/x"))
	require.Equal(t, 1, copies("x←+\\⍳1000\ny←x\nx[3]←9\n+/x-y"))
}

// TestLinearTime lowers a long program.
func TestLinearTime(t *testing.T) {
	var b strings.Builder
	b.WriteString("v0←⍳100\n")
	const n = 2000
	for i := 1; i <= n; i++ {
		fmt.Fprintf(&b, "v%d←1+7|v%d×v%d\n", i, i-1, i-1)
	}
	fmt.Fprintf(&b, "+/v%d\n", n)
	require.Less(t, cputime.Of(func() { lowertest.Loops(t, b.String()) }), 5*time.Second)
}

// TestNarrow says what is computed in 32 bits, and which reductions are
// expressions, for machines with vector code.
func TestNarrow(t *testing.T) {
	tree, err := apl.Parse(diag.NewSource("test.apl", "b←30⍴2\n+/{2⊥(b⊤⍵)≠b⊤⍵+3}¨⍳1000\n+/{≠/(20⍴2)⊤⍵}¨⍳1000"))
	require.NoError(t, err)
	p, err := infer.Program(tree, infer.Options{})
	require.NoError(t, err)
	p.Sticky = true
	require.NoError(t, opt.Run(p, opt.Options{}))
	out, _, err := laila.Lower(p, laila.Options{Target: pass.CPU})
	require.NoError(t, err)
	require.NotContains(t, out.String(), "for ", "%s", out)
}

// TestKnowledge says which tests of extents and indices of loops go, as guards
// and what the extents were before prove them.
func TestKnowledge(t *testing.T) {
	lowered := func(source string, o laila.Options) string {
		tree, err := apl.Parse(diag.NewSource("test.apl", source))
		require.NoError(t, err)
		p, err := infer.Program(tree, infer.Options{})
		require.NoError(t, err)
		p.Sticky = true
		require.NoError(t, opt.Run(p, opt.Options{}))
		out, _, err := laila.Lower(p, o)
		require.NoError(t, err)
		return out.String()
	}
	// The two arrays grow by one; their lengths always differ by one.
	grow := "v←5⍴⍨3+?9\nf←{k←≢⍵ ⋄ k>≢v:⍺,⍵ ⋄ ⍵∇0,(⍺+(k-1)↑v),1}\n(,0)f 1 1"
	require.Less(t, strings.Count(lowered(grow, laila.Options{}), "fail LENGTH"),
		strings.Count(lowered(grow, laila.Options{Skip: map[string]bool{"knowledge": true}}), "fail LENGTH"))
	// The state of a loop has 16 bits, or 32, while it fits, and nothing is checked then.
	double := "v←200⍴⍳9\n+/({⍵+1⌽⍵}⍣40)v"
	narrow := lowered(double, laila.Options{Target: pass.CPU})
	require.Contains(t, narrow, ": i16[")
	require.Contains(t, narrow, ": i32[")
	wide := lowered(double, laila.Options{Target: pass.CPU, Skip: map[string]bool{"state": true}})
	require.NotContains(t, wide, ": i16[")
	require.Equal(t, strings.Count(wide, "fail"), strings.Count(narrow, "fail"))
	// Generations of a recurrence change places.
	wave := "u←1000⍴0 1\n(a b)←({(p q)←⍵ ⋄ q((2×q)-p-1⌽q)}⍣30)u u\n+/a×b"
	require.NotContains(t, lowered(wave, laila.Options{}), "copy ")
	require.Contains(t, lowered(wave, laila.Options{Skip: map[string]bool{"rotate": true}}), "copy ")
}

// TestRemake says which vectors are computed again where they are read.
func TestRemake(t *testing.T) {
	allocs := func(source string, skip ...string) int {
		return lowertest.Optimised(t, source, skip...).Stats().Allocs
	}
	// The mean has to be known before the deviations from it.
	deviations := "x←((1009|3×⍳100000)-400)÷8\nm←(+/x)÷≢x\n(+/(x-m)*2),⌈/x"
	require.Zero(t, allocs(deviations))
	require.Equal(t, 1, allocs(deviations, "remake"))
	// Elements at other places, few of them, and elements of a truth vector.
	require.Zero(t, allocs("x←((1009|3×⍳100000)-400)÷8\ns←+/x\n(+/⌽x-s),3↑x"))
	// A sum of 16 terms for each element costs more than memory.
	require.Equal(t, 1, allocs("x←+/(⍳100000)∘.|⍳16\ns←+/x\n⌈/x-s"))
	// The last bit of exponentials depends on how they are computed.
	require.Equal(t, 1, allocs("x←*÷⍳100000\ns←+/x\n⌈/x-s"))
	// Of what nobody else reads but its first elements these are kept.
	require.Zero(t, allocs("x←*÷⍳100000\ns←+/x\ns,5↑x"))
	require.Equal(t, 2, allocs("x←*÷⍳100000\ns←+/x\ns,500↑x")) // and what is displayed
	// What the elements were made of has changed since.
	changed := "a←+\\1009|3×⍳100000\ny←(2×a)-⍳100000\ns←+/y\na[3]←100\ns,(⌈/y-s),+/a"
	require.Equal(t, 2, allocs(changed))
	// Rows that a loop reads once each, and once more where it looks for a fault.
	require.NotContains(t, lowertest.Optimised(t, "r←1000 200⍴(65521|(⍳200000)*2)÷65521\nf←{⍵+⍺×⍟r[⍺;]}\n+/⊃f/(⌽⍳1000),⊂200⍴0").String(), "f64[200000]")
	// In a loop the memory is in the caches.
	require.Equal(t, 1, allocs("{x←((1009|⍵×⍳1000)-400)÷8 ⋄ m←(+/x)÷≢x ⋄ 1+⌊+/(x-m)*2}⍣9⊢3"))
}

// TestNestedBounds says that the ends of loops around each other prove that places are inside of
// an array.
func TestNestedBounds(t *testing.T) {
	const source = "b←9 9⍴0\n:For d :In ⍳8\n:For i :In ⍳9-d\nb[i;i+d]←⌊/b[i;i+¯1+⍳d]+b[i+⍳d;i+d]\n:EndFor\n:EndFor\n+/b"
	require.NotContains(t, lowertest.Optimised(t, source).String(), "INDEX ERROR")
	require.Contains(t, lowertest.Optimised(t, source, "knowledge").String(), "INDEX ERROR")
}

// TestRows says that rows which a loop makes are not stored where passes over all elements,
// reductions by rows and little else use them.
func TestRows(t *testing.T) {
	stores := func(source string, skip ...string) bool {
		return strings.Contains(lowertest.Optimised(t, source, skip...).String(), "f64[64000]")
	}
	const data = "x←1000 64⍴(1009|⍳64000)÷8\np←*0.01×+\\x\n"
	require.False(t, stores(data+"(+/⌈/p),+/p[;64]-⌊/p"))
	require.True(t, stores(data+"(+/⌈/p),+/p[;64]-⌊/p", "fuse"))
	require.True(t, stores(data+"(+/⌈/p),+/+⌿p×⌽p")) // all rows are used at once
}

// TestStreams says which arrays are run a strip at a time, and never stored.
func TestStreams(t *testing.T) {
	allocs := func(source string, skip ...string) int {
		return strings.Count(lowertest.Optimised(t, source, skip...).String(), "alloc ")
	}
	data := "x←¯500+1009|×⍨⍳100000\n"
	require.Zero(t, allocs(data+"⌈/+\\x"))
	require.Zero(t, allocs(data+"s←+\\x\n⌈/s-⌊\\0,¯1↓s"))
	require.Equal(t, 1, allocs(data+"⌈/⌽+\\x"))
	require.Equal(t, 1, allocs(data+"s←+\\x\n(⌈/s),s[⍳9]"))
	require.Zero(t, allocs("s←+\\÷⍳100000\n(+/s),+/(2↓s)-¯2↓s")) // a block of terms at a time
	require.Zero(t, allocs("x←÷⍳100000\ny←(x<0.5+7|⍳100000)/x\n(+/y),(+/y*2),⌈/y"))
	// Maps with short loops, and a table that they look values up in.
	require.Zero(t, allocs("c←÷!⌽¯1+⍳13\ny←{⍵⊥c}¨(⍳100000)÷1E5\n(⌊/y),(+/y),+/2≠/×y-2"))
	require.Equal(t, 1, allocs("y←{+/⍵÷⍳⍵}¨1+3|⍳100000\n(⌊/y),(+/y),+/2≠/×y-2"))
	// Of lengths that only the running program knows.
	kept := data + "y←(3≠7|x)/x\n"
	require.Zero(t, allocs(kept+"s←+\\y\n(⌈/(⌈\\s)-s),(⌈/s),≢y"))
	require.Equal(t, 3, allocs(kept+"s←+\\y\n(⌈/(⌈\\s)-s),(⌈/s),≢y", "streams"))
	require.Zero(t, allocs(kept+"+/y×⌽⍳≢y")) // which has to know the length
	require.NotZero(t, allocs(kept+"+/y×⌽y"))
	runs := data + "z←⌊x÷100\nb←⍸1,2≠/z\n"
	require.Zero(t, allocs(runs+"(⌈/2-⍨/b,1+≢x),≢b"))
	// Elements and places that one mask keeps, side by side; those of two masks are not in step.
	require.Zero(t, allocs(data+"k←0,2≠/x\nv←k/x\np←⍸k\n(+/v×p),≢v"))
	require.NotZero(t, allocs(data+"k←0,2≠/x\nv←k/x\np←⍸2=0,x\n(+/v×⌽p),≢v"))
	// Faults and what is displayed come behind the strips, in their order.
	late := lowertest.Optimised(t, runs+"⎕←≢b\n⌈/0,2-⍨/b").String()
	require.NotContains(t, late, "alloc ")
	require.Less(t, strings.Index(late, "print"), strings.Index(late, "LENGTH ERROR"))
	// Reductions in branches for arrays that have elements, comparisons that end early in the
	// branch for equal lengths.
	require.Zero(t, allocs(runs+"⌈/2-⍨/b\n⌊/2-⍨/b"))
	require.Equal(t, 1, allocs(kept+"(⍳≢y)≡+\\0<y")) // the elements that are kept
}

// TestPieces says which pieces of a split index set run at once: those as long
// as each other that read the same elements, where nothing can fail.
func TestPieces(t *testing.T) {
	once := func(source string, skip ...string) bool {
		return strings.Count(lowertest.Optimised(t, "x←÷⍳9000\nx\nf←{"+source+"}\nf x", skip...).String(), "var t") > 1
	}
	require.True(t, once("(⍵+⌽⍵),⍵-⌽⍵"))
	require.True(t, once("(2,≢⍵)⍴(⍵+⌽⍵),⍵-⌽⍵"))
	require.False(t, once("(⍵+⌽⍵),⍵-⌽⍵", "pieces"))
	require.False(t, once("(1↓⍵+⌽⍵),⍵-⌽⍵"))
	require.False(t, once("(⍵+1),4×⍳≢⍵")) // no common elements
}

// TestFind says that short patterns are compared with where ⍷ is used, and
// that the rest is left to the run-time library.
func TestFind(t *testing.T) {
	const call = "run-time find"
	require.NotContains(t, lowertest.Loops(t, "x←'abcde'[1+3|⍳1000]\n+/'abc'⍷x").String(), call)
	require.NotContains(t, lowertest.Loops(t, "x←7|⍳1000\n+/1 2⍷x").String(), call)
	require.Contains(t, lowertest.Loops(t, "x←7|⍳1000\n+/(9⍴1)⍷x").String(), call)
	require.Contains(t, lowertest.Loops(t, "x←10 100⍴7|⍳1000\n+/,1 2⍷x").String(), call)
}

// TestRandom says that random numbers are stored as narrowly as others.
func TestRandom(t *testing.T) {
	require.Contains(t, lowertest.Loops(t, "x←?1000⍴100\n+/x[⍋x]").String(), "i8[1000]")
	require.Contains(t, lowertest.Loops(t, "n←300\nx←?1000⍴n\n+/x[⍋x]").String(), "i16[1000]")
}

// TestSliding says that sums of wide windows are made from the ones before,
// where they cannot overflow, and those of narrow ones are not.
func TestSliding(t *testing.T) {
	const slides = "sum = sum + ("
	require.Contains(t, lowertest.Tiled(t, "x←10000⍴⍳7\n40+/x").String(), slides)
	require.Contains(t, lowertest.Tiled(t, "x←10 1000⍴⍳7\n40+/x").String(), slides)
	require.NotContains(t, lowertest.Tiled(t, "x←10000⍴⍳7\n30+/x").String(), slides)
	require.NotContains(t, lowertest.Tiled(t, "x←10000⍴0.5×⍳7\n40+/x").String(), slides)
	require.NotContains(t, lowertest.Tiled(t, "x←10000⍴9000000000000000000 1\n40+/x").String(), slides)
}

// TestDefer says which updates of a matrix wait for others.
func TestDefer(t *testing.T) {
	queues := func(source string, skip ...string) bool {
		return strings.Contains(lowertest.Optimised(t, source, skip...).String(), "queued")
	}
	const m = "n←200\nm←(n,n)⍴(1009|i×i←⍳n×n)÷1009\n"
	lu := m + "f←{⍺≥≢⍵:⍵ ⋄ a←⍵ ⋄ r←⍺↓⍳≢a ⋄ a[r;⍺]÷←a[⍺;⍺] ⋄ a[r;r]-←a[r;⍺]∘.×a[⍺;r] ⋄ (⍺+1)∇a}\n+/,1 f m"
	require.True(t, queues(lu))
	require.False(t, queues(lu, "defer"))
	require.True(t, queues(m+"f←{⍺>≢⍵:⍵ ⋄ (⍺+1)∇⍵⌊⍵[;⍺]∘.+⍵[⍺;]}\n+/,1 f m"))
	require.True(t, queues(m+"k←0\nf←{k+←1 ⋄ ⍵⌊⍵[;k]∘.+⍵[k;]}\n+/,(f⍣n)m"))
	// Small matrices; a function of whole rows; what reads all of the matrix.
	require.False(t, queues("n←20\nm←(n,n)⍴(1009|i×i←⍳n×n)÷1009\nf←{⍺>≢⍵:⍵ ⋄ (⍺+1)∇⍵⌊⍵[;⍺]∘.+⍵[⍺;]}\n+/,1 f m"))
	require.False(t, queues(m+"f←{⍺>≢⍵:⍵ ⋄ (⍺+1)∇⍵⌊⍵[;⍺]∘.+⌽⍵[⍺;]+⌈/,⍵}\n+/,1 f m"))
	require.False(t, queues(m+"f←{⍺>≢⍵:⍵ ⋄ (⍺+1)∇(⍉⍵)⌊⍵[;⍺]∘.+⍵[⍺;]}\n+/,1 f m"))
}

// TestTransposed says that a product of a transposed matrix and a vector reads
// the matrix in the order of its rows.
func TestTransposed(t *testing.T) {
	p := lowertest.Tiled(t, "x←(500 6⍴⍳11)÷4\nv←(500⍴⍳7)÷2\n(⍉x)+.×v").String()
	require.NotContains(t, p, "segred") // of columns, one by one
}

// TestRowsAreNotStored says that rows which one function of rows makes and another one uses are
// stored only where a fault is looked for, and that strips store nothing for the place of an extreme.
func TestRowsAreNotStored(t *testing.T) {
	for _, source := range []string{
		"m←3000 24⍴(7919×⍳72000)|⍨1009\np←{⍵÷+/⍵}⍤1⊢m\n+/+/p×⍟p+0.5",
		"m←3000 24⍴(7919×⍳72000)|⍨1009\nc←+\\m-504\n(+/(⌈/c)-⌊/c),+/c[;16]",
		"m←9000 8⍴(7919×⍳72000)|⍨1009\nk←{⍵[⍋⍵]}⍤1⊢m\n(+/k[;2]-k[;1]),⌈/k[;4]×k[;3]",
		"x←(7919×⍳72000)|⍨1009\nd←(⌈\\x)-x\n(⌈/d),d⍳⌈/d",
	} {
		p := lowertest.Optimised(t, source).String()
		for line := range strings.Lines(p) {
			require.False(t, strings.HasPrefix(line, "  alloc") && strings.Contains(line, "2000]"), "%s\n%s", source, p)
		}
	}
}
