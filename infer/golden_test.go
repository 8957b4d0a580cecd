package infer

import (
	"flag"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/internal/transcript"
	"github.com/tailor-lang/tailor/tail"
)

var update = flag.Bool("update", false, "rewrite the expected output under testdata")

// TestTail holds the TAIL of small programs to the golden file.
func TestTail(t *testing.T) {
	transcript.Check(t, "testdata/tail.txt", *update, func(source string) string {
		p, err := compile("a", source)
		if err != nil {
			return fault(err)
		}
		require.NoError(t, tail.Check(p), source)
		return p.String()
	})
}

// TestErrors holds messages to the golden file.
func TestErrors(t *testing.T) {
	transcript.Check(t, "testdata/errors.txt", *update, func(source string) string {
		p, err := compile("a", source)
		if err != nil {
			return fault(err)
		}
		return "no error\n" + p.String()
	})
}
