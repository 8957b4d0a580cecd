package conform

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/infer"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/tail"
	"github.com/tailor-lang/tailor/tail/eval"
	"github.com/tailor-lang/tailor/tail/opt"
)

// TestStructured evaluates the cases with functions with headers and control structures
// that have static types (package structured), as written and optimised.
func TestStructured(t *testing.T) {
	typed := 0
	for _, file := range files(t, "interp") {
		base := filepath.Base(file)
		cases, err := Expressions(file)
		require.NoError(t, err)
		for _, c := range cases {
			prog, err := apl.Parse(diag.NewSource("case.apl", c.Source))
			if err != nil || len(prog.Dynamic()) == 0 || skip(base, c.Source) {
				continue
			}
			for _, optimised := range []bool{false, true} {
				p, err := infer.Program(prog, infer.Options{})
				if err != nil {
					break
				}
				typed++
				if optimised {
					require.NoError(t, opt.Run(p, opt.Options{Verify: true}), c.Source)
				} else {
					require.NoError(t, tail.Check(p), c.Source)
				}
				var out strings.Builder
				err = eval.Run(p, &eval.Env{Stdout: &out})
				if err != nil && goesOn(err.Error()) {
					continue
				}
				if wrong := differs(c, out.String(), err); wrong != "" {
					t.Errorf("%s:%d\n%s%s", base, c.Line, c.Source, wrong)
				}
			}
		}
	}
	require.Greater(t, typed, 40)
}
