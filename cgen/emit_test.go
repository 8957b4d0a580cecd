package cgen

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/tail"
)

func i64(v int64) ir.Expr                       { return &ir.Int{Val: v, K: ir.I64} }
func use(v *ir.Var) ir.Expr                     { return v.Use() }
func bin(op ir.BinOp, x, y ir.Expr) ir.Expr     { return op.Of(x, y) }
func local(name string, k ir.Kind) *ir.Var      { return &ir.Var{Name: name, Kind: k} }
func storage(name string, k ir.Kind) *ir.Buf    { return &ir.Buf{Name: name, Elem: k} }
func load(b *ir.Buf, index ir.Expr) ir.Expr     { return b.Load(index) }
func convert(to ir.Kind, x ir.Expr) *ir.Convert { return &ir.Convert{To: to, X: x} }

// sumOfSquares is {+/⍵×⍵}⍳count with a fault when the sum is 333833500.
func sumOfSquares(count int64) *ir.Program {
	src := diag.NewSource("squares.apl", "{+/⍵×⍵}⍳1000\n")
	at := diag.Span{Src: src, Start: 0, End: 2}
	x, n, i, sum := storage("⍵", ir.F64), local("n", ir.I64), local("i", ir.I64), local("sum", ir.F64)
	left, right := local("l", ir.F64), local("r", ir.F64)
	f := &ir.Func{
		Name:    "square",
		Params:  []ir.Array{{Elem: ir.F64, Buf: x, Dims: []ir.Expr{use(n)}}},
		Results: []ir.Array{{Elem: ir.F64, Scalar: sum}},
		Body: []ir.Stmt{
			&ir.Nest{
				Kind: ir.SegRed,
				Pre:  []ir.Stmt{sum.Decl(&ir.Float{})},
				Red:  []ir.Dim{{Var: i, Lo: i64(0), Hi: use(n)}},
				Accs: []ir.Acc{{Var: sum, Left: left, Right: right, Combine: bin(ir.OpAdd, use(left), use(right))}},
				Body: []ir.Stmt{sum.Assign(bin(ir.OpAdd, use(sum), bin(ir.OpMul, load(x, use(i)), load(x, use(i)))))},
			},
			&ir.Return{},
		},
	}
	y, j, total, unused := storage("int", ir.F64), local("j", ir.I64), local("exp", ir.F64), local("unused", ir.I64)
	main := &ir.Func{Name: "main", Body: []ir.Stmt{
		&ir.Comment{Text: `⍳1000 */ \`},
		unused.Decl(i64(3)),
		&ir.DeclBuf{Buf: y, Count: i64(count), Shape: []ir.Expr{i64(count)}, At: at},
		&ir.Nest{
			Kind: ir.SegMap,
			Dims: []ir.Dim{{Var: j, Lo: i64(0), Hi: i64(count)}},
			Body: []ir.Stmt{y.Store(use(j), convert(ir.F64, bin(ir.OpAdd, use(j), i64(1))))},
		},
		&ir.Call{Fn: f, Args: []ir.Array{{Elem: ir.F64, Buf: y, Dims: []ir.Expr{i64(count)}}}, Results: []ir.Array{{Elem: ir.F64, Scalar: total}}},
		&ir.Free{Buf: y},
		&ir.If{Cond: bin(ir.OpEq, use(total), &ir.Float{Val: 333833500}), Then: []ir.Stmt{
			&ir.Fail{Fault: tail.FaultShapes, At: at, Args: []ir.FailArg{
				{Shape: []ir.Expr{convert(ir.I64, use(total))}}, {}, {X: i64(-7)},
			}},
		}},
	}}
	return &ir.Program{Source: src, PP: 10, Funcs: []*ir.Func{f, main}, Main: main}
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
	args := strings.Fields("-std=gnu11 -O1 -fwrapv -fno-math-errno -fno-trapping-math -fopenmp -Wall -Wextra -Werror -Irt -I../internal/formulas -o")
	args = append(args, filepath.Join(dir, "a"), file, "rt/rt.c", "-lm")
	out, err := exec.Command(cc, args...).CombinedOutput()
	require.NoError(t, err, "%s%s", out, source)
	out, err = exec.Command(filepath.Join(dir, "a")).CombinedOutput()
	return string(out), err
}

// TestDivides says which branches of choices are not computed where they are not taken.
func TestDivides(t *testing.T) {
	v := (&ir.Var{Name: "v", Kind: ir.I64}).Use()
	require.True(t, divides(ir.OpAdd.Of(v, ir.OpQuo.Of(v, v))))
	require.True(t, divides(ir.OpRem.Of(v, v)))
	require.False(t, divides(ir.OpMul.Of(v, v)))
}
