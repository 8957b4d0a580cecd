package gradual_test

import (
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/interp"
	"github.com/tailor-lang/tailor/interp/value"
)

// taker keeps the functions that a compiler makes.
type taker struct {
	interp.Compiler
	made []interp.Compiled
}

func (c *taker) Compile(u *interp.Unit) (interp.Compiled, error) {
	f, err := c.Compiler.Compile(u)
	if err == nil {
		c.made = append(c.made, f)
	}
	return f, err
}

// bench returns the functions that a program calls, compiled.
func compiled(t testing.TB, source string) []interp.Compiled {
	c := &taker{Compiler: native(t)}
	tree, err := apl.Parse(diag.NewSource("bench.apl", source))
	require.NoError(t, err)
	require.NoError(t, interp.Run(tree, &interp.Env{Stdout: io.Discard, Compiler: c, Eager: true}))
	return c.made
}

const step = "f←{⍵<1000:⍵+3 ⋄ ⍵-997} ⋄ f 5\n"

// BenchmarkCall is what one call of a compiled function takes, BenchmarkCallLoop what
// it takes in a loop of a program.
func BenchmarkCall(b *testing.B) {
	f := compiled(b, step)[0]
	x := value.Int64(7)
	b.ReportAllocs()
	for b.Loop() {
		x, _ = f.Call(nil, x)
	}
}

func BenchmarkCallLoop(b *testing.B) {
	const loop = step + "s←5\n:For i :In ⍳1000000\ns←f s\n:EndFor\n"
	tree, err := apl.Parse(diag.NewSource("bench.apl", loop))
	require.NoError(b, err)
	c := native(b)
	for b.Loop() {
		require.NoError(b, interp.Run(tree, &interp.Env{Stdout: io.Discard, Compiler: c, Eager: true}))
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1e6, "ns/call")
}
