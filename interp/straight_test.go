package interp_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/interp"
	"github.com/tailor-lang/tailor/interp/value"
)

// statements is a compiler of statements, whose compiled forms give numbers, or no answer.
type statements struct {
	answer bool
	args   []int64
}

func (s *statements) Compile(u *interp.Unit) (interp.Compiled, error) {
	if u.Args == nil {
		return nil, errors.ErrUnsupported
	}
	return s, nil
}

func (s *statements) Ahead(int) (interp.Stretch, bool) { return interp.Stretch{}, false }

func (s *statements) Level() int { return 2 }

func (s *statements) Call(_, _ *interp.V) (*interp.V, bool) { return nil, false }

func (s *statements) CallAll(args []*interp.V) ([]*interp.V, bool) {
	for _, a := range args[:len(args)-1] {
		s.args = append(s.args, a.Ints[0])
	}
	return []*interp.V{value.Integer(70), value.Integer(80), value.Integer(90), value.Integers(nil)}, s.answer
}

// long is a program whose third statement runs for long, and assigns a name that it
// has read. The last three go with it.
const long = "x←5\n∇h\n∇\ny←x+{⍵+1}⍣{⍺=400000}x←0×x\n⎕←x\ng←{⍵}\nx y\n"

// TestAbandoned runs a statement's compiled form, which comes while it is interpreted, in
// its place, with the values that there were before; where it has no answer, the
// statement is interpreted from its beginning.
func TestAbandoned(t *testing.T) {
	for _, c := range []struct {
		compiler *statements
		want     string
	}{
		{&statements{answer: true}, "80\n90\n"},
		{&statements{}, "0\n0 400000\n"},
	} {
		prog, err := apl.Parse(diag.NewSource("test.apl", long))
		require.NoError(t, err)
		var out strings.Builder
		require.NoError(t, interp.Run(prog, &interp.Env{Stdout: &out, Compiler: c.compiler}))
		require.Equal(t, c.want, out.String())
		require.Equal(t, []int64{5}, c.compiler.args)
	}
}
