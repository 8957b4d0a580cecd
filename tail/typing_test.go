package tail

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// typesOf parses a list of types separated by semicolons.
func typesOf(t *testing.T, text string) []Type {
	t.Helper()
	var all []Type
	for _, part := range strings.Split(text, ";") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		ty, err := ParseType(part)
		require.NoError(t, err)
		all = append(all, ty)
	}
	return all
}

func TestResultType(t *testing.T) {
	for _, c := range []struct {
		op   Op
		axis int
		args string
		want string // a type, or ! and a message
	}{
		{OpAddI, 0, "int; int", "int"},
		{OpAddI, 0, "S(int,n); S(int,2)", "S(int,n+2)"},
		{OpAddI, 0, "S(int,9223372036854775807); S(int,2)", "int"},
		{OpMulI, 0, "S(int,n); S(int,2)", "S(int,2×n)"},
		{OpLtI, 0, "S(int,n); S(int,n+2)", "S(bool,1)"},
		{OpEqI, 0, "S(int,n); S(int,m)", "bool"},
		{OpB2I, 0, "S(bool,1)", "S(int,1)"},
		{OpAddD, 0, "int; double", "!addd: argument 1 has elements of type int, not double"},
		{OpAddI, 0, "[int]1; int", "!addi: argument 1 has rank 1, not 0"},
		{OpIota, 0, "S(int,n)", "<int>n"},
		{OpIota, 0, "S(int,3)", "<int>3{1,2,3}"},
		{OpIota, 0, "S(int,¯3)", "!¯3 is negative"},
		{OpIota, 0, "int", "[int]1"},
		{OpIota, 0, "<int>0{}", "!iota: argument 1 has rank 1, not 0"},
		{OpEach, 0, "int → double; [n,3]int", "[n,3]double"},
		{OpZipWith, 0, "int → int → bool; [_,3]int; [n,3]int", "[n,3]bool"},
		{OpZipWith, 0, "int → int → bool; [2,3]int; [2,4]int", "!shapes 2 3 and 2 4 differ on axis 2"},
		{OpZipWith, 0, "int → int → bool; <int>n; <int>(n+1)", "!shapes n and n+1 differ on axis 1"},
		{OpZipWith, 0, "int → int → bool; [int]1; [int]2", "!shapes _ and _ _ have different ranks"},
		{OpReduce, 1, "int → int → int; int; [n,m]int", "<int>n"},
		{OpReduce, 0, "int → int → int; int; [n,m]int", "<int>m"},
		{OpReduceWin, 0, "int → int → int; S(int,2); <int>n", "<int>(n-1)"},
		{OpOuter, 0, "int → int → bool; <int>n; <int>m", "[n,m]bool"},
		{OpInner, 0, "int → int → int; int → int → int; int; [n,m]int; [m,k]int", "[n,k]int"},
		{OpInner, 0, "int → int → int; int → int → int; int; [n,2]int; [3,k]int", "!shapes n 2 and 3 k: the last axis of the left and the first axis of the right differ"},
		{OpChain, 0, "int → double → double → double; double; [n,m]int; [m,k]double", "[n,k]double"},
		{OpShape, 0, "[n,3]int", "<int>2{n,3}"},
		{OpShape, 0, "<int>n", "SV(int,n)"},
		{OpTally, 0, "[n,3]int", "S(int,n)"},
		{OpCount, 0, "[n,3]int", "S(int,3×n)"},
		{OpReshape, 0, "<int>2{n,3}; [int]1", "[n,3]int"},
		{OpReshape, 0, "[int]1; [int]1", "!the rank of the result of ⍴ is the length of its left argument, which is not known"},
		{OpReverse, 0, "<int>3{1,n,3}", "<int>3{3,n,1}"},
		{OpRotate, 0, "S(int,¯1); <int>3{1,2,3}", "<int>3{3,1,2}"},
		{OpTransp, 0, "[n,3,4]int", "[4,3,n]int"},
		{OpTransp2, 0, "<int>3{2,1,3}; [n,3,4]int", "[3,n,4]int"},
		{OpTransp2, 0, "<int>2{1,1}; [3,4]int", "<int>3"},
		{OpTransp2, 0, "<int>2{1,3}; [3,4]int", "!the left argument is not a valid choice of axes for shape 3 4"},
		{OpTake, 0, "S(int,¯2); <int>3{1,2,3}", "<int>2{2,3}"},
		{OpTake, 0, "SV(int,5); <int>3{1,2,3}", "<int>5{1,2,3,0,0}"},
		{OpTake, 0, "SV(int,n); [3,4]int", "[n,4]int"},
		{OpDrop, 0, "S(int,1); <int>(n+1)", "<int>n"},
		{OpDrop, 0, "S(int,1); <int>n", "[int]1"},
		{OpDrop, 0, "S(int,¯1); <int>3{1,2,3}", "<int>2{1,2}"},
		{OpDrop, 0, "<int>3; [3,4]int", "!3 counts for an array of shape 3 4"},
		{OpFirst, 0, "SV(int,n)", "S(int,n)"},
		{OpCat, 0, "<int>n; <int>m", "<int>(m+n)"},
		{OpCat, 0, "SV(int,n); SV(int,m)", "<int>2{n,m}"},
		{OpCat, 1, "[2,n]int; [3,n]int", "!shapes 2 n and 3 n cannot be catenated: axis 1 differs"},
		{OpCons, 0, "int; <int>15", "<int>16"},
		{OpSnoc, 0, "SV(int,1); S(int,2)", "<int>2{1,2}"},
		{OpLaminate, 0, "<int>n; <int>n", "[2,n]int"},
		{OpCompress, 0, "[bool]1; <int>n", "[int]1"},
		{OpCompress, 0, "<bool>3{1,0,1}; <int>3{1,2,3}", "<int>2{1,3}"},
		{OpReplicate, 0, "<int>3{1,0,2}; [3,n]int", "[3,n]int"},
		{OpExpand, 0, "<int>3{1,0,2}; [2,n]int", "[4,n]int"},
		{OpIndex, 0, "[3,n]int; int; ()", "<int>n"},
		{OpIndex, 0, "<int>3{4,5,6}; S(int,2)", "S(int,5)"},
		{OpIndex, 0, "<int>3; S(int,4)", "!index 4 is outside 1…3 on axis 1"},
		{OpIndex, 0, "[3,3]int; S(int,4)", "!1 indices for an array of shape 3 3"},
		{OpUpdate, 0, "[3,n]int; int; (); <int>n", "[3,n]int"},
		{OpEncode, 0, "<int>8; <int>n", "[8,n]int"},
		{OpDecode, 0, "<int>8; [8,n]int", "<int>n"},
		{OpMatInv, 0, "[4,3]double", "[3,4]double"},
		{OpPower, 0, "([double]2, int) → ([double]2, int); int; ([3,3]double, S(int,0))", "([double]2, int)"},
		{OpWhile, 0, "int → bool; int → S(int,3); int", "int"},
		{OpGradeUp, 0, "[n,3]double", "<int>n"},
	} {
		ty, bad := ResultType(c.op, typesOf(t, c.args), c.axis, nil)
		name := c.op.String() + " " + c.args
		if strings.HasPrefix(c.want, "!") {
			if assert.NotNil(t, bad, name) {
				assert.Equal(t, c.want[1:], bad.Message(), name)
			}
			continue
		}
		if assert.Nil(t, bad, name) {
			want, err := ParseType(c.want)
			require.NoError(t, err)
			assert.True(t, Equal(want, ty), "%s: %s, not %s", name, ty, want)
		}
	}
}

func TestSchemesParse(t *testing.T) {
	for _, op := range Ops() {
		assert.NotNil(t, SchemeOf(op), op)
		assert.True(t, op.Row().Scalar || typingRules[op] != nil, op)
	}
}

func TestJoin(t *testing.T) {
	for _, c := range [][3]string{
		{"S(int,3)", "S(int,4)", "int"},
		{"<int>3{1,2,3}", "<int>3{1,n,3}", "<int>3{1,_,3}"},
		{"[3,n]int", "[4,n]int", "[_,n]int"},
		{"int", "double", ""},
	} {
		all := typesOf(t, c[0]+";"+c[1])
		join, ok := Join(all[0], all[1])
		if assert.Equal(t, c[2] != "", ok); ok {
			assert.True(t, Equal(join, typesOf(t, c[2])[0]), join)
			assert.True(t, Subtype(all[0], join))
		}
	}
	a := typesOf(t, "SV(int,3);<int>1")
	assert.True(t, Subtype(a[0], a[1]))
}
