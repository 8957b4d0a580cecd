package golden

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/clgen"
	"github.com/tailor-lang/tailor/internal/driver"
	"github.com/tailor-lang/tailor/internal/sampling"
)

// lastDigits are in programs of testdata that ask for all digits of doubles.
var lastDigits = []string{"⎕CT←0", "2*54"}

// asksForLastDigits reports whether what a program prints may be other with
// --relaxed.
func asksForLastDigits(p Program) bool {
	return slices.ContainsFunc(lastDigits, func(s string) bool { return strings.Contains(p.Source, s) })
}

// relaxedPrograms have products of variables that are terms in sums, and other
// uses: as arguments, in loops, branches and functions.
var relaxedPrograms = []string{
	"f←{⍺<1:⍵ ⋄ 1+(⍺-2)∇⍵+g ⍺-1}\ng←{⍵<1:0.5 ⋄ p←⍵×0.3 ⋄ (2-p)+(1+p)×0.1+p h ⍵-1}\nh←{⍵<1:⍺ ⋄ ⍺+0.25×⍺ h ⍵-1}\nf/3 0.1\n3 f 0.2\n",
	"t←{p←⍵×0.7 ⋄ ⎕←1+p ⋄ ⎕←2-p ⋄ ⎕←p ⋄ 3+p}\nt 0.3\n",
	"{p←⍵×0.7 ⋄ ⍵>0.5:(1+p)×2-p ⋄ (p-1)×3+p}¨÷⍳50\n",
	"{p←⍵×0.7 ⋄ +/{⍵+p}¨⍳3}¨÷⍳50\n",
	"x←÷⍳70\ny←x×0.3\nz←(y+1)×y-2\n(+/z),+/y\n+\\10↑y×x\n",
	"{(⍵×0.99)+0.01×(1⌽⍵)-⍵÷3}⍣40⊢÷⍳60\n",
	"m←30 30⍴÷⍳900\nm-←m[;1]∘.×m[1;]\n+/,m\n{⍵-(⍵[;2]÷3)∘.×⍵[2;]}⍣3⊢m[⍳4;⍳4]\n",
	"+/{w←0.1×⍳4 ⋄ w[2]←(w[1]×⍵)-w[3]×0.3 ⋄ w[4]-w[2]×1-⍵}¨÷⍳99\n",
}

// TestRelaxed compiles programs of testdata with --relaxed. Those whose C is not
// what it is without the option are run, or a sample of them; what they print
// agrees with the oracle in the digits that Agree looks at.
func TestRelaxed(t *testing.T) {
	t.Parallel()
	k, err := NewBackend(driver.C)
	if err != nil {
		t.Skip(err)
	}
	k.Options.Relaxed = true
	var sample []Program
	for _, p := range everyProgram(t) {
		part := uint64(48) // of testdata/expr
		if strings.HasSuffix(p.Name, ".apl") {
			part = 4
		}
		if !sampling.Keep(p.Source, part) || asksForLastDigits(p) {
			continue
		}
		if emitted(p, driver.Options{}) != emitted(p, driver.Options{Relaxed: true}) {
			sample = append(sample, p)
		}
	}
	require.NotEmpty(t, sample)
	for i, s := range relaxedPrograms {
		sample = append(sample, Program{Name: fmt.Sprintf("relaxed%d", i), Source: s})
	}
	for i, o := range k.Run(sample) {
		p := sample[i]
		if want := Evaluate(p); !Agree(want, o) {
			assert.Equal(t, want.String(), o.String(), "%s\n%s", p.Name, p.Source)
		}
	}
}

// exactPrograms decide something by doubles: with --relaxed, too, by what they are
// without it. A product that were not rounded before another one is taken from it
// would leave what is not 0.
var exactPrograms = []string{
	"{((4×⍵×⍵)-(2×⍵)×2×⍵)*0.5}¨÷⍳100\n",
	"x←÷⍳100\n+/0=(4×x×x)-(2×x)×2×x\n+/0>(4×x×x)-(2×x)×2×x\n",
	"x←÷⍳100\nd←(4×x×x)-(2×x)×2×x\n+/d*0.5\n+/d=0\n",
	"x←÷⍳9000\nd←(4×x×x)-(2×x)×2×x\nf←{+/⍵*0.5}\nf d\nf ⌽d\nd[7 8]\n+/0<⌽d\n",
	"+/0=1-(⍳50)×÷⍳50\n",
	"x←0.01×⍳5000\n+/⌊0.5+100×x\n+/⌈(x×100)-0.5\n+/1|x×3\n",
	"x←(⍳98)÷49\n+/⌊49×x\n(⍳98)[49×x]\n+/x=49÷⍨49×x\n",
	"x←÷⍳100\n1÷(4×x×x)-(2×x)×2×x\n",   // a fault
	"x←÷⍳100\n1÷1+(4×x×x)-(2×x)×2×x\n", // none
	"x←÷⍳100\n⍟(4×x×x)-(2×x)×2×x\n",
	"i←1.5+⍳100\n+/(3×i)-1+2×i\n(i×i)+.×i\n+/(i÷4)×8\n",
	"{⍵>50:0 ⋄ (⍵×0.1)>5×0.02×⍵:1 ⋄ 2}¨⍳60\n",
	"s←0 ⋄ x←÷⍳64\n+/(x×64)=64×x\nx⍳0.5×2×x[7]\n",
}

// TestExact wants the same characters with --relaxed as without it where doubles
// decide, on all targets.
func TestExact(t *testing.T) {
	t.Parallel()
	var list []Program
	for i, s := range exactPrograms {
		list = append(list, Program{Name: fmt.Sprintf("exact%d", i), Source: s})
	}
	for _, target := range []driver.Target{driver.C, driver.OpenMP} {
		k, err := NewBackend(target)
		if err != nil {
			t.Skip(err)
		}
		k.Options = driver.Options{Relaxed: true, ShareAll: true}
		for i, o := range k.Run(list) {
			assert.Equal(t, Evaluate(list[i]).String(), o.String(), "%s: %s", target, list[i].Source)
		}
	}
	for _, s := range []clgen.Schedule{clgen.Chunks, clgen.Groups} {
		d, err := NewDevice(OnDevice(s))
		if err != nil {
			t.Skip(err)
		}
		d.Relaxed = true
		for _, p := range sampled(list[:6], 6) {
			o, _ := d.Run(p)
			assert.Equal(t, Evaluate(p).String(), o.String(), "%s: %s", s, p.Source)
		}
		p := Program{Source: "x←÷⍳1000\n+/(x÷3)+x×x\n5↑(2-3×x)÷7\n+/{⍵>0.1:1+⍵×2+⍵×3+⍵×⍵ ⋄ 1-⍵×⍵}¨x\n"}
		o, _ := d.Run(p)
		assert.True(t, Agree(Evaluate(p), o), o.String())
		d.Queue.Close()
	}
}
