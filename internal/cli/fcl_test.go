package cli

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/fcl"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/internal/driver"
)

// TestFCL runs, checks and prints a program of FCL.
func TestFCL(t *testing.T) {
	file := filepath.Join(t.TempDir(), "p.fcl")
	require.NoError(t, os.WriteFile(file, []byte("fun main n arr = push<grid> (map (fn x => x * n) arr)\n"), 0o644))
	named := filepath.Join(t.TempDir(), "named.fcl")
	require.NoError(t, os.WriteFile(named, []byte("fun main arr = map (fn x => x + #Tile) arr\n"), 0o644))
	for _, c := range []struct {
		args   []string
		out    string
		errors string
		status int
	}{
		{[]string{"run", file, "--data", "3", "--data", "[1, 2]"}, "[3, 6]\n", "", 0},
		{[]string{"run", file, "--data", "3", "--data", "[1, 2]", "--count"}, "[3, 6]\n", "kernels 1, barriers 0\n", 0},
		{[]string{"check", file}, "main : forall 'a : NUM. 'a -> ['a] -> ['a]<grid>\n", "", 0},
		{[]string{"emit", "fcl", file}, "fun main n arr =\n  push<grid> (map (fn x => x * n) arr)\n", "", 0},
		{[]string{"emit", "opencl", file, "--data", "3", "--data", "[1, 2]"}, "out_3[i_4] = (long)((ulong)x_5 * 3);", "", 0},
		{[]string{"emit", "c", file}, "long n_2 = tl_plan_vector(2, &arg_3);", "", 0},
		{[]string{"build", "--target", "c", file}, "", `built for the target opencl, not "c"`, 2},
		{[]string{"emit", "tail", file}, "", `no stage "tail"`, 2},
		{[]string{"run", file}, "", "main takes 2 arguments, and 0 are given", 2},
		{[]string{"run", file, "--data", "x"}, "", "no .npy file, number, or list", 2},
		{[]string{"run", named, "--param", "Rate=1"}, "", "neither the program nor FCL's library has #Rate; there are Bins, ", 2},
		{[]string{"run", named, "--data", "[1, 2]", "--param", "Til=2"}, "", "neither the program nor FCL's library has #Til; did you mean Tile?", 2},
		{[]string{"run", named, "--data", "[1, 2]", "--param", "Tile=2"}, "[3, 4]", "", 0},
		{[]string{"run", "--target", "c", file}, "", `no target "c"`, 2},
		{[]string{"run", file, "--data", "[1]", "--data", "[1]"}, "", "argument 1 of main is [int], but main takes", 2},
	} {
		out, errors, status := invoke(c.args...)
		assert.Equal(t, c.status, status, c.args)
		assert.Contains(t, out, c.out, c.args)
		assert.Contains(t, errors, c.errors, c.args)
	}
	npy := filepath.Join(t.TempDir(), "r.npy")
	_, _, status := invoke("run", file, "--data", "3", "--data", "[0.5, 2]", "--out", npy)
	assert.Equal(t, 0, status)
	out, _, _ := invoke("run", file, "--data", "2", "--data", npy)
	assert.Equal(t, "[3.0, 12.0]\n", out)
}

// TestEmitFCL prints what kernels of APL are in FCL: functions that FCL accepts.
func TestEmitFCL(t *testing.T) {
	file := filepath.Join(t.TempDir(), "p.apl")
	require.NoError(t, os.WriteFile(file, []byte("a←(⌊⍎'3')×⍳1000\nb←+\\a ⋄ +/b\nd←(5=7|a)/a ⋄ (≢d),+/d×⌽d\n⌈/⌈\\÷a\n({⍵÷1+⍉⍵}⍣9)20 20⍴÷a\n∧/2≤/a\n"), 0o644))
	out, _, status := invoke("emit", "fcl", file)
	require.Equal(t, 0, status)
	assert.Contains(t, out, "fun b_line2_scan ")
	assert.Contains(t, out, "scanPush <- scanTiles (+) 0 acc ")
	assert.Contains(t, out, "-- gives n; what is stored in a, where, and whether it is\nsig d_line3_scan : int -> Program<grid> (int, [(bool, int, i16)]<grid>)\n")
	assert.Contains(t, out, "\n  mapAcross\n    (fn ")
	assert.Contains(t, out, "sig koggeStone :")
	_, err := fcl.Load(diag.NewSource("p.fcl", out))
	assert.NoError(t, err, out)
	out, _, _ = invoke("emit", "opencl", file, "--param", "ScanPiece=2")
	assert.Contains(t, out, "i * 512", "a tile has two elements for each of 256 work-items")
	_, errors, status := invoke("emit", "opencl", file, "--param", "ScanPiece=0")
	assert.Equal(t, 2, status)
	assert.Contains(t, errors, "--param ScanPiece is at least 1, not 0")
	out, _, _ = invoke("emit", "fcl", "-e", "1+⍳3")
	assert.Equal(t, "-- line 1: 1+⍳3\n-- kernel line1_map\n-- gives a\nsig line1_map : [i8]<grid>\nfun line1_map =\n  push<grid> (generate 3 (fn i => i8 (1 + (i + 1))))\n", out)
	out, _, _ = invoke("emit", "fcl", "-e", "3 4")
	assert.Equal(t, "-- no kernel of this program is written in FCL\n", out)
}

