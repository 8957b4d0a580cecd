package driver

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/internal/diag"
)

// Programs with a few characters taken out, doubled or changed are compiled or
// refused with an error of the source, whatever is left of them.
func TestBrokenPrograms(t *testing.T) {
	files, err := filepath.Glob("../../testdata/programs/*.apl")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	r := rand.New(rand.NewPCG(1, 2))
	faulty := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		for range 15 {
			src := diag.NewSource(file, broken(string(text), r))
			_, err := New(src, Options{}).Typed()
			if err == nil {
				continue
			}
			faulty++
			var list diag.List
			require.True(t, errors.As(err, &list), "%v\n%s", err, src.Text)
			for k, e := range list {
				require.NotEmpty(t, e.Message)
				require.NotEmpty(t, e.Render())
				require.True(t, k == 0 || list[k-1].Span.Start <= e.Span.Start, "errors out of order\n%s", src.Text)
			}
		}
	}
	require.Greater(t, faulty, len(files))
}

// broken changes some characters of a program.
func broken(text string, r *rand.Rand) string {
	runes := []rune(text)
	for range 1 + r.IntN(3) {
		i := r.IntN(len(runes))
		switch r.IntN(3) {
		case 0:
			runes = append(runes[:i:i], runes[i+1:]...)
		case 1:
			runes = append(runes[:i+1:i+1], runes[i:]...)
		default:
			runes[i] = runes[r.IntN(len(runes))]
		}
	}
	return string(runes)
}

// Errors of the parser do not hide those of inference, and a statement that
// cannot be read is the cause of no other error. A limit of the compiler, such as a
// guard whose branches differ in rank, is none of the program's errors.
func TestErrorsOfEveryKindInOneRun(t *testing.T) {
	src := diag.NewSource("a", `f←{
  a←⍵+1
  b←a+zz
  a,b
}
x←f 1 2 3
x+1 2
x←1 2 3
x[2]←yy
x+3 4
2 3+4 5 6
q←(1 2 3]
q+'a'
r←{⍺⍺ ⍵+unk}
+r 3
g←{(⍵+1}
g 3
1+'a'
h←{0=3|⍵:'Fizz' ⋄ ⍵}
h¨⍳6
`)
	_, err := New(src, Options{}).Typed()
	var list diag.List
	require.ErrorAs(t, err, &list)
	var got []string
	for _, e := range list {
		got = append(got, e.Headline())
	}
	require.Equal(t, []string{
		"a:3:7: VALUE ERROR: unknown name: zz",
		"a:9:6: VALUE ERROR: unknown name: yy",
		"a:11:4: LENGTH ERROR: shapes 2 and 3 differ on axis 1",
		"a:12:9: SYNTAX ERROR: ] closes (",
		"a:14:9: VALUE ERROR: unknown name: unk",
		"a:16:4: SYNTAX ERROR: ( is not closed before }: no )",
		"a:18:2: DOMAIN ERROR: + of characters",
	}, got)
}
