package golden

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/tailor-lang/tailor/internal/driver"
)

// fileCase is an archive of testdata/files: files, programs that read and
// write files in one directory, what each program prints, and what is written.
type fileCase struct {
	archive  *txtar.Archive
	files    map[string]string
	programs []Program
}

// readFileCase reads an archive. A section FILE.quoted holds the lines of a
// Go string each, for bytes that an editor would change.
func readFileCase(t *testing.T, name string) *fileCase {
	t.Helper()
	archive, err := txtar.ParseFile(name)
	require.NoError(t, err)
	c := &fileCase{archive: archive, files: map[string]string{}}
	args := map[string][]string{}
	for _, f := range archive.Files {
		text := string(f.Data)
		switch ext := filepath.Ext(f.Name); ext {
		case ".apl":
			c.programs = append(c.programs, Program{Name: f.Name, Source: text})
		case ".args":
			args[strings.TrimSuffix(f.Name, ext)+".apl"] = strings.Split(strings.TrimSuffix(text, "\n"), "\n")
		case ".out", ".written":
		case ".quoted":
			var b strings.Builder
			for line := range strings.Lines(text) {
				s, err := strconv.Unquote(strings.TrimSpace(line))
				require.NoError(t, err, "%s: %s", f.Name, line)
				b.WriteString(s)
			}
			c.files[strings.TrimSuffix(f.Name, ext)] = b.String()
		default:
			c.files[f.Name] = text
		}
	}
	for i := range c.programs {
		c.programs[i].Args = args[c.programs[i].Name]
	}
	return c
}

// enter makes a new directory with the files the working directory.
func (c *fileCase) enter(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	require.NoError(t, os.Mkdir("folder", 0o700))
	for name, text := range c.files {
		require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
	}
}

// compare compares outcomes, and the files that were written, with the
// archive's; with -update the archive's are replaced.
func (c *fileCase) compare(t *testing.T, got []Outcome, rewrite bool) {
	t.Helper()
	outcomes := map[string]string{}
	for i, p := range c.programs {
		outcomes[strings.TrimSuffix(p.Name, ".apl")+".out"] = got[i].String()
	}
	for i, f := range c.archive.Files {
		want := string(f.Data)
		var now string
		switch ext := filepath.Ext(f.Name); ext {
		case ".out":
			now = outcomes[f.Name]
		case ".written":
			text, err := os.ReadFile(strings.TrimSuffix(f.Name, ext))
			assert.NoError(t, err)
			now = strconv.Quote(string(text)) + "\n"
		default:
			continue
		}
		if rewrite {
			c.archive.Files[i].Data = []byte(now)
			continue
		}
		assert.Equal(t, want, now, f.Name)
	}
}

// TestFiles runs programs that read and write files in the evaluator, before
// and after optimisation, and in C.
func TestFiles(t *testing.T) {
	names, err := filepath.Glob("testdata/files/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, names)
	for _, name := range names {
		file, err := filepath.Abs(name)
		require.NoError(t, err)
		c := readFileCase(t, name)
		routes := map[string]func(*testing.T) []Outcome{
			"optimised": func(*testing.T) []Outcome { return each(c.programs, EvaluateOptimised) },
			"C": func(t *testing.T) []Outcome {
				k, err := NewBackend(driver.C)
				if err != nil {
					t.Skip(err)
				}
				return k.Run(c.programs)
			},
		}
		base := strings.TrimSuffix(filepath.Base(name), ".txtar")
		t.Run(base, func(t *testing.T) {
			c.enter(t)
			c.compare(t, each(c.programs, Evaluate), *update)
			if *update {
				require.NoError(t, os.WriteFile(file, txtar.Format(c.archive), 0o666))
			}
		})
		for route, run := range routes {
			t.Run(base+"/"+route, func(t *testing.T) {
				c.enter(t)
				c.compare(t, run(t), false)
			})
		}
	}
}

func each(list []Program, run func(Program) Outcome) []Outcome {
	var all []Outcome
	for _, p := range list {
		all = append(all, run(p))
	}
	return all
}