// TestBodies checks and runs programs with bodies in FCL. Those that compute something else
// than their dfns show which calls they compute.
func TestBodies(t *testing.T) {
	const program = "turn←{⌽⍵} ⍝fcl: map (fn x => 0 - x) (reverse ⍵)\n" +
		"flip←{ ⍝fcl: let ((m, n), x) = ⍵ in ((n, m), transpose m n x)\n⍉⍵}\n" +
		"scale←{⍺×⍵} ⍝fcl: map (fn x => ⍺ * x + 1) ⍵\n" +
		"x←?6⍴9 ⋄ x≡⌽turn x ⋄ x≡-⌽turn x ⋄ 'cba'≡⌽turn 'cba' ⋄ (turn⌽x)≡-x\n" +
		"y←⍕flip 2 3⍴x ⋄ y≡⍕⍉2 3⍴x\n" +
		"(2 scale x)≡1+2×x ⋄ (2.5 scale x÷2)≡1+1.25×x ⋄ (2.5 scale x)≡2.5×x\n"
	file := filepath.Join(t.TempDir(), "p.apl")
	require.NoError(t, os.WriteFile(file, []byte(program), 0o644))
	_, errors, status := invoke("check", file)
	assert.Equal(t, 2, status)
	assert.Contains(t, errors, "the FCL body of turn does not give what the dfn gives")
	assert.Contains(t, errors, "the FCL body of scale does not give what the dfn gives")
	assert.NotContains(t, errors, "flip")
	out, _, status := invoke("run", "--target", "eval", file)
	assert.Equal(t, 0, status)
	assert.Equal(t, "1\n0\n1\n0\n1\n0\n0\n1\n", out)
	out, errors, status = invoke("run", "--target", "opencl", file)
	if status == driver.ExitMissing {
		t.Skip(errors)
	}
	assert.Equal(t, "0\n1\n1\n1\n1\n1\n1\n1\n", out, errors)
	require.NoError(t, os.WriteFile(file, []byte("f←{⌽⍵} ⍝fcl: map (fn x => x + #Extra) ⍵\n+/f ?20⍴1\n"), 0o644))
	out, errors, _ = invoke("run", "--target", "opencl", "--param", "Extra=3", file)
	assert.Equal(t, "80\n", out, errors)
	out, errors, _ = invoke("emit", "opencl", "--param", "Extra=3", file)
	assert.Contains(t, out, "/* f : [int] -> [int] */", errors)
	assert.Contains(t, out, "_line1(__global long *fault", errors)
	for body, want := range map[string]string{
		"take 3 ⍵":                         "the FCL body of f gives 3 elements on axis 1, and the dfn 20",
		"map (fn x => index ⍵ (x + 20)) ⍵": "there is no element",
		"map (fn x => revers x) ⍵":         "no function or variable \"revers\"",
		"length ⍵":                         "is [bool] -> int, but the dfn is [bool]1 → <bool>n",
	} {
		require.NoError(t, os.WriteFile(file, []byte("f←{⌽⍵} ⍝fcl: "+body+"\n+/f ?20⍴9\n"), 0o644))
		_, errors, status := invoke("run", "--target", "opencl", file)
		assert.NotEqual(t, 0, status, body)
		assert.Contains(t, errors, want, body)
	}
}

