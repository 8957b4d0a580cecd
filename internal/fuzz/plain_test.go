package fuzz

import (
	"bytes"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/internal/driver"
	"github.com/tailor-lang/tailor/tail"
	"github.com/tailor-lang/tailor/tail/eval"
)

// TestPlain runs generated programs through the evaluator as it is and with
// Env.Plain, which avoids blocks, writing in place and using arrays again.
func TestPlain(t *testing.T) {
	limit, seed := time.Duration(0), int64(1)
	if s := os.Getenv("FUZZTIME"); s != "" {
		d, err := time.ParseDuration(s)
		require.NoError(t, err)
		limit, seed = d, time.Now().UnixNano()%1e12
	}
	start := time.Now()
	for n := 0; n < batch || time.Since(start) < limit && !t.Failed(); n++ {
		text := Generate(seed + int64(n)).Text()
		p, err := driver.New(diag.NewSource("fuzz.apl", text), driver.Options{}).TAIL()
		if err != nil {
			continue
		}
		assert.Equal(t, evaluated(p, true), evaluated(p, false), "seed %d\n%s", seed+int64(n), text)
	}
}

func evaluated(p *tail.Program, plain bool) string {
	var out bytes.Buffer
	err := eval.Run(p, &eval.Env{Stdout: &out, Plain: plain})
	return out.String() + fmt.Sprint(err)
}
