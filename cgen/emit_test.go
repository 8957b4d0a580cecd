package cgen

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/laila"
	"github.com/tailor-lang/tailor/tail"
)

func i64(v int64) laila.Expr                             { return &laila.Int{Val: v, K: laila.I64} }
func use(v *laila.Var) laila.Expr                        { return &laila.Use{Var: v} }
func bin(op laila.BinOp, x, y laila.Expr) laila.Expr     { return &laila.Binary{Op: op, X: x, Y: y} }
func local(name string, k laila.Kind) *laila.Var         { return &laila.Var{Name: name, Kind: k} }
func storage(name string, k laila.Kind) *laila.Buf       { return &laila.Buf{Name: name, Elem: k} }
func load(b *laila.Buf, index laila.Expr) laila.Expr     { return &laila.Load{Buf: b, Index: index} }
func convert(to laila.Kind, x laila.Expr) *laila.Convert { return &laila.Convert{To: to, X: x} }

// sumOfSquares is {+/⍵×⍵}⍳count with a fault when the sum is 333833500.
func sumOfSquares(count int64) *laila.Program {
	src := diag.NewSource("squares.apl", "{+/⍵×⍵}⍳1000\n")
	at := diag.Span{Src: src, Start: 0, End: 2}
	x, n, i, sum := storage("⍵", laila.F64), local("n", laila.I64), local("i", laila.I64), local("sum", laila.F64)
	left, right := local("l", laila.F64), local("r", laila.F64)
	f := &laila.Func{
		Name:    "square",
		Params:  []laila.Array{{Elem: laila.F64, Buf: x, Dims: []laila.Expr{use(n)}}},
		Results: []laila.Array{{Elem: laila.F64, Scalar: sum}},
		Body: []laila.Stmt{
			&laila.Nest{
				Kind: laila.SegRed,
				Pre:  []laila.Stmt{&laila.Decl{Var: sum, Init: &laila.Float{}}},
				Red:  []laila.Dim{{Var: i, Lo: i64(0), Hi: use(n)}},
				Accs: []laila.Acc{{Var: sum, Left: left, Right: right, Combine: bin(laila.Add, use(left), use(right))}},
				Body: []laila.Stmt{&laila.Assign{Var: sum, X: bin(laila.Add, use(sum), bin(laila.Mul, load(x, use(i)), load(x, use(i))))}},
			},
			&laila.Return{},
		},
	}
	y, j, total, unused := storage("int", laila.F64), local("j", laila.I64), local("exp", laila.F64), local("unused", laila.I64)
	main := &laila.Func{Name: "main", Body: []laila.Stmt{
		&laila.Comment{Text: `⍳1000 */ \`},
		&laila.Decl{Var: unused, Init: i64(3)},
		&laila.DeclBuf{Buf: y, Count: i64(count), Shape: []laila.Expr{i64(count)}, At: at},
		&laila.Nest{
			Kind: laila.SegMap,
			Dims: []laila.Dim{{Var: j, Lo: i64(0), Hi: i64(count)}},
			Body: []laila.Stmt{&laila.Store{Buf: y, Index: use(j), X: convert(laila.F64, bin(laila.Add, use(j), i64(1)))}},
		},
		&laila.Call{Fn: f, Args: []laila.Array{{Elem: laila.F64, Buf: y, Dims: []laila.Expr{i64(count)}}}, Results: []laila.Array{{Elem: laila.F64, Scalar: total}}},
		&laila.Free{Buf: y},
		&laila.If{Cond: bin(laila.Eq, use(total), &laila.Float{Val: 333833500}), Then: []laila.Stmt{
			&laila.Fail{Fault: tail.FaultShapes, At: at, Args: []laila.FailArg{
				{Shape: []laila.Expr{convert(laila.I64, use(total))}}, {}, {X: i64(-7)},
			}},
		}},
	}}
	return &laila.Program{Source: src, PP: 10, Funcs: []*laila.Func{f, main}, Main: main}
}

func TestFault(t *testing.T) {
	for _, target := range []Target{Sequential, OpenMP} {
		source, err := Emit(sumOfSquares(1000), Options{Target: target})
		require.NoError(t, err)
		out, err := compileAndRun(t, source)
		require.Error(t, err, source)
		require.Equal(t, "squares.apl:1:1: LENGTH ERROR: shapes 333833500 and scalar differ on axis ¯7 [E0301]\n    1 | {+/⍵×⍵}⍳1000\n      | ^^\n", out, source)
	}
}

// Big nests are shared among threads, small ones are not.
func TestThreads(t *testing.T) {
	small, err := Emit(sumOfSquares(1000), Options{Target: OpenMP})
	require.NoError(t, err)
	require.NotContains(t, small, "parallel for simd schedule(static)\n")
	require.Contains(t, small, "if (!(5.0 * (double)n > 262144.0)) {\n") // without a call of the threads' library
	require.Contains(t, small, "#pragma omp parallel for schedule(static)\n        for (int64_t block = 0; block < blocks; block++) {")
	big, err := Emit(sumOfSquares(1000000), Options{Target: OpenMP})
	require.NoError(t, err)
	require.Contains(t, big, "parallel for simd schedule(static)\n")
	_, err = compileAndRun(t, big)
	require.NoError(t, err)
}

// compileAndRun returns what the program prints on either stream.
func compileAndRun(t *testing.T, source string) (string, error) {
	t.Helper()
	cc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("gcc is not installed")
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "a.c")
	require.NoError(t, os.WriteFile(file, []byte(source), 0o644))
	args := strings.Fields("-std=gnu11 -O1 -fwrapv -fno-math-errno -fno-trapping-math -fopenmp -Wall -Wextra -Werror -Irt -o")
	args = append(args, filepath.Join(dir, "a"), file, "rt/rt.c", "-lm")
	out, err := exec.Command(cc, args...).CombinedOutput()
	require.NoError(t, err, "%s%s", out, source)
	out, err = exec.Command(filepath.Join(dir, "a")).CombinedOutput()
	return string(out), err
}
