// Interp times whole-array work of the interpreter beside our own compiled code on one
// thread, in one process and in turn. It prints, for each expression, the medians of
// the processor time of both and their ratio.
//
//	go run ./bench/interp [-rounds 9] [PART OF AN EXPRESSION…]
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/internal/cputime"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/internal/driver"
	"github.com/tailor-lang/tailor/internal/gradual"
	"github.com/tailor-lang/tailor/interp"
	"github.com/tailor-lang/tailor/interp/value"
)

// arguments are the arrays that the expressions are about.
const arguments = `n←1000000 ⋄ b←1=?n⍴2 ⋄ c←1=?n⍴2 ⋄ i←?n⍴100 ⋄ j←?n⍴100 ⋄ k←?n⍴1000000 ⋄ d←0.5+?n⍴1000000
e←1.25×?n⍴1000 ⋄ s←?1000⍴50 ⋄ t←?1000⍴50 ⋄ p←0.5+?256 256⍴1000 ⋄ q←0.25×?256 256⍴1000 ⋄ w←?1000⍴1000000`

// work are functions and the names of their arguments.
var work = []struct{ text, left, right string }{
	{"+/⍵", "", "b"}, {"+/⍵", "", "i"}, {"+/⍵", "", "d"}, {"⌈/⍵", "", "i"}, {"⌈/⍵", "", "d"},
	{"∨/⍵", "", "b"}, {"+\\⍵", "", "b"}, {"+\\⍵", "", "i"}, {"+\\⍵", "", "d"}, {"⌈\\⍵", "", "i"}, {"≠\\⍵", "", "b"},
	{"⍺+⍵", "i", "j"}, {"⍺×⍵", "i", "j"}, {"⍺+⍵", "d", "e"}, {"⍺×⍵", "d", "e"}, {"⍺÷⍵", "d", "e"}, {"⍺-⍵", "i", "d"},
	{"⍺⌈⍵", "i", "j"}, {"⍺|⍵", "j", "k"}, {"⍺∧⍵", "b", "c"}, {"⍺=⍵", "b", "c"}, {"⍺=⍵", "i", "j"}, {"⍺<⍵", "i", "j"},
	{"⍺=⍵", "d", "e"}, {"⍺<⍵", "d", "e"}, {"~⍵", "", "b"}, {"⍵>50", "", "i"}, {"⌊⍵", "", "d"}, {"⍵*0.5", "", "d"},
	{"⍺/⍵", "b", "i"}, {"⍺/⍵", "b", "d"}, {"⍸⍵", "", "b"}, {"⌽⍵", "", "i"}, {"⍵[⍋⍵]", "", "i"}, {"⍵[⍋⍵]", "", "k"}, {"⍋⍵", "", "d"},
	{"⍺⍳⍵", "w", "k"}, {"⍺∊⍵", "k", "w"}, {"∪⍵", "", "i"}, {"∪⍵", "", "k"}, {"⍺∘.=⍵", "s", "t"}, {"⍺∘.+⍵", "s", "t"},
	{"⍺+.×⍵", "p", "q"}, {"⍺+.×⍵", "i", "j"}, {"⍺+.×⍵", "d", "e"}, {"⍵[k]", "", "d"}, {"⍳≢⍵", "", "i"}, {"⍉⍵", "", "p"},
}

func main() {
	rounds := flag.Int("rounds", 9, "how often each is timed")
	flag.Parse()
	if err := run(*rounds, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "interp:", err)
		os.Exit(1)
	}
}

func run(rounds int, parts []string) error {
	cc, cache, err := driver.Tools()
	if err != nil {
		return err
	}
	in := interp.New(&interp.Env{Stdout: io.Discard})
	if err := line(in, arguments); err != nil {
		return err
	}
	fmt.Printf("%-24s %12s %12s %8s\n", "", "interp ms", "compiled ms", "ratio")
	for _, w := range work {
		name := strings.ReplaceAll(strings.ReplaceAll(w.text, "⍺", w.left), "⍵", w.right)
		if len(parts) > 0 && !slices.ContainsFunc(parts, func(p string) bool { return strings.Contains(name, p) }) {
			continue
		}
		g := in.Globals()
		f, err := compiled(w.text, g, w.left, w.right, cache, cc)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		interpreted, native := compare(in, name, f, g[w.left], g[w.right], rounds)
		fmt.Printf("%-24s %12.3f %12.3f %8.2f\n", name, ms(interpreted), ms(native), float64(interpreted)/float64(native))
	}
	return nil
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// line runs a text in an interpreter.
func line(in *interp.Interp, text string) error {
	tree, err := apl.Parse(diag.NewSource("bench", text))
	if err != nil {
		return err
	}
	_, err = in.Line(tree, &interp.Env{Stdout: io.Discard})
	return err
}

// catcher keeps the function that is compiled.
type catcher struct {
	interp.Compiler
	f interp.Compiled
}

func (c *catcher) Compile(u *interp.Unit) (f interp.Compiled, err error) {
	c.f, err = c.Compiler.Compile(u)
	return c.f, err
}

// compiled returns the compiled form of a dfn for the types of its arguments.
func compiled(text string, values map[string]*value.Array, left, right string, cache *driver.Cache, cc *driver.Compiler) (interp.Compiled, error) {
	functions := gradual.New(func() (*driver.Cache, *driver.Compiler) { return cache, cc })
	functions.Synchronous, functions.Full = true, true
	c := &catcher{Compiler: functions}
	in := interp.New(&interp.Env{Stdout: io.Discard, Compiler: c, Eager: true})
	for name, v := range values {
		in.Set(name, v)
	}
	names := map[string]apl.Class{}
	for name := range values {
		names[name] = apl.ArrayClass
	}
	tree, err := apl.ParseWith(diag.NewSource("bench", "f←{"+text+"} ⋄ r←"+left+" f "+right), names)
	if err != nil {
		return nil, err
	}
	if _, err := in.Line(tree, &interp.Env{Stdout: io.Discard, Eager: true}); err != nil {
		return nil, err
	}
	if c.f == nil || c.f.Level() < 2 {
		return nil, errors.New("not compiled")
	}
	return c.f, nil
}

// compare times an expression in the interpreter and the compiled function in turn.
func compare(in *interp.Interp, text string, f interp.Compiled, x, y *value.Array, rounds int) (interpreted, native time.Duration) {
	names := map[string]apl.Class{}
	for name := range in.Globals() {
		names[name] = apl.ArrayClass
	}
	tree, err := apl.ParseWith(diag.NewSource("bench", "r←"+text), names)
	if err != nil {
		panic(err)
	}
	var a, b []time.Duration
	one, other := func() { in.Line(tree, &interp.Env{Stdout: io.Discard}) }, func() { f.Call(x, y) }
	for range rounds {
		a, b = append(a, often(one)), append(b, often(other))
	}
	slices.Sort(a)
	slices.Sort(b)
	return a[rounds/2], b[rounds/2]
}

// enough is the time for which something is repeated: the clock of the processor may
// tick in hundredths of a second.
const enough = 60 * time.Millisecond

// often returns the processor time that a function takes in the mean of many calls.
func often(f func()) time.Duration {
	n := 0
	took := cputime.Of(func() {
		for start := time.Now(); time.Since(start) < enough || n < 3; n++ {
			f()
		}
	})
	return took / time.Duration(n)
}
