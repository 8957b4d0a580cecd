package docs

import (
	"bytes"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

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
		return list[0].Shown().String(), list[0].Headline()
	case errors.As(err, &fault):
		return fault.Shown().String(), fault.Headline()
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
		name := c.Code.String()
		page := Explain(name)
		assert.Contains(t, page, c.Kind.String()+": "+c.Title, name)
		programs := blocks(page)
		if len(programs) > 0 {
			given, text := code(programs[0])
			assert.Equal(t, name, given, "%s\n%s", programs[0], text)
		}
		if len(programs) > 1 {
			given, text := code(programs[1])
			assert.Equal(t, "", given, "%s: %s\n%s", name, programs[1], text)
		}
	}
}

var (
	constant = regexp.MustCompile(`(?m)^\t(\w+) +Code = (\d+)$`)
	mention  = regexp.MustCompile(`\bdiag\.([A-Z]\w*)`)
	inC      = regexp.MustCompile(`\bE\d{4}\b`)
	heading  = regexp.MustCompile(`(?m)^## (E\d{4}) `)
)

// made returns the codes that the sources of the compiler, and of what it runs, give
// errors.
func made(t *testing.T) []string {
	text, err := os.ReadFile("../internal/diag/codes.go")
	require.NoError(t, err)
	codes := map[string]string{}
	for _, c := range constant.FindAllStringSubmatch(string(text), -1) {
		n, err := strconv.Atoi(c[2])
		require.NoError(t, err)
		codes[c[1]] = diag.Code(n).String()
	}
	found := map[string]bool{diag.Signalled.String(): true} // of what has the flag of that name
	err = filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(path, "_test.go") || strings.Contains(path, "testdata") {
			return err
		}
		switch filepath.Ext(path) {
		case ".go":
			text, err := os.ReadFile(path)
			for _, m := range mention.FindAllStringSubmatch(string(text), -1) {
				if codes[m[1]] != "" {
					found[codes[m[1]]] = true
				}
			}
			return err
		case ".c", ".h": // of the run-time
			text, err := os.ReadFile(path)
			for _, code := range inC.FindAllString(string(text), -1) {
				found[code] = true
			}
			return err
		}
		return nil
	})
	require.NoError(t, err)
	return slices.Sorted(maps.Keys(found))
}

// TestEveryCode requires that every code that errors are given has a row and a page,
// and that there are no others.
func TestEveryCode(t *testing.T) {
	var rows, pages []string
	for _, c := range diag.Codes {
		rows = append(rows, c.Code.String())
		assert.Contains(t, c.Kind.String(), " ", c.Code)
	}
	for _, h := range heading.FindAllStringSubmatch(Errors, -1) {
		pages = append(pages, h[1])
	}
	assert.Equal(t, rows, made(t))
	assert.ElementsMatch(t, rows, pages)
}
