// Package lowertest lowers the programs of tests of the packages below laila.
package lowertest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/infer"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/laila"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/pass"
	"github.com/tailor-lang/tailor/tail"
	"github.com/tailor-lang/tailor/tail/opt"
)

// Loops lowers an APL program without the optimiser, to loops that run anywhere.
func Loops(t *testing.T, source string) *ir.Program {
	t.Helper()
	p := typed(t, source)
	p.Sticky = true
	return lowered(t, p, laila.Options{})
}

// Tiled lowers an APL program without the optimiser, for CPUs.
func Tiled(t *testing.T, source string) *ir.Program {
	t.Helper()
	return lowered(t, typed(t, source), laila.Options{Target: pass.CPU})
}

// Optimised lowers an APL program with all passes for CPUs but those of skip.
func Optimised(t *testing.T, source string, skip ...string) *ir.Program {
	t.Helper()
	return optimised(t, source, false, skip)
}

// Relaxed is Optimised with last digits left to the compiler.
func Relaxed(t *testing.T, source string, skip ...string) *ir.Program {
	t.Helper()
	return optimised(t, source, true, skip)
}

func optimised(t *testing.T, source string, relaxed bool, skip []string) *ir.Program {
	t.Helper()
	p := typed(t, source)
	p.Sticky = true
	require.NoError(t, opt.Run(p, opt.Options{}))
	o := laila.Options{Target: pass.CPU, Relaxed: relaxed, Skip: map[string]bool{}}
	for _, name := range skip {
		o.Skip[name] = true
	}
	return lowered(t, p, o)
}

func typed(t *testing.T, source string) *tail.Program {
	t.Helper()
	tree, err := apl.Parse(diag.NewSource("test.apl", source))
	require.NoError(t, err)
	p, err := infer.Program(tree, infer.Options{})
	require.NoError(t, err)
	return p
}

func lowered(t *testing.T, p *tail.Program, o laila.Options) *ir.Program {
	t.Helper()
	out, _, err := laila.Lower(p, o)
	require.NoError(t, err)
	return out
}
