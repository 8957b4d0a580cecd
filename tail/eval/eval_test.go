package eval

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/tail"
	"github.com/tailor-lang/tailor/tail/tailtest"
)

// evalText runs a program in the text form and returns what it printed,
// followed by the display of its values, or by the fault.
func evalText(t *testing.T, src string, plain bool) string {
	t.Helper()
	p, err := tail.ParseText(src)
	require.NoError(t, err, src)
	var out bytes.Buffer
	values, err := Values(p, &Env{Stdout: &out, Args: []string{"one", "two"}, MaxDepth: 1000, Plain: plain})
	if err != nil {
		return out.String() + err.Error()
	}
	for _, v := range values {
		out.WriteString(tailtest.Shown(v))
	}
	return out.String()
}

// evalCases has, an op, programs and what they give.
type evalCase struct{ src, want string }

func runCases(t *testing.T, cases []evalCase) {
	for _, c := range cases {
		for _, plain := range []bool{false, true} {
			got := strings.TrimSuffix(evalText(t, c.src, plain), "\n")
			assert.Equal(t, strings.TrimSuffix(c.want, "\n"), got, c.src)
		}
	}
}

func TestEvalSmoke(t *testing.T) {
	runCases(t, []evalCase{
		{tailtest.Figure31, "¯27.870466"},
		{`addi(1,2)`, "3"},
		{`reduce(subi,0,iota(5))`, "3"},
		{`scan(subi,iota(5))`, "1 ¯1 2 ¯2 3"},
		{`reduce1(fn (a:int, b:int) => addi(a,muli(2,b)),[1,2,3])`, "17"},
		{`addi(9223372036854775807,1)`, "DOMAIN ERROR: integer overflow"},
		{`let x:[int]1 = [3,4,5] in let y:[int]1 = x in let z:[int]1 = update(x,2,9) in (x,y,z)`, "3 4 5\n3 4 5\n3 9 5"},
		{`outer(muli,iota(3),iota(4))`, "1 2 3  4\n2 4 6  8\n3 6 9 12"},
		{`inner(addi,muli,0,reshape([2,3],iota(6)),reshape([3,2],iota(6)))`, "22 28\n49 64"},
		{tailtest.Figure36, "65780"},
	})
}

const fib = `fun rec fib_1 (n:int) : int =
  if lti(n,2) then n else addi(fib_1(subi(n,1)),fib_1(subi(n,2)))
`

func TestEvalCalls(t *testing.T) {
	runCases(t, []evalCase{
		{fib + "main =\n  print(fib_1(15))\n", "610\n610"},
		{ // tail calls are loops
			`fun rec loop_1 (n:int, acc:int) : int =
  if eqi(n,0) then acc else loop_1(subi(n,1),addi(acc,n))
main =
  loop_1(100000,0)
`, "5000050000"},
		{`fun rec deep_1 (n:int) : int =
  if eqi(n,0) then 0 else addi(1,deep_1(subi(n,1)))
main =
  deep_1(100000)
`, "LIMIT ERROR: recursion is too deep"},
		{ // a tail call whose arguments swap the parameters
			`fun rec swap_1 (n:int, x:[int]1, y:[int]1) : [int]1 =
  if eqi(n,0) then x else swap_1(subi(n,1),y,x)
main =
  swap_1(3,[1,2],[3])
`, "3"},
		{ // a kernel runs within a run of itself
			`fun rec tree_1 (n:int) : int =
  if eqi(n,0) then 1 else reduce(addi,0,each(fn x:int => addi(x,tree_1(subi(n,1))),[1,2]))
main =
  tree_1(3)
`, "29"},
		{ // an argument that the caller still needs is not written to
			`fun f_1 (x:[int]1) : [int]1 =
  update(x,1,0)
main =
  let a:[int]1 = [1,2,3] in let b:[int]1 = f_1(a) in (a,b)
`, "1 2 3\n0 2 3"},
		{ // nor one that was returned
			`fun id_1 (x:[int]1) : [int]1 =
  x
main =
  let a:[int]1 = [1,2,3] in let b:[int]1 = id_1(a) in let c:[int]1 = update(b,1,0) in (a,c)
`, "1 2 3\n0 2 3"},
		{ // nor one that only a cell shares
			`let m:[int]2 = int[2,2]{1,2,3,4} in
let n:[int]2 = cells[1](fn r:[int]1 => let q:[int]1 = r in update(q,1,0),m) in (m,n)`, "1 2\n3 4\n0 2\n0 4"},
		{ // a side of a condition does not use up what the other needs
			`let x:[int]1 = iota(3) in let c:bool = lti(count(x),5) in
let y:[int]1 = if c then update(x,1,9) else x in let z:[int]1 = if c then y else update(y,2,9) in z`, "9 2 3"},
		{ // arguments are evaluated from right to left
			`addi(first(print([1])),first(print([2])))`, "2\n1\n3"},
		{`[first(print([1])),first(print([2]))]`, "2\n1\n1 2"},
		{ // so the rightmost fault is the one
			`addi(d2i((negd(0.5) : double)),d2i((negd(1.5) : double)))`, "DOMAIN ERROR: ¯1.5 is not an integer"},
	})
}