// TestLevels asks for levels that kernels follow, and for one that none does.
func TestLevels(t *testing.T) {
	file := filepath.Join(t.TempDir(), "p.apl")
	for level, launched := range map[string]struct {
		kernel string
		items  []string // of the launches of an executable
	}{
		"thread": {"line2_map,", []string{"512"}},
		"block":  {"line2_map_group,", []string{"76800"}},
		"grid":   {"line2_map_part,", []string{"76800", "76800"}},
	} {
		require.NoError(t, os.WriteFile(file, []byte("m←?300 500⍴9\n(⍋+/m)[1] ⍝: <"+level+">\n"), 0o644))
		out, _, status := invoke("check", file)
		assert.Equal(t, 0, status)
		assert.Equal(t, "line 2 : <"+level+">   followed\n", out)
		want, _, _ := invoke("run", "--target", "eval", file)
		out, errors, status := invoke("run", "--target", "opencl", "--schedule", "groups", "--trace", file)
		if status == driver.ExitMissing {
			t.Skip(errors)
		}
		assert.Equal(t, want, out)
		assert.Contains(t, errors, "launch "+launched.kernel)
		program := filepath.Join(t.TempDir(), "p")
		_, errors, status = invoke("build", "--target", "opencl", "--schedule", "groups", "-o", program, file)
		require.Equal(t, 0, status, errors)
		run := exec.Command(program)
		run.Env = append(os.Environ(), "TAILOR_TRACE=1")
		var trace strings.Builder
		run.Stderr = &trace
		got, err := run.Output()
		require.NoError(t, err)
		assert.Equal(t, want, string(got))
		var items []string
		for _, found := range regexp.MustCompile(`launch line2_map\w*, (\d+)`).FindAllStringSubmatch(trace.String(), -1) {
			items = append(items, found[1])
		}
		assert.Equal(t, launched.items, items, trace.String())
	}
	require.NoError(t, os.WriteFile(file, []byte("m←?300 500⍴9\n+/,m ⍝: <thread>\n"), 0o644))
	_, errors, status := invoke("run", "--target", "opencl", "--schedule", "groups", file)
	assert.Equal(t, 0, status)
	assert.Contains(t, errors, "note: "+file+": line 2 : <thread>   not followed: the whole array is reduced, by the grid\n")
	require.NoError(t, os.WriteFile(file, []byte("m←?30 50⍴9\np←m+.×⍉m ⍝: <thread>\n⌈/,p\n"), 0o644))
	out, _, _ := invoke("check", file)
	assert.Equal(t, "line 2 : <thread>   followed\n", out, "the kernel is line 3's")
	require.NoError(t, os.WriteFile(file, []byte("m←?30 50⍴9\ns←+/m ⍝: <blok>\n"), 0o644))
	_, errors, _ = invoke("check", file)
	assert.Contains(t, errors, "the levels are <thread>")
	require.NoError(t, os.WriteFile(file, []byte("g←{ ⍝: [int](2 n) → [int]n\n    ⌽⍵}\nf←{⌽⍵} ⍝fcl: reverse ⍵\nf 1 2\n"), 0o644))
	_, errors, _ = invoke("check", file)
	assert.NotContains(t, errors, "FCL", "what is wrong is the annotation")
}

// TestScanLevel runs scans, products and reductions of rows at the levels that their lines ask for.
func TestScanLevel(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a.apl")
	for _, n := range []int{0, 257} {
		source := fmt.Sprintf("x←1000|37×⍳+/%d⍴1\n", n)
		for i, f := range []string{`+\`, `⌈\`} {
			for j, level := range []string{"thread", "block", "grid"} {
				source += fmt.Sprintf("(≢y)(+/y←%sx×%d) ⍝: <%s>\n", f, 3*i+j+1, level)
			}
		}
		source += "m←7 9⍴x,5\n+/m+.×⍉m+1 ⍝: <thread>\nm+.×⍉m ⍝: <thread>\nm+.×⍉m ⍝: <block>\n+\\m ⍝: <thread>\n+/m×0.1 ⍝: <warp>\n⌈/m-3 ⍝: <warp>\n"
		require.NoError(t, os.WriteFile(file, []byte(source), 0o644))
		want, errors, status := invoke("run", "--target", "eval", file)
		require.Equal(t, 0, status, errors)
		out, errors, status := invoke("run", "--target", "opencl", "--schedule", "groups", "--host-work", "0", "--trace", file)
		if status == driver.ExitMissing {
			t.Skip(errors)
		}
		assert.Equal(t, want, out, source)
		if n > 1 {
			assert.Contains(t, errors, "launch line2_scan, 256 work-items", source)
			assert.Contains(t, errors, "launch line3_scan, 256 work-items", source)
			assert.Contains(t, errors, "launch line4_scan_totals", source)
		}
	}
}
