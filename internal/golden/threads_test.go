package golden

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/internal/driver"
)

// threadPrograms have nests of every kind that threads share: maps, sums of
// doubles, integers and truth values, several in one nest, by rows and by
// columns, running scans, steps of differing length, elements that masks keep,
// runs of ones, random numbers, places that may be one and the same, and
// faults, of which the first one in the order of the steps is reported.
var threadPrograms = []string{
	"⎕PP←17\nx←÷⍳100003\n+/x\n+/x*2\n(⌈/x),(⌊/x),×/1+x÷1000\n",
	"⎕PP←17\nx←÷⍳70001\ny←+\\x\ny[1 2 50000 70001]\n(+/y),⌈/y\n",
	"⎕PP←17\nm←300 400⍴÷⍳120000\n+/+/m\n3↑+/m\n3↑+⌿m\n+/,m+.×⍉m\n",
	"⎕PP←17\nm←30000 3⍴÷⍳90000\n+⌿m\n(⍉m)+.×÷⍳30000\n",
	"x←1009|(⍳100000)*2\n(+/x),(⌈/x),(⌊/x),(+/x>500),∧/x≥0\n5↑+\\x\n¯3↑⌈\\x\n¯3↑∨\\x=7\n",
	"i←⍳50000\ns←{n←⍵ ⋄ 0{⍵≤1:⍺ ⋄ (⍺+1)∇ ⌊⍵÷2}n}¨i\n+/s\n",
	"t←{+/÷⍳⍵}¨⍳800\n⎕PP←17\n+/t\n¯2↑t\n",
	"k←7|⍳90000\n(+/⍸k=2),(+/(k>3)/k),≢(k>9)/k\n¯4↑⍸k=6\n5↑(k>4)/⌽k\n",
	"f←{l←⍵ ⋄ e←⍸(l,0)<0,l ⋄ s←⍸l>¯1↓0,l ⋄ v←e-s ⋄ 0=≢v:0 0 0 ⋄ (≢v),(+/v),⌈/v}\nf 100⍴1\nf 0=7|⍳9999\nf 20000⍴1\nf 5000<⍳9000\nf (7000⍴1),0,3⍴1\nf 9000⍴0\n",
	"f←{s←⍵>¯1↓0,⍵ ⋄ n←+/s ⋄ v←(⍸(⍵,0)<0,⍵)-⍸s ⋄ 0=≢v:0 0 ⋄ n,⌈/v}\nf 0<7|⍳30000\nf 20000⍴1\nf 0<6000|⍳50000\nf 5000<⍳9000\nf 9000⍴0\nf 1=2|⍳9999\n",
	"(⍳60000)÷(⍳60000)≠41000\n",
	"⎕RL←7\n⎕PP←17\nx←?200003⍴0\ny←?150001⍴6\nz←?70000⍴5000000000\n(+/x),(+/y),(⌈/z),?100\n+/?3 90000⍴1000\n⌈/?4000000000000000000 5\n+/?100⍴9\n",
	"x←(1000|7×⍳70001)-500\ny←+\\x\n(⌈/y),(⌊/y),+/y\nz←⌈\\x\n(+/z),z[70001]\n+/⌊\\⌽x\n+/+/+\\300 400⍴x\n",
	"v←⍳9\nlen←1+7|⍳3000\np←(∊len↑¨1)⊂¯1+⍳+/len\nm←{v[1+⌊(⌈/⍵)÷1200]}¨p\n+/m\n",
	"len←1+70|7×⍳2000\np←(∊len↑¨1)⊂1009|7919×⍳+/len\nm←{s←⍵[⍋⍵] ⋄ s[⌈0.5×≢s]}¨p\n(+/m),⌈/m\n+/{≢∪⍵}¨p\nm←{⍵[3]}¨p\n+/m,⌽m\n",
	"z←4|⎕TS[1]-⎕TS[1]\nf←{v←⍵ ⋄ _←{v[1+z×⍵]+←⍵}¨⍳300000 ⋄ 3↑v}\nf 900001⍴0.5\n",
}

// TestThreads runs programs with several numbers of threads, all nests shared.
// The output must be the same, character by character, as that of target c and of the
// evaluator.
func TestThreads(t *testing.T) {
	var list []Program
	for i, s := range threadPrograms {
		list = append(list, Program{Name: fmt.Sprintf("threads%d", i), Source: s})
	}
	k, err := NewBackend(driver.OpenMP)
	if err != nil {
		t.Skip(err)
	}
	k.Options.ShareAll = true
	c, err := NewBackend(driver.C)
	require.NoError(t, err)
	want := c.Run(list)
	for _, threads := range []string{"1", "2", "3", "7"} {
		t.Setenv("OMP_NUM_THREADS", threads)
		t.Setenv("OMP_WAIT_POLICY", "passive")
		for i, o := range k.Run(list) {
			require.Equal(t, want[i].String(), o.String(), "%s threads: %s", threads, list[i].Source)
		}
	}
	for i, p := range list {
		require.Equal(t, Evaluate(p).String(), want[i].String(), p.Source)
	}
}
