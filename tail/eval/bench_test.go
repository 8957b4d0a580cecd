package eval

import (
	"io"
	"testing"

	"github.com/tailor-lang/tailor/tail"
)

// BenchmarkEval runs whole-array expressions of some 10*6 elements.
func BenchmarkEval(b *testing.B) {
	for _, c := range []struct{ name, src string }{
		{"iota", `count(iota(10000000))`},
		{"sumI", `reduce(addi,0,iota(10000000))`},
		{"sumSq", `reduce(addi,0,each(fn x:int => muli(x,x),iota(1000000)))`},
		{"i2dmul", `reduce(addd,0.0,each(fn x:int => muld(0.5,i2d(x)),iota(10000000)))`},
		{"poly", `reduce(addd,0.0,each(fn x:double => addd(1.0,muld(x,addd(2.0,muld(x,addd(3.0,muld(x,x)))))),each(i2d,iota(10000000))))`},
		{"cmp", `reduce(addi,0,each(b2i,each(fn x:int => gti(x,5000000),iota(10000000))))`},
		{"exp", `reduce(addd,0.0,each(fn x:int => expd(muld(~0.0000001,i2d(x))),iota(10000000)))`},
		{"reverse", `count(reverse(iota(10000000)))`},
		{"transp", `count(transp(reshape([3000,3000],iota(9000000))))`},
		{"matmul", `let a:[double]2 = reshape([500,500],each(i2d,iota(250000))) in reduce(addd,0.0,ravel(inner(addd,muld,0.0,a,a)))`},
		{"matmulI", `let a:[int]2 = reshape([300,300],each(fn x:int => resi(10,x),iota(90000))) in reduce(addi,0,ravel(inner(addi,muli,0,a,a)))`},
		{"outer", `reduce(addi,0,ravel(outer(muli,iota(3000),iota(3000))))`},
		{"sumcols", `reduce(addd,0.0,reduce[0](addd,0.0,reshape([3000,3000],each(i2d,iota(9000000)))))`},
		{"scan", `count(scan(addi,iota(10000000)))`},
		{"compress", `let x:[int]1 = iota(10000000) in count(compress(each(fn v:int => eqi(resi(3,v),0),x),x))`},
		{"grade", `count(gradeup(each(fn x:int => resi(1000003,muli(x,7919)),iota(1000000))))`},
		{"member", `reduce(addi,0,each(b2i,member(iota(1000000),each(fn x:int => muli(x,1000003),iota(1000000)))))`},
		{"memberD", `reduce(addi,0,each(b2i,member(each(i2d,iota(1000000)),each(fn x:int => i2d(muli(x,3)),iota(1000000)))))`},
		{"indexV", `let x:[int]1 = iota(1000000) in count(index(x,reverse(x)))`},
		{"indexS", `let x:[int]1 = iota(1000000) in reduce(addi,0,each(fn i:int => index(x,i),x))`},
		{"while", `while(fn x:int => lti(x,1000000),fn x:int => addi(x,1),0)`},
		{"fib", "fun rec fib_1 (n:int) : int =\n  if lti(n,2) then n else addi(fib_1(subi(n,1)),fib_1(subi(n,2)))\nmain =\n  fib_1(25)\n"},
		{"collatz", `reduce(maxi,0,each(fn n:int => #1(while(fn s:(int,int) => gti(#0(s),1),fn s:(int,int) => (if eqi(resi(2,#0(s)),0) then floord(divd(i2d(#0(s)),2.0)) else addi(1,muli(3,#0(s))),addi(#1(s),1)),(n,0))),iota(3000)))`},
		{"eqd", `reduce(addi,0,each(b2i,each(fn x:int => eqd(i2d(x),5.0),iota(10000000))))`},
		{"format", `count(format(iota(1000000)))`},
	} {
		p, err := tail.ParseText(c.src)
		if err != nil {
			b.Fatal(c.name, err)
		}
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				if err := Run(p, &Env{Stdout: io.Discard}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
