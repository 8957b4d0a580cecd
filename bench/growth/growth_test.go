package main

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/internal/cli"
	"github.com/tailor-lang/tailor/internal/driver"
	"github.com/tailor-lang/tailor/internal/sampling"
)

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == tailorCommand {
		os.Exit(cli.Main(os.Args[2:], os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

// oneOf is how many operations there are for each that make test takes.
const oneOf = 200

// TestGrowth compares what operations print on all targets for few elements and, in make
// test-all, fails where time or memory grows faster than the data.
func TestGrowth(t *testing.T) {
	if _, err := driver.FindCompiler(); err != nil {
		t.Skip(err)
	}
	for _, o := range operations() {
		if !sampling.Keep(o.text, oneOf) {
			continue
		}
		t.Run(o.text, func(t *testing.T) {
			interpreted, err := prepare(o, driver.Interp, t.TempDir())
			require.NoError(t, err)
			want, _, err := interpreted.output(100)
			require.NoError(t, err)
			for _, target := range []driver.Target{driver.Eval, driver.C, driver.OpenMP} {
				p, err := prepare(o, target, t.TempDir())
				if err != nil {
					t.Logf("%s: %v", target, err)
					continue
				}
				got, _, err := p.output(100)
				require.NoError(t, err)
				require.Equal(t, want, got, target)
				if !sampling.All() || strings.Contains(o.steep, string(target)) {
					continue
				}
				g := measure(p, limitsOf(target))
				t.Logf("%s: %s", target, g)
				assert.False(t, g.steep(), "%s: %s", target, g)
			}
		})
	}
}

// TestSteep holds the rule to costs that are made up.
func TestSteep(t *testing.T) {
	costs := func(ms, mb [3]int) growth {
		g := growth{n: 1000}
		for i := range g.costs {
			g.costs[i] = cost{time.Duration(ms[i]) * time.Millisecond, int64(mb[i]) << 20}
		}
		return g
	}
	assert.False(t, costs([3]int{100, 200, 400}, [3]int{100, 200, 400}).steep(), "linear")
	assert.False(t, costs([3]int{100, 230, 600}, [3]int{1, 2, 4}).steep(), "a logarithm and caches")
	assert.True(t, costs([3]int{100, 400, 1600}, [3]int{1, 2, 4}).steep(), "time by the square")
	assert.True(t, costs([3]int{100, 200, 400}, [3]int{100, 400, 1600}).steep(), "memory by the square")
	assert.False(t, costs([3]int{0, 1, 9}, [3]int{0, 0, 9}).steep(), "too little to tell")
}

func TestTable(t *testing.T) {
	all, seen := operations(), map[string]bool{}
	assert.GreaterOrEqual(t, len(all), 150)
	for _, o := range all {
		assert.NotEmpty(t, o.data, o.text)
		assert.False(t, seen[o.data+o.text], o.text)
		seen[o.data+o.text] = true
	}
}
