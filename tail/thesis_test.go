package tail_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/tail/eval"
	"github.com/tailor-lang/tailor/tail/opt"
)

// TestThesis holds programs of thesis 001, chapter 3, against the TAIL that it
// shows for them: example 3.1 with figure 3.1, figures 3.5 to 3.7, and the
// Game of Life.
func TestThesis(t *testing.T) {
	for _, c := range []struct{ name, apl, tail, output string }{
		{"signal", `
diff ← {1↓⍵-¯1⌽⍵}
signal ← {¯50⌈50⌊50×(diff 0,⍵)÷0.01+⍵}
+/ signal 9 8 6 8 7 4 4 3 2 2 1 2 4 5 6`, `
main =
  let w:<int>15 = [9,8,6,8,7,4,4,3,2,2,1,2,4,5,6] in
  let w_1:<int>16 = consV(0,w) in
  let v:[double]0 = print(reduce(
        addd,
        0.0,
        each(
          fn v_1:[double]0 => maxd(¯50.0,v_1),
          each(
            fn v_2:[double]0 => mind(50.0,v_2),
            each(
              fn v_3:[double]0 => muld(50.0,v_3),
              zipWith(
                divd,
                each(i2d,dropV(1,zipWith(subi,w_1,rotateV(¯1,w_1)))),
                each(fn v_4:[double]0 => addd(0.01,v_4),each(i2d,w)))))))) in
  ()`, `¯27.870466`},
		{"dot", `
dot ← {
  WA ← (1↓⍴⍵),⍴⍺
  KA ← (≢⍴⍺)-1
  VA ← ⍳≢WA
  ZA ← (KA⌽¯1↓VA),¯1↑VA
  TA ← ZA⍉WA⍴⍺
  WB ← (¯1↓⍴⍺),⍴⍵
  KB ← ≢⍴⍺
  VB ← ⍳≢WB
  ZB0 ← (-KB)↓KB⌽⍳≢VB
  ZB ← (¯1↓⍳KB),ZB0,KB
  TB ← ZB⍉WB⍴⍵
  ⍺⍺/TA ⍵⍵ TB
}
A ← 3 2⍴⍳5
B ← ⍉A
R ← A +dot× B
R2 ← ×/+/R
R
R2`, `
main =
  let A:[3,2]int = reshape([3,2],iotaV(5)) in
  let B:[2,3]int = transp(A) in
  let TA:[3,3,2]int = transp2([2,1,3],reshape([3,3,2],A)) in
  let TB:[3,3,2]int = transp2([1,3,2],reshape([3,2,3],B)) in
  let R:[3,3]int = reduce(addi,0,zipWith(muli,TA,TB)) in
  let R2:[int]0 = reduce(muli,1,reduce(addi,0,R)) in
  let v:[3,3]int = print(R) in
  let v_1:[int]0 = print(R2) in
  ()`, `
 5 11  7
11 25 19
 7 19 26
65780`},
		{"life", `
life ← {
  r ← (¯1⌽⍵)+⍵+1⌽⍵
  s ← (¯1⊖r)+r+1⊖r
  (s=3)∨⍵∧s=4
}
board ← 8 8↑3 3⍴0 1 0 0 0 1 1 1 1
(life⍣8) board`, `
main =
  let board:[8,8]int = take([8,8],reshape([3,3],[0,1,0,0,0,1,1,1,1])) in
  let t:[8,8]bool = power(
      fn v:[8,8]bool =>
      let r:[8,8]int = zipWith(
          addi,
          each(b2i,rotate(¯1,v)),
          zipWith(addi,each(b2i,v),each(b2i,rotate(1,v)))) in
      let s:[8,8]int = zipWith(addi,rotate[0](¯1,r),zipWith(addi,r,rotate[0](1,r))) in
      zipWith(
        orb,
        each(fn v_1:[int]0 => eqi(v_1,3),s),
        zipWith(andb,v,each(fn v_2:[int]0 => eqi(v_2,4),s))),
      8,
      each(i2b,board)) in
  let v_3:[8,8]int = print(each(b2i,t)) in
  ()`, `
0 0 0 0 0 0 0 0
0 0 0 0 0 0 0 0
0 0 0 1 0 0 0 0
0 0 0 0 1 0 0 0
0 0 1 1 1 0 0 0
0 0 0 0 0 0 0 0
0 0 0 0 0 0 0 0
0 0 0 0 0 0 0 0`},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := compile(t, c.name, c.apl)
			require.NoError(t, opt.Run(p, opt.Options{Verify: true}))
			assert.Equal(t, strings.TrimSpace(c.tail), strings.TrimSpace(p.String()))
			var out bytes.Buffer
			require.NoError(t, eval.Run(p, &eval.Env{Stdout: &out}))
			assert.Equal(t, strings.Trim(c.output, "\n"), strings.Trim(out.String(), "\n"))
		})
	}
}
