package tail_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/infer"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/tail"
	"github.com/tailor-lang/tailor/tail/eval"
	"github.com/tailor-lang/tailor/tail/opt"
)

// TestProgramsOptimise runs every pass over the programs under testdata and
// compares what they print.
func TestProgramsOptimise(t *testing.T) {
	files, err := filepath.Glob("../testdata/programs/*.apl")
	require.NoError(t, err)
	t.Chdir("..")
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			text, err := os.ReadFile(file[len("../"):])
			require.NoError(t, err)
			want := run(t, compile(t, file, string(text)))
			p := compile(t, file, string(text))
			require.NoError(t, tail.Check(p))
			start := time.Now()
			err = opt.Run(p, opt.Options{Verify: true})
			require.NoError(t, err)
			t.Log("optimised in", time.Since(start))
			assert.Equal(t, want, run(t, p))
			again, err := tail.ParseText(p.String())
			require.NoError(t, err)
			assert.Equal(t, p.String(), again.String())
		})
	}
}

func compile(t *testing.T, name, text string) *tail.Program {
	t.Helper()
	ast, err := apl.Parse(diag.NewSource(name, text))
	require.NoError(t, err)
	p, err := infer.Program(ast, infer.Options{})
	require.NoError(t, err)
	return p
}

func run(t *testing.T, p *tail.Program) string {
	t.Helper()
	var out bytes.Buffer
	if err := eval.Run(p, &eval.Env{Stdout: &out}); err != nil {
		return out.String() + err.Error()
	}
	return out.String()
}
