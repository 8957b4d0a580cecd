package gradual_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/internal/gradual"
)

// TestForesee finds the calls whose types are seen in the text of a program that has
// none as a whole, and loops: not those inside of others that are compiled, nor those of unknown
// arguments.
func TestForesee(t *testing.T) {
	const unknown = "x←⎕JSON'3'\n"
	for _, c := range []struct {
		source string
		want   []string
	}{
		{"k←7\nf←{⍵=0:⍺ ⋄ (⍺+k)∇⍵-1}\n0 f 10", []string{"3:3 {⍵=0:⍺ ⋄ (⍺+k)∇⍵-1} [int]0 [int]0", "2:1 to line 4"}},
		{"f←{⍵+1}\ng←{f ⍵}\ng 2.5", []string{"3:3 {f ⍵} [double]0", "2:1 to line 4"}},
		{"f←{⍵+1}\n+/{f ⍵}¨⍳1000", []string{"3:3 {f ⍵}¨ [int]1", "2:1 to line 3"}},
		{"f←{⍵+1}\nf x\nf¨3 3⍴⍳9", []string{"2:3 {⍵+1}¨ [int]1", "4:1 f¨3 3⍴⍳9"}},
		{"t←⍳1000\nf←{t[⍵]}\nf 3 4", []string{"3:3 {t[⍵]} [int]1", "2:1 to line 4"}},
		{"f←{⍵×2}\ng←{y←f 3 ⋄ ⎕JSON ⍵}\ng 3", []string{"2:3 {⍵×2} [int]0"}},
		{"f←{⍵÷2}\ns←1\n:For i :In ⍳10\n  s←f s+i\n:EndFor", []string{"2:3 {⍵÷2} [int]0", "2:3 {⍵÷2} [double]0", "4:1 :For i :In ⍳10 :For [int]0 [double]0 [int]1 [int]0"}},
		{"f←{⍵,1}\n∇main;i\n  i←3\n  ⎕←f i\n∇\nmain", []string{"2:3 {⍵,1} [int]0", "4:3 to line 5"}},
		{"∇main;i;v;s\n  v←⍳9\n  s←+/v\n  :For i :In v\n    s+←i\n  :EndFor\n  s+←1\n  ⎕←s\n  x\n∇\nmain", []string{"3:3 to line 9"}},
		{"f←{⍵+x}\nf 3", nil},
		{"tw←{⍺⍺ ⍺⍺ ⍵}\nx\n{⍵×3}tw 2\n-tw 5", []string{"2:4 {⍺⍺ ⍺⍺ ⍵} [int]0", "2:4 {⍺⍺ ⍺⍺ ⍵} [int]0", "4:1 to line 5"}},
		{"h←{⍵+1}\nit←{0=⍵⍵:⍵ ⋄ ⍺⍺ ⍵}\n(h it 3)¨⍳9", []string{"3:4 {0=⍵⍵:⍵ ⋄ ⍺⍺ ⍵}¨ [int]1", "4:1 (h it 3)¨⍳9"}},
		{"s←0\n:For i :In ⍳9\ns+←i\n:EndFor", []string{"3:1 :For i :In ⍳9 :For [int]0 [int]0 [int]1 [int]0"}},
		{"s←0\n:For i :In ⍳9\ns←s+0.5×i\n:EndFor", []string{"3:1 :For i :In ⍳9 :For [int]0 [double]0 [int]1 [int]0"}},
		{"∇main;i;v\ni←0 ⋄ v←⍳5\n:While i<9\ni+←v[2]\n:EndWhile\n∇\nmain", []string{"3:7 to line 6 [int]0"}},
		{"s←0\n:For i :In ⍳9\n:For j :In ⍳i\ns+←j\n:EndFor\n⎕←s\n:EndFor", []string{"4:1 :For j :In ⍳i :For [int]0 [int]0 [int]1 [int]0"}},
		{"s←0\n:For i :In x\ns+←i\n:EndFor", nil},
	} {
		tree, err := apl.Parse(diag.NewSource("test.apl", unknown+c.source))
		require.NoError(t, err, c.source)
		var got []string
		for _, u := range gradual.Foresee(tree) {
			got = append(got, strings.TrimPrefix(gradual.Title(u), "test.apl:"))
		}
		require.Equal(t, c.want, got, c.source)
	}
}
