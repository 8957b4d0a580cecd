package tail

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/tailor-lang/tailor/array"
)

func TestCheckRefuses(t *testing.T) {
	one := func() Expr { return NewLit(At{}.Where, array.ScalarInt(1)) }
	v := &Var{Name: "v", Type: Scalar(array.Int)}
	ref := &Ref{Var: v}
	for want, e := range map[string]Expr{
		"outside its scope":                ref,
		"is bound twice":                   &Let{Var: v, Bind: one(), Body: &Let{Var: v, Bind: one(), Body: ref}},
		"has type [double]1, its argument": &Apply{Op: OpIota, Args: []Expr{one()}, Ty: Ranked(array.Double, 1)},
		"not double":                       &Apply{Op: OpNegD, Args: []Expr{one()}, Ty: Scalar(array.Double)},
		"takes 2 arguments, not 1":         &Apply{Op: OpAddI, Args: []Expr{one()}, Ty: Scalar(array.Int)},
		"a condition has type":             &If{Cond: one(), Then: one(), Else: one(), Ty: Scalar(array.Int)},
		"a branch has type":                &If{Cond: NewLit(At{}.Where, array.ScalarBool(true)), Then: one(), Else: one(), Ty: Scalar(array.Double)},
		"a function where a value belongs": &Lam{Body: one()},
		"not in the program":               &Call{Fn: &Func{Name: "f"}, Ty: Unit},
	} {
		err := Check(&Program{Main: e})
		if assert.Error(t, err, want) {
			assert.Contains(t, err.Error(), want)
			assert.Contains(t, err.Error(), "internal error: ")
		}
	}
}

// TestConforms holds the typing rules and the schemes of the op table against
// each other.
func TestConforms(t *testing.T) {
	for _, c := range []struct {
		op           Op
		args, result string
		want         bool
	}{
		{OpReduce, "int → int → int; int; [int]3", "[int]2", true},
		{OpReduce, "int → int → int; int; [int]3", "[int]3", false},
		{OpReduce, "int → int → int; double; [int]3", "[int]2", false},
		{OpReshape, "<int>3; [char]1", "[char]3", true},
		{OpReshape, "<int>3; [char]1", "[char]2", false},
		{OpOuter, "int → double → bool; [int]2; [double]1", "[bool]3", true},
		{OpOuter, "int → double → bool; [int]2; [double]1", "[bool]2", false},
		{OpIndex, "[int]2; [int]1; ()", "[int]2", true},
		{OpEncode, "[char]1; [char]1", "[char]2", false},
	} {
		err := Conforms(c.op, typesOf(t, c.args), typesOf(t, c.result)[0])
		assert.Equal(t, c.want, err == nil, "%v %s → %s: %v", c.op, c.args, c.result, err)
	}
}
