// Package tailtest holds programs of TAIL that the tests of its packages parse, check,
// evaluate and optimise, and comparisons of programs.
package tailtest

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/display"
	"github.com/tailor-lang/tailor/tail"
)

// Texts are programs and expressions with every kind of node.
var Texts = []string{
	Figure31,
	Figure36,
	`print(addi(1,2))`,
	`let x:int = 3 in addi(x,1)`,
	`let x:<int>3{_,_,_} = [1,2,3] in let y:[int]1 = x in catV(x,y)`,
	`let x:<int>3 = [1,2,3] in reverse(x)`,
	`(reverse([1,2,3]) : [int]1)`,
	`(iota(~1) : [int]1)`,
	`if tt then 1 else 2`,
	`[addi(1,2),3]`,
	`int[2,3]{1,2,3,4,5,6}`,
	`double[0]{}`,
	`char[2,2]{'ab\'\n'}`,
	`("a", 'abc', 'a"', '', 1.0, ~1e300, nan, ¯inf, -0.0, 0.1, tt, [tt,ff], ¯9223372036854775808, 1.0J¯2.0, '\u{0}')`,
	`#1((1,2.0))`,
	`(1,)`,
	`()`,
	`reduce[0](addi,0,int[2,3]{1,2,3,4,5,6})`,
	`index(int[2,3]{1,2,3,4,5,6},1,all())`,
	`power(fn s:(int, [double]1) => (addi(#0(s),1),#1(s)),10,(0,double[0]{}))`,
	`while(fn x:int => lti(x,10),fn x:int => addi(x,1),0)`,
	`cells[1](fn x:<int>3 => reduce(addi,0,x),int[2,3]{1,2,3,4,5,6})`,
	`zipWith(fn (x:int, y:int) => addi(x,muli(2,y)),[1,2],[3,4])`,
	`each(fn x:int => let y:int = addi(x,x) in muli(y,y),iota(3))`,
	`(readcsv('f.csv') : [int]2)`,
	`(readnpy('f.npy') : [double]3)`,
	`wrap
fun f_1 (x:[int]1, y:double) : [int]1 =
  cat(x,[1,2])
fun rec g_2 (n:<int>n) : [int]1 =
  g_2(f_1(n,2.0))
fun sum () : int =
  1
main =
  print(f_1(g_2([1,2]),1.0))
`,
}

// Figure31 is figure 3.1 of thesis 001, with the argument of the rotation and
// the division as ops of this language.
const Figure31 = `let v0:<int>15 = [9,8,6,8,7,4,4,3,2,2,1,2,4,5,6] in
let v3:<int>16 = consV(0,v0) in
reduce(addd,0.0,
  each(fn v11:[double]0 => maxd(i2d(~50),v11),
    each(fn v10:[double]0 => mind(i2d(50),v10),
      each(fn v9:[double]0 => muld(i2d(50),v9),
        zipWith(divd,
          each(i2d,
            dropV(1,zipWith(subi,v3,rotateV(~1,v3)))),
          each(fn v2:[double]0 => addd(0.01,v2),
            each(i2d,v0)))))))
`

// Figure36 is figure 3.6: the inner product before optimisation.
const Figure36 = `let v1:[3,2]int = reshape([3,2],iotaV(5)) in
let v2:[2,3]int = transp(v1) in
let v3:[3,2]int = v1 in
let v4:[2,3]int = v2 in
let v5:<int>3 = catV(dropV(b2i(tt),shape(v4)),shape(v3)) in
let v6:S(int,1) = subi(firstV(shapeV(shape(v3))),b2i(tt)) in
let v7:<int>3 = iotaV(firstV(shapeV(v5))) in
let v8:<int>3 = catV(transp(rotateV(v6,transp(dropV(~1,v7)))),takeV(~1,v7)) in
let v9:[int]3 = transp2(v8,reshape(v5,v3)) in
let v10:<int>3 = catV(dropV(~1,shape(v3)),shape(v4)) in
let v11:S(int,2) = firstV(shapeV(shape(v3))) in
let v12:<int>3 = iotaV(firstV(shapeV(v10))) in
let v13:<int>1 = dropV(negi(v11),transp(rotateV(v11,transp(iotaV(firstV(shapeV(v12))))))) in
let v14:<int>3 = catV(dropV(~1,iotaV(v11)),snocV(v13,v11)) in
let v15:[int]3 = transp2(v14,reshape(v10,v4)) in
let v20:[int]2 = reduce(addi,0,zipWith(muli,v9,v15)) in
let v25:[int]0 = reduce(muli,1,reduce(addi,0,v20)) in
i2d(v25)
`

// RoundTrip checks that the text of p is read as the same program.
func RoundTrip(t *testing.T, p *tail.Program) {
	t.Helper()
	text := p.String()
	q, err := tail.ParseText(text)
	require.NoError(t, err, text)
	assert.Equal(t, text, q.String())
	for i := range p.Funcs {
		sameTypes(t, p.Funcs[i].Body, q.Funcs[i].Body, text)
	}
	sameTypes(t, p.Main, q.Main, text)
}

func sameTypes(t *testing.T, a, b tail.Expr, text string) {
	t.Helper()
	x, y := nodeTypes(a), nodeTypes(b)
	if assert.Equal(t, len(x), len(y), text) {
		for i := range x {
			if !tail.Equal(x[i], y[i]) {
				t.Fatalf("types %v and %v in\n%s", tail.LongType(x[i]), tail.LongType(y[i]), text)
			}
		}
	}
}

func nodeTypes(e tail.Expr) []tail.Type {
	var all []tail.Type
	tail.Walk(e, func(e tail.Expr) bool {
		if _, ok := e.(*tail.Let); !ok {
			all = append(all, e.Type())
		} else {
			all = append(all, e.(*tail.Let).Var.Type)
		}
		return true
	})
	return all
}

// Shown displays integers with all their digits, and doubles with ten.
func Shown(v *array.Array) string {
	if v.Elem == array.Int {
		return display.Format(v, 19)
	}
	return display.Format(v, 10)
}