func TestEvalInPlace(t *testing.T) {
	const n = 200000 // a copy an assignment would be 320 GB
	for _, c := range []evalCase{
		{fmt.Sprintf(`let s:(int, [int]1) = power(fn s:(int, [int]1) => (addi(#0(s),1),update(#1(s),#0(s),muli(2,index(#1(s),#0(s))))),%d,(1,iota(%d))) in
reduce(addi,0,#1(s))`, n, n), "40000200000"},
		{fmt.Sprintf(`fun rec fill_1 (i:int, v:[int]1) : [int]1 =
  if gti(i,%d) then v else fill_1(addi(i,1),update(v,i,i))
main =
  reduce(addi,0,fill_1(1,reshape([%d],0)))
`, n, n), "20000100000"},
	} {
		assert.Equal(t, c.want+"\n", evalText(t, c.src, false))
	}
}

func TestEvalInterrupt(t *testing.T) {
	p, err := tail.ParseText(`while(fn x:int => gti(x,0),fn x:int => addi(1,resi(5,x)),1)`)
	require.NoError(t, err)
	stop := make(chan struct{})
	time.AfterFunc(20*time.Millisecond, func() { close(stop) })
	assert.ErrorIs(t, Run(p, &Env{Interrupt: stop}), ErrInterrupted)
}

func TestEvalLimits(t *testing.T) {
	p, err := tail.ParseText(`count(iota(100000000))`)
	require.NoError(t, err)
	err = Run(p, &Env{MaxBytes: 1 << 20})
	assert.EqualError(t, err, "WS FULL: out of memory for an array of shape 100000000")
	p, err = tail.ParseText(`fun rec deep_1 (n:int) : int =
  if eqi(n,0) then 0 else addi(1,deep_1(subi(n,1)))
main =
  deep_1(1000000000)
`)
	require.NoError(t, err)
	assert.EqualError(t, Run(p, &Env{}), "LIMIT ERROR: recursion is too deep")
}

func TestEvalWrap(t *testing.T) {
	runCases(t, []evalCase{{"wrap\nmain =\n  addi(9223372036854775807,1)\n", "¯9223372036854775808"}})
}

func TestEvalComplex(t *testing.T) {
	runCases(t, []evalCase{{`1.0J2.0`, "1J2"}})
}

func TestEvalExact(t *testing.T) {
	p, err := tail.ParseText(`match([1.0],[1.0000000000000002])`)
	require.NoError(t, err)
	p.Exact = true
	v, err := Values(p, &Env{})
	require.NoError(t, err)
	assert.Equal(t, byte(0), v[0].Bools[0])
}
