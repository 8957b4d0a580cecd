package format

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/tailor-lang/tailor/internal/diag"
)

func formatted(t *testing.T, text string) string {
	out, err := Source(diag.NewSource("a", text))
	require.NoError(t, err, text)
	again, err := Source(diag.NewSource("a", out))
	require.NoError(t, err, text)
	assert.Equal(t, out, again, "formatting twice")
	return out
}

// TestCases compares the layouts of testdata.
func TestCases(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		a, err := txtar.ParseFile(file)
		require.NoError(t, err)
		require.Len(t, a.Files, 2, file)
		assert.Equal(t, string(a.Files[1].Data), formatted(t, string(a.Files[0].Data)), file)
	}
}

// TestPrograms formats all programs of the repository: each has a layout that is its own.
func TestPrograms(t *testing.T) {
	count := 0
	for _, folder := range []string{"../../testdata", "../../examples", "../../bench", "../../prelude"} {
		require.NoError(t, filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || filepath.Ext(path) != ".apl" && filepath.Ext(path) != ".txtar" {
				return err
			}
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			for _, program := range append([]string{string(text)}, parts(text)...) {
				if _, err := Source(diag.NewSource(path, program)); err == nil {
					formatted(t, program)
					count++
				} else {
					assert.NotContains(t, err.Error(), "internal error", path)
				}
			}
			return nil
		}))
	}
	assert.Greater(t, count, 100)
}

// parts are the files of an archive.
func parts(text []byte) (all []string) {
	for _, f := range txtar.Parse(text).Files {
		all = append(all, string(f.Data))
	}
	return all
}

// TestUnreadable leaves texts alone that are no programs.
func TestUnreadable(t *testing.T) {
	for _, text := range []string{"x←'abc\n", "x←1\x00", "\xff", "x←“a”"} {
		_, err := Source(diag.NewSource("a", text))
		var list diag.List
		assert.ErrorAs(t, err, &list, text)
	}
}

// FuzzFormat formats twice, and compares tokens.
func FuzzFormat(f *testing.F) {
	files, err := filepath.Glob("../../testdata/programs/*.apl")
	require.NoError(f, err)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(f, err)
		if len(text) < 2000 {
			f.Add(string(text))
		}
	}
	f.Add("∇ r←f x;a ;b\n\n\n:If x ⋄ r←1 ⋄ :Else\nr ← 2\n:EndIf\n  ∇\n")
	f.Add("f←{ ⍝: int → int\n(⍵ ; 3 ⋄ 4 )⍝ x\n\t}\r\n a ← 3 ⍝ b\n:Namespace n\nL: :While 1\n:Until 2\n:OrIf 3\n:EndNamespace")
	f.Fuzz(func(t *testing.T, text string) {
		out, err := Source(diag.NewSource("a", text))
		if err != nil {
			if strings.HasPrefix(err.Error(), "internal error") {
				t.Fatalf("%v: %q", err, text)
			}
			return
		}
		again, err := Source(diag.NewSource("a", out))
		if err != nil || again != out {
			t.Fatalf("%q becomes %q and then %q (%v)", text, out, again, err)
		}
	})
}
