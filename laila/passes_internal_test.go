package laila

import (
	goflag "flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/pass"
	"github.com/tailor-lang/tailor/tail"
	"github.com/tailor-lang/tailor/tail/opt"
)

var update = goflag.Bool("update", false, "rewrite the programs behind the passes")

// TestPasses runs passes on the loops of testdata/passes, a file a pass: what is
// in NAME before and after it. Nothing is known of variables but what the loops say.
func TestPasses(t *testing.T) {
	files, err := filepath.Glob("testdata/passes/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		pass := strings.TrimSuffix(filepath.Base(file), ".txtar")
		t.Run(pass, func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			require.NoError(t, err)
			for i := 0; i+1 < len(archive.Files); i += 2 {
				before, after := archive.Files[i], &archive.Files[i+1]
				require.Equal(t, strings.TrimSuffix(before.Name, " before"), strings.TrimSuffix(after.Name, " after"))
				got := rewritten(t, pass, string(before.Data))
				if *update {
					after.Data = []byte(got)
				}
				require.Equal(t, string(after.Data), got, before.Name)
			}
			if *update {
				require.NoError(t, os.WriteFile(file, txtar.Format(archive), 0o666))
			}
		})
	}
}

// rewritten returns loops after a pass, for a CPU, with relaxed arithmetic; passes may
// change the kinds of arrays.
func rewritten(t *testing.T, asked, text string) string {
	t.Helper()
	p, err := ir.Parse(text)
	require.NoError(t, err)
	require.NoError(t, ir.Check(p))
	l := newPipeline(&tail.Program{}, Options{Target: pass.CPU, Relaxed: true, Verify: true})
	l.Out = p
	l.opts.Before = func(name string) bool { return name == asked || isWithin(name, asked) || name == "narrow" }
	l.enable()
	l.rewrite()
	return p.Text()
}

func isWithin(name, other string) bool {
	return slices.ContainsFunc(passes, func(p entry) bool { return p.name == name && p.within == other })
}

// TestPassTable says what holds of the rows of the table.
func TestPassTable(t *testing.T) {
	over, _ := opt.Passes()
	names, docs := Passes()
	require.Equal(t, len(names), len(docs))
	for i, name := range names {
		require.NotContains(t, over, name)
		require.Equal(t, i, slices.Index(names, name), "%s is there twice", name)
		require.NotEmpty(t, docs[i])
	}
	for _, p := range passes {
		require.NotZero(t, p.on, p.name)
		require.False(t, p.run != nil && p.whole != nil, p.name)
		require.False(t, p.sweeps && p.run == nil, p.name)
		if p.within != "" {
			require.Contains(t, names, p.within, p.name)
		}
	}
}

// TestUpto stops the lowering behind each of its passes.
func TestUpto(t *testing.T) {
	var after []string
	lower := func(n int) int {
		after = nil
		begun := 0
		l := newPipeline(&tail.Program{}, Options{Target: pass.CPU, Verify: true})
		l.opts.Before = func(string) bool { begun++; return begun <= n }
		l.opts.After = func(pass string, _ *ir.Program) { after = append(after, pass) }
		l.Out.Main = &ir.Func{Name: "main"}
		l.enable()
		l.rewrite()
		return begun
	}
	all := lower(1000)
	require.Equal(t, "handover", after[len(after)-1])
	whole := len(after)
	lower(all - 2) // without breaks, and what comes behind it but for what always runs
	require.Equal(t, whole-2, len(after))
	require.Contains(t, after, "frees")
	lower(0)
	require.Equal(t, []string{"frees"}, after)
}

// fileMap matches a line of a file map.
var fileMap = regexp.MustCompile(`(?m)^//\t\S+\.go `)

// TestFileMap says that the documentation of this package, and of those below it
// that have a map of files, names all files, and no others.
func TestFileMap(t *testing.T) {
	docs, err := filepath.Glob("*/doc.go")
	require.NoError(t, err)
	for _, doc := range append(docs, "doc.go") {
		text, err := os.ReadFile(doc)
		require.NoError(t, err)
		dir := filepath.Dir(doc)
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		require.NoError(t, err)
		files = slices.DeleteFunc(files, func(f string) bool { return strings.HasSuffix(f, "_test.go") || f == doc })
		if !fileMap.Match(text) {
			continue
		}
		named := map[string]bool{}
		for _, pattern := range strings.Fields(string(text)) {
			if !strings.HasSuffix(pattern, ".go") || strings.Contains(pattern, "/") {
				continue
			}
			list, err := filepath.Glob(filepath.Join(dir, pattern))
			require.NoError(t, err)
			require.NotEmpty(t, list, "%s: there is no file %s", doc, pattern)
			for _, file := range list {
				named[file] = true
			}
		}
		for _, file := range files {
			require.True(t, named[file], "%s does not name %s", doc, file)
		}
	}
}
