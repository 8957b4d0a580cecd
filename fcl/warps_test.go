package fcl

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/internal/repo"
	"github.com/tailor-lang/tailor/opencl"
)

// warpKinds are the values of #Warps.
var warpKinds = []string{1: "items", 2: "slices", 3: "subgroups"}

// warps are programs whose warps have several elements, arrays of their own, loops whose lengths
// differ, and more warps than a group has at a time.
var warps = []struct{ name, main string }{
	{"sums", "fun main arr = splitUp 20 arr |> map (fn c => splitUp 7 c |> map (reduceWarp (+) 0) |> (fn ps => concatTo<warp> (length ps) 1 ps)) |> concatTo<block> (divUp (length arr) 20 * 3 - (20 * divUp (length arr) 20 - length arr) / 7) 3"},
	{"two arrays", "fun main arr = splitUp 5 arr |> map (fn w => do<warp> { a <- stored<warp> (reverse w); b <- stored<warp> (zipWith (+) a (reverse a)); return<warp> (push<warp> (zipWith (*) a (reverse b))) }) |> concatTo<warp> (length arr) 5 |> (fn p => concatTo<block> (length arr) (max 1 (length arr)) (generate 1 (fn _ => p)))"},
	{"steps", "fun main arr = splitUp 6 arr |> map (fn w => do<warp> { a <- poweri<warp> 3 (fn k => fn a => return<warp> (push<warp> (generate (length a) (fn i => index a i + index a ((i + k + 1) % length a))))) (return<warp> (push<warp> w)); return<warp> (push<warp> a) }) |> concatTo<warp> (length arr) 6 |> (fn p => concatTo<block> (length arr) (max 1 (length arr)) (generate 1 (fn _ => p)))"},
	{"blocks and warps", "fun main arr = splitUp 12 arr |> map (fn c => do<block> { t <- stored<block> (reverse c); p <- concatTo<warp> (length c) 4 (map (fn w => do<warp> { a <- stored<warp> w; return<warp> (push<warp> (reverse a)) }) (splitUp 4 t)); s <- force<block> p; return<block> (push<block> (zipWith (-) s (reverse t))) }) |> concatTo<block> (length arr) 12"},
	{"loops side by side", "fun main arr = splitUp 16 arr |> map (fn c => do<block> { let half f = concatTo<warp> (length c) 4 (map (fn w => do<warp> { a <- stored<warp> (map f w); return<warp> (push<warp> (reverse a)) }) (splitUp 4 c)); p <- half (fn x => x + 1); a <- force<block> p; q <- half (fn x => x * 3); b <- force<block> q; return<block> (push<block> (zipWith (+) a b)) }) |> concatTo<block> (length arr) 16"},
}

// withWarps returns small with a kind of warps.
func withWarps(kind, group int) map[string]int64 {
	params := maps.Clone(small)
	params["Warps"], params["BlockSize"], params["WarpSize"], params["LoopGroup"] = int64(kind), int64(group), 4, int64(group)
	return params
}

// TestWarpText holds the kernels of a program against files, for each kind of warps.
func TestWarpText(t *testing.T) {
	p, err := Load(diag.NewSource("a.fcl", warps[3].main))
	if err != nil {
		require.FailNow(t, err.(*diag.Error).Render())
	}
	for kind := 1; kind <= 3; kind++ {
		plan, err := p.Kernels(arguments(t, 9), withWarps(kind, 16))
		require.NoError(t, err)
		text := ""
		for _, k := range plan.Kernels {
			text += k.String()
		}
		name := filepath.Join(repo.Root(), "testdata", "fcl", "warps", warpKinds[kind]+".cl")
		if *update {
			require.NoError(t, os.WriteFile(name, []byte(text), 0o644))
			continue
		}
		want, err := os.ReadFile(name)
		require.NoError(t, err)
		assert.Equal(t, string(want), text, name)
		enabled := strings.Contains(plan.Text(), "cl_khr_subgroups : enable")
		assert.Equal(t, kind == 3, enabled)
	}
}

// TestWarps runs programs with warps in the evaluator and on a device, whose groups are smaller than
// what they do, and larger; sub-groups where the device has them.
func TestWarps(t *testing.T) {
	for i, w := range warps {
		p, err := Load(diag.NewSource("a", w.main))
		if err != nil {
			require.FailNow(t, err.(*diag.Error).Render(), w.name)
		}
		for kind := 1; kind <= 3; kind++ {
			t.Run(fmt.Sprintf("%s/%s", w.name, warpKinds[kind]), func(t *testing.T) {
				q := queue(t)
				if kind == 3 && !q.Device.SubGroups {
					t.Skipf("%s has no sub-groups", q.Device.Name)
				}
				if many() == 0 && i != 3 {
					t.Skip("make test-all runs this")
				}
				for _, group := range []int{4, 16} {
					for _, n := range []int{0, 1, 2, 5, 33} {
						compare(t, q, p, arguments(t, n), withWarps(kind, group), w.main)
					}
				}
			})
		}
	}
}

// TestSubGroups asks for sub-groups where there are none, and where there are some.
func TestSubGroups(t *testing.T) {
	assert.EqualValues(t, 3, ParamsFor(&opencl.Device{Kind: opencl.GPU, LocalMemory: 1 << 20, SubGroups: true})["Warps"])
	assert.EqualValues(t, 2, ParamsFor(&opencl.Device{Kind: opencl.GPU, LocalMemory: 1 << 20})["Warps"])
	assert.EqualValues(t, 1, ParamsFor(&opencl.Device{Kind: opencl.CPU, LocalMemory: 1 << 20})["Warps"])
	q := queue(t)
	without := *q.Device
	without.SubGroups = false
	q.Device = &without
	p, err := Load(diag.NewSource("a", warps[0].main))
	require.NoError(t, err)
	_, _, err = p.RunOn(q, arguments(t, 9), withWarps(3, 16))
	assert.ErrorContains(t, err, "has no sub-groups")
}
