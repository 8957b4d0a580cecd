package interp_test

import (
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/interp"
)

// memory returns how many bytes a program allocates.
func memory(t *testing.T, source string) uint64 {
	prog, err := apl.Parse(diag.NewSource("test.apl", source))
	require.NoError(t, err)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	var out strings.Builder
	require.NoError(t, interp.Run(prog, &interp.Env{Stdout: &out}))
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// TestInPlace assigns parts of an array of 20,000 elements as often. A copy for each
// would take 3 GB.
func TestInPlace(t *testing.T) {
	for _, step := range []string{
		"t[i]←i",
		"t[i]←t[1⌈i-1]+≢t",
		"t[i]+←1",
		"t[i,i]+←1",
		"t[⊂i]←2",
		"(i⊃t)←i",
		"(i⊃t)+←2",
		"u[i]←⊂i i",
		"(i⊃u)←'ab'",
		"x←i⊃u ⋄ u[i]←⊂x,1",
		"t,←i",
		"t←t,i",
		"t←t,t[i]",
		"m⍪←i 1",
		"m[i;2]←⍴t",
		"n.t[i]←5",
		"n.t,←i",
	} {
		source := "t←20000⍴0 ⋄ m←20000 2⍴0 ⋄ u←20000⍴⊂1 2 ⋄ n←⎕NS⍬ ⋄ n.t←t+1\n:For i :In ⍳20000\n" + step + "\n:EndFor\n"
		require.Less(t, memory(t, source), uint64(200<<20), step)
	}
}

// TestHandedOn calls dfns 20,000 times each as their own results, with an array of as many
// elements. A copy for each would take 3 GB.
func TestHandedOn(t *testing.T) {
	for _, f := range []string{
		"{⍺=0:⍵ ⋄ x←⍵ ⋄ x[⍺]←⍺ ⋄ (⍺-1)∇x}",
		"{⍺=0:⍵ ⋄ x←⍵ ⋄ x[⍺]+←x[1]+≢x ⋄ y←x ⋄ y[1]←⍺ ⋄ (⍺-1)∇y}",
		"{⍺>≢⍵:⍵ ⋄ x←⍵ ⋄ x[⍺]←⊂⍺ ⍺ ⋄ (⍺+1)∇x}",
		"{⍺=0:⍵ ⋄ (⍺-1)∇⍵⍪⍺}",
		"{⍺=0:⍵ ⋄ (⍺-1)∇⍵⍪⍺ 1}",
	} {
		start := map[bool]string{true: "20000 2⍴0", false: "20000⍴0"}[strings.Contains(f, "⍪")]
		left := map[bool]string{true: "1", false: "20000"}[strings.Contains(f, "≢⍵:")]
		require.Less(t, memory(t, "f←"+f+"\n⍴"+left+" f "+start+"\n"), uint64(200<<20), f)
	}
}
