package docs

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/internal/driver"
)

// code runs a program in the evaluator and returns the code of its first error,
// or "".
func code(source string) (string, string) {
	c := driver.New(diag.NewSource("a", source+"\n"), driver.Options{Target: driver.Eval})
	err := c.Evaluate(&bytes.Buffer{}, nil)
	var list diag.List
	var fault *diag.Error
	switch {
	case err == nil:
		return "", ""
	case errors.As(err, &list):
		return list[0].Code(), list[0].Headline()
	case errors.As(err, &fault):
		return fault.Code(), fault.Headline()
	}
	return "?", err.Error()
}

// blocks returns the programs of a page.
func blocks(page string) []string {
	var all []string
	for _, part := range strings.Split(page, "```apl\n")[1:] {
		text, _, _ := strings.Cut(part, "\n```")
		all = append(all, text)
	}
	return all
}

// TestPages runs the examples of every code's page.
func TestPages(t *testing.T) {
	for _, c := range diag.Codes {
		page := Explain(c.Name)
		assert.Contains(t, page, c.Kind.String()+": "+c.Title, c.Name)
		programs := blocks(page)
		if len(programs) > 0 {
			given, text := code(programs[0])
			assert.Equal(t, c.Name, given, "%s\n%s", programs[0], text)
		}
		if len(programs) > 1 {
			given, text := code(programs[1])
			assert.Equal(t, "", given, "%s: %s\n%s", c.Name, programs[1], text)
		}
	}
}
