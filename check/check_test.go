package check

import (
	"flag"
	"strings"
	"testing"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/infer"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/internal/transcript"
)

var update = flag.Bool("update", false, "rewrite the expected output under testdata")

// verdict checks a program and returns what users see.
func verdict(source string) string {
	tree, err := apl.Parse(diag.NewSource("a", source))
	if err != nil {
		return err.Error()
	}
	var out strings.Builder
	r := Program(tree, infer.Options{})
	r.WriteLines(&out)
	for _, e := range r.Errors {
		out.WriteString(e.Headline() + "\n")
		for _, n := range e.Notes {
			out.WriteString("  " + n.Message + "\n")
		}
	}
	return out.String()
}

// TestVerdicts holds verdicts to the golden file.
func TestVerdicts(t *testing.T) { transcript.Check(t, "testdata/verdicts.txt", *update, verdict) }

// TestStrangers holds the verdicts on annotations as people write them who know
// the reference page only, right and wrong ones.
func TestStrangers(t *testing.T) { transcript.Check(t, "testdata/strangers.txt", *update, verdict) }
