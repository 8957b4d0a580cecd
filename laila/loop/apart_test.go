package loop_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/laila/lowertest"
)

// TestApart says which loops become nests, and where they are split or tested
// before.
func TestApart(t *testing.T) {
	const paths = "d←{d←⍵ ⋄ n←≢d ⋄ _←{k←⍵ ⋄ _←{i←⍵ ⋄ _←{d[i;⍵]⌊←d[i;k]+d[k;⍵]}¨⍳n ⋄ 0}¨⍳n ⋄ 0}¨⍳n ⋄ d}"
	const lu = "f←{m←⍵ ⋄ n←≢m ⋄ _←{k←⍵ ⋄ _←{i←⍵ ⋄ _←{m[i;⍵]-←m[i;k]×m[k;⍵]}¨k↓⍳n ⋄ 0}¨k↓⍳n ⋄ 0}¨⍳n ⋄ m}"
	cases := []struct {
		source string
		nests  int  // more than without the pass
		split  bool // at the iteration that changes what others read
	}{
		{paths + "\nd 20 20⍴÷⍳400", 2, true},
		{lu + "\nf 20 20⍴÷⍳400", 1, false},
		{"f←{v←⍵ ⋄ _←{v[⍵+1]←v[⍵]×0.5}¨⍳19 ⋄ v}\nf÷⍳20", 0, false},  // the next one reads it
		{"f←{v←⍵ ⋄ _←{v[⍵+20]←v[⍵]×0.5}¨⍳20 ⋄ v}\nf÷⍳40", 1, false}, // none of them does
		{"f←{v←⍵ ⋄ _←{v[⍵+19]←v[⍵]×0.5}¨⍳20 ⋄ v}\nf÷⍳40", 0, false}, // the last one does
		{"f←{v←⍵ ⋄ _←{v[⍵]←v[21-⍵]×0.5}¨⍳20 ⋄ v}\nf÷⍳20", 0, false}, // the halves meet
		{"f←{v←⍵ ⋄ _←{v[⍵]←v[7]×0.5}¨⍳20 ⋄ v}\nf÷⍳20", 2, true},
		{"f←{v←⍵ ⋄ _←{v[⍵]←v[7]×0.5}¨⍳6 ⋄ v}\nf÷⍳20", 0, false}, // short
	}
	for _, c := range cases {
		with, without := lowertest.Optimised(t, c.source).String(), lowertest.Optimised(t, c.source, "apart").String()
		require.Equal(t, c.nests, strings.Count(with, "segmap")-strings.Count(without, "segmap"), "%s\n%s", c.source, with)
		require.Equal(t, c.split, strings.Contains(with, "var at: i64"), "%s\n%s", c.source, with)
	}
}

// TestTables says which arrays are known to stay in 16 or 32 bits, or never to
// overflow.
func TestTables(t *testing.T) {
	cases := []struct {
		source, kind string
		overflow     bool
	}{
		{"f←{d←⍵ ⋄ _←{i←⍵ ⋄ _←{d[i;⍵]⌈←1+d[1;⍵] ⋄ 0}¨⍳40 ⋄ 0}¨⍳40 ⋄ d}\n⌈/,f 40 40⍴1+100|⍳1600", "i16[1600]", false},
		{"f←{d←⍵ ⋄ _←{i←⍵ ⋄ _←{d[i;⍵]⌊←d[i;1]+d[1;⍵] ⋄ 0}¨⍳40 ⋄ 0}¨⍳40 ⋄ d}\n⌈/,f 40 40⍴¯50+100|⍳1600", "i64[1600]", true},
		{"f←{d←⍵ ⋄ _←{d[⍵+1]←1+d[⍵]}¨⍳39 ⋄ d}\n⌈/,f 40⍴0", "i16[40]", false},
		{"f←{d←⍵ ⋄ _←{d[⍵+1]←9000+d[⍵]}¨⍳39 ⋄ d}\n⌈/,f 40⍴0", "i32[40]", false},
		{"f←{d←⍵ ⋄ _←{d[⍵+1]←d[⍵]+d[⍵]}¨⍳39 ⋄ d}\n⌈/,f 40⍴1", "i64[40]", true},
	}
	for _, c := range cases {
		out := lowertest.Optimised(t, c.source).String()
		require.Contains(t, out, c.kind, "%s\n%s", c.source, out)
		require.Equal(t, c.overflow, strings.Contains(out, "overflow"), "%s\n%s", c.source, out)
		require.Contains(t, lowertest.Optimised(t, c.source, "tables").String(), "overflow")
	}
}
