package opt

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/internal/cputime"
	"github.com/tailor-lang/tailor/tail"
	"github.com/tailor-lang/tailor/tail/eval"
	"github.com/tailor-lang/tailor/tail/tailtest"
)

// optimised returns the text of src after the given passes, or all for none.
func optimised(t *testing.T, src string, only ...string) string {
	t.Helper()
	p, err := tail.ParseText(src)
	require.NoError(t, err, src)
	skip := map[string]bool{}
	if names, _ := Passes(); len(only) > 0 {
		for _, n := range names {
			skip[n] = true
		}
		for _, n := range only {
			delete(skip, n)
		}
	}
	before := outcome(p)
	err = Run(p, Options{Skip: skip, Verify: true, After: func(pass string, p *tail.Program) error {
		if after := outcome(p); after != before {
			return fmt.Errorf("after %s the program gives %q, not %q:\n%v", pass, after, before, p)
		}
		return nil
	}})
	require.NoError(t, err, src)
	tailtest.RoundTrip(t, p)
	text := p.String()
	if len(p.Funcs) == 0 {
		text = tail.ExprString(p.Main)
	}
	return strings.TrimSpace(text)
}

// outcome returns what a program prints, and the display of its value or its
// fault.
func outcome(p *tail.Program) string {
	var out bytes.Buffer
	values, err := eval.Values(p, &eval.Env{Stdout: &out, MaxDepth: 1000})
	if err != nil {
		return out.String() + err.Error()
	}
	for _, v := range values {
		out.WriteString(tailtest.Shown(v))
	}
	return out.String()
}

// triangle is the vectors 1 2 … 5, 1 2 … 4 and so on: elements, lengths and places.
const triangle = "let v:<int>5 = reverse(iota(5)) in let l:<int>5 = each(fn i:[int]0 => index(v,i),iota(5)) in " +
	"let e:[int]1 = segments(fn i:[int]0 => iota(index(v,i)),l) in let s:<int>5 = drop(¯1,cons(0,scan(addi,l))) in "

// passCases has, a pass, programs before and after.
var passCases = map[string][][2]string{
	"items": {
		{triangle + "each(fn j:[int]0 => reduce(addi,0,take[1](index(l,j),drop[1](index(s,j),e))),iota(5))", "let v:<int>5 = reverseV(iotaV(5)) in\nlet l:<int>5 = each(fn i:[int]0 => index(v,i),iotaV(5)) in\nlet s:<int>5 = dropV(¯1,consV(0,scan(addi,l))) in\neach(fn j:[int]0 => reduce(addi,0,iota(index(v,j))),iotaV(5))"},
		{triangle + "reduce1(maxi,e)", "let v:<int>5 = reverseV(iotaV(5)) in\nlet l:<int>5 = each(fn i:[int]0 => index(v,i),iotaV(5)) in\nlet s:<int>5 = dropV(¯1,consV(0,scan(addi,l))) in\nreduce1(\n  maxi,\n  each(\n    fn i_1:[int]0 => reduce1(maxi,iota(index(v,i_1))),\n    where(each(fn n:[int]0 => lti(0,n),l))))"},
		{triangle + "each(fn k:[int]0 => reduce(addi,k,each(fn j:[int]0 => reduce(addi,0,reverse(take[1](index(l,j),drop[1](index(s,j),e)))),iota(5))),iota(2))", "let v:<int>5 = reverseV(iotaV(5)) in\nlet l:<int>5 = each(fn i:[int]0 => index(v,i),iotaV(5)) in\nlet s:<int>5 = dropV(¯1,consV(0,scan(addi,l))) in\neach(\n  fn k:[int]0 => reduce(\n    addi,\n    k,\n    each(fn j:[int]0 => reduce(addi,0,reverse(iota(index(v,j)))),iotaV(5))),\n  iotaV(2))"},
		{triangle + "reduce(addi,0,e)", "let v:<int>5 = reverseV(iotaV(5)) in\nlet l:<int>5 = each(fn i:[int]0 => index(v,i),iotaV(5)) in\nlet e:[int]1 = segments(fn i_1:[int]0 => iota(index(v,i_1)),l) in\nlet s:<int>5 = dropV(¯1,consV(0,scan(addi,l))) in\nreduce(addi,0,e)"},
	},
	"truths": {
		{"each(fn x:int => gcdi(b2i(lti(x,3)),b2i(gti(x,5))),iota(30))", "each(b2i,each(fn x:[int]0 => orb(lti(x,3),gti(x,5)),iotaV(30)))"},
		{"each(fn x:int => neqi(b2i(lti(x,3)),b2i(gti(x,5))),iota(30))", "each(fn x:[int]0 => xorb(lti(x,3),gti(x,5)),iotaV(30))"},
	},
	"simplify": {
		{"reverse(reverse(iota(30)))", "iotaV(30)"},
		{"let v:[int]1 = unique(each(fn x:int => rolli(x),reshape([40],9))) in tally(cat(v,without(iota(9),v)))", "let v:[int]1 = unique(each(rolli,reshape([40],9))) in\naddi(tally(v),reduce(addi,0,each(b2i,each(notb,member(iotaV(9),v)))))"},
		{"let v:[int]1 = unique(each(fn x:int => rolli(x),reshape([40],9))) in let g:[int]1 = gradeup(v) in index(iota(tally(v)),g)", "let v:[int]1 = unique(each(rolli,reshape([40],9))) in\ngradeup(v)"},
		{"let v:[int]1 = unique(each(fn x:int => rolli(x),reshape([40],9))) in let z:([int]1, [int]1) = items(fn i:int => (index(v,i),addi(i,i)),tally(v)) in eqi(tally(#1(z)),tally(v))", "let v:[int]1 = unique(each(rolli,reshape([40],9))) in\nlet z:([int]1, [int]1) = items(fn i:[int]0 => (index(v,i),addi(i,i)),tally(v)) in\ntt"},
		{"let v:[int]1 = unique(each(fn x:int => rolli(x),reshape([40],9))) in let z:([int]1, [int]1) = items(fn i:int => iota(index(v,i)),tally(v)) in (eqi(tally(#0(z)),tally(v)),eqi(tally(#1(z)),tally(v)))", "let v:[int]1 = unique(each(rolli,reshape([40],9))) in\nlet z:([int]1, [int]1) = items(fn i:[int]0 => iota(index(v,i)),tally(v)) in\n(eqi(tally(#0(z)),tally(v)),tt)"},
		{"let v:[int]1 = unique(each(fn x:int => rolli(x),reshape([40],9))) in let p:[int]1 = firstitem(iota(200),v,v) in let q:<int>k = p in unique(q)", "let v:[int]1 = unique(each(rolli,reshape([40],9))) in\nlet p:[int]1 = firstitem(iotaV(200),v,v) in\nlet q:<int>k = p in\nwhere(zipWith(eqi,q,(iota(tally(v)) : <int>k)))"},
		{"let v:[int]1 = unique(each(fn x:int => rolli(x),reshape([40],9))) in let w:[double]1 = each(i2d,v) in stretch(tally(v),w)", "let v:[int]1 = unique(each(rolli,reshape([40],9))) in\neach(i2d,v)"},
		{"let v:<int>40 = each(fn x:int => rolli(x),reshape([40],9)) in first(reverse(scan(addi,v)))", "let v:<int>40 = each(rolli,reshape([40],9)) in\nreduce(addi,0,v)"},
		{"let v:<int>40 = each(fn x:int => rolli(x),reshape([40],99999)) in first(reverse(scan(addi,v)))", "let v:<int>40 = each(rolli,reshape([40],99999)) in\nreduce(addi,0,reverseV(v))"},
		{"let v:<bool>40 = each(fn x:int => gti(rolli(x),5),reshape([40],9)) in first(reverse(scan(orb,v)))", "let v:<bool>40 = each(fn x:[int]0 => gti(rolli(x),5),reshape([40],9)) in\nreduce(orb,ff,v)"},
		{"let v:<bool>40 = each(fn x:int => gti(rolli(x),5),reshape([40],9)) in first(reverse(scan(andb,v)))", "let v:<bool>40 = each(fn x:[int]0 => gti(rolli(x),5),reshape([40],9)) in\nfirst(reverseV(scan(andb,v)))"},
		{"let d:<int>99 = each(fn x:int => muli(x,7),iota(99)) in cells[1](fn v:<int>3 => reduce(addi,0,indexof(d,v)),reshape([5,3],iota(15)))", "let d:<int>99 = each(fn x:[int]0 => muli(x,7),iotaV(99)) in\ncells[1](fn p:<int>3 => reduce(addi,0,p),indexof(d,reshape([5,3],iotaV(15))))"},
		{"let d:<int>9 = each(fn x:int => muli(x,7),iota(9)) in cells[1](fn v:<int>3 => reduce(addi,0,indexof(d,v)),reshape([5,3],iota(15)))", "let d:<int>9 = each(fn x:[int]0 => muli(x,7),iotaV(9)) in\ncells[1](fn v:<int>3 => reduce(addi,0,indexof(d,v)),reshape([5,3],iotaV(15)))"},
		{"let d:<int>99 = each(fn x:int => muli(x,7),iota(99)) in cells[1](fn v:<int>3 => reduce(addi,first(v),indexof(d,v)),reshape([5,3],iota(15)))", "let d:<int>99 = each(fn x:[int]0 => muli(x,7),iotaV(99)) in\ncells[1](\n  fn v:<int>3 => reduce(addi,first(v),indexof(d,v)),\n  reshape([5,3],iotaV(15)))"},
		{"rotate(1,rotate(2,iota(30)))", "rotateV(3,iotaV(30))"},
		{"rotate(30,iota(30))", "iotaV(30)"},
		{"transp(transp(reshape([9,2],iota(18))))", "reshape([9,2],iotaV(18))"},
		{"transp2([1,2],reshape([9,2],iota(18)))", "reshape([9,2],iotaV(18))"},
		{"transp2([2,1],reshape([9,2],iota(18)))", "transp(reshape([9,2],iotaV(18)))"},
		{"transp2([2,1,3],transp2([3,1,2],reshape([9,2,3],iota(54))))", "transp(reshape([9,2,3],iotaV(54)))"},
		{"let x:[9,2]int = reshape([9,2],iota(18)) in reshape(shape(x),x)", "reshape([9,2],iotaV(18))"},
		{"ravel(reshape([9,2],iota(18)))", "iotaV(18)"},
		{"reverse(reverse(reverse([1,2,3])))", "[3,2,1]"},
		{"dropV(1,dropV(2,iota(30)))", "dropV(3,iotaV(30))"},
		{"catV(shape(reshape([3,4],iota(12))),[7])", "[3,4,7]"},
		{"each(fn x:int => x,iota(30))", "iotaV(30)"},
		{"let v:<int>9 = reverse(iota(9)) in each(fn i:int => index(v,i),iota(9))", "reverseV(iotaV(9))"},
		{"let v:<int>9 = reverse(iota(9)) in each(fn i:int => index(v,i),iota(8))", "let v:<int>9 = reverseV(iotaV(9)) in\neach(fn i:[int]0 => index(v,i),iotaV(8))"},
		{"let v:<int>9 = iota(9) in #0(items(fn i:int => iota(index(v,i)),9))", "let v:<int>9 = iotaV(9) in\n#0(items(fn i:[int]0 => iota(i),9))"},
		{"let v:[int]1 = cons(print(7),iota(9)) in addi(reduce(maxi,0,drop(1,v)),first(v))", "let v:<int>9 = iotaV(9) in\nlet v_1:S(int,7) = print(7) in\nlet v_2:<int>10 = consV(7,v) in\n16"},
		{"let v:[int]1 = snoc(iota(9),print(7)) in drop(~1,v)", "let v:S(int,7) = print(7) in\nlet v_1:<int>9 = iotaV(9) in\nlet v_2:<int>10 = snocV(v_1,7) in\nv_1"},
		{"let p:<int>2 = firstitem(iota(4),[0,2],[2,2]) in let u:[int]1 = unique(p) in indexof(u,p)", "let p:<int>2 = firstitem(iotaV(4),[0,2],[2,2]) in\nlet u:[int]1 = where(zipWith(eqi,p,iotaV(2))) in\nindex(scan(addi,each(b2i,zipWith(eqi,p,iotaV(2)))),p)"},
		{"let p:<int>2 = firstitem(iota(4),[0,2],[2,2]) in indexof(p,p)", "firstitem(iotaV(4),[0,2],[2,2])"},
		{"zipWith(addd,1.5,2.5)", "addd(1.5,2.5)"},
		{"let v:[int]1 = where(each(fn i:int => gti(i,3),iota(99))) in let w:[int]1 = each(fn i:int => muli(i,7),v) in if eqi(1,tally(v)) then reshape([tally(v)],w) else w", "let v:[int]1 = where(each(fn i:[int]0 => gti(i,3),iotaV(99))) in\neach(fn i_1:[int]0 => muli(i_1,7),v)"},
		{"let v:[int]1 = where(each(fn i:int => gti(i,3),iota(99))) in let w:[int]1 = scan(addi,v) in if neqi(tally(v),tally(w)) then print(1) else 2", "let v:[int]1 = where(each(fn i:[int]0 => gti(i,3),iotaV(99))) in\nlet w:[int]1 = scan(addi,v) in\n2"},
		{"let x:double = sqrtd(2.0) in powd(x,2.0)", "let x:[double]0 = sqrtd(2.0) in\nmuld(x,x)"},
		{"powd(sqrtd(2.0),0.5)", "sqrtd(sqrtd(2.0))"},
		{"divd(sqrtd(2.0),8.0)", "muld(sqrtd(2.0),0.125)"},
		{"each(fn x:int => notb(lti(x,3)),iota(30))", "each(fn x:[int]0 => gtei(x,3),iotaV(30))"},
		{"each(fn x:int => b2i(i2b(b2i(lti(x,3)))),iota(30))", "each(fn x:[int]0 => b2i(lti(x,3)),iotaV(30))"},
		{"each(fn x:int => powi(x,2),iota(30))", "each(fn x:[int]0 => muli(x,x),iotaV(30))"},
		{"if lti(1,2) then 10.0 else 20.0", "10.0"},
		{"addi(let x:int = print(1) in print(2),let y:int = print(3) in print(4))", "let y:S(int,3) = print(3) in\naddi(\n  let x:S(int,1) = print(1) in\n  print(2),\n  print(4))"},
		{"#0((sqrtd(2.0),1))", "sqrtd(2.0)"},
		{"#0((1,divd(1.0,0.0)))", "#0((1,divd(1.0,0.0)))"},
		{"power(fn x:double => sqrtd(x),1,3.0)", "sqrtd(3.0)"},
	},
	"constfold": {
		{"muld(i2d(2),sqrtd(2.25))", "3.0"},
		{"divd(1.0,0.0)", "divd(1.0,0.0)"},
		{"each(i2d,[1,2,3])", "[1.0,2.0,3.0]"},
		{"floord(2.5)", "2"},
		{"each(floord,each(fn x:double => powd(2.0,x),each(i2d,iota(20))))", "[2,4,8,16,32,64,128,256,512,1024,2048,4096,8192,16384,32768,65536,131072,262144,524288,1048576]"},
		{"each(floord,[2.5,3.0])", "[2,3]"},
		{"each(floord,[2.5,2.9999999999999])", "each(floord,[2.5,2.9999999999999])"},
		{"eqd(1.0,1.0000000000001)", "eqd(1.0,1.0000000000001)"},
	},
	"planes": {
		{"power(fn s:[2,9]double => reshape([2,9],catV(each(negd,index(s,2,all())),index(s,1,all()))),3,each(i2d,reshape([2,9],iota(18))))",
			"let t:(<double>9, <double>9) = let x:[2,9]double = each(i2d,reshape([2,9],iotaV(18))) in\n  let n:S(int,3) = 3 in\n  power(\n    fn s:(<double>9, <double>9) =>\n    let s_1:<double>9 = #0(s) in\n    let s_2:<double>9 = #1(s) in\n    (each(negd,s_2),s_1),\n    n,\n    (index(x,1,all()),index(x,2,all()))) in\nlaminate(#0(t),#1(t))"},
		{"power(fn s:[2,9]int => transp(reshape([9,2],ravel(s))),3,reshape([2,9],iota(18)))",
			"power(\n  fn s:[2,9]int => transp(reshape([9,2],ravel(s))),\n  3,\n  reshape([2,9],iotaV(18)))"},
	},
	"runs": {
		{"let m:[bool]1 = each(fn x:int => lti(x,3),(iota(9) : [int]1)) in let v:[int]1 = zipWith(subi,where(zipWith(lti,snoc(each(b2i,m),0),cons(0,each(b2i,m)))),where(zipWith(gti,each(b2i,m),drop(~1,cons(0,each(b2i,m)))))) in addi(tally(v),reduce1(maxi,v))",
			"let m:[bool]1 = each(fn x:[int]0 => lti(x,3),(iota(9) : [int]1)) in\naddi(\n  reduce(\n    addi,\n    0,\n    each(b2i,zipWith(gti,each(b2i,m),drop(¯1,cons(0,each(b2i,m)))))),\n  longest(m))"},
		{"let m:[bool]1 = each(fn x:int => lti(x,3),(iota(9) : [int]1)) in let v:[int]1 = zipWith(subi,where(zipWith(lti,snoc(each(b2i,m),0),cons(0,each(b2i,m)))),where(zipWith(gti,each(b2i,m),cons(0,each(b2i,m))))) in reduce1(maxi,v)",
			"let m:[bool]1 = each(fn x:[int]0 => lti(x,3),(iota(9) : [int]1)) in\nlet v:[int]1 = zipWith(\n    subi,\n    where(zipWith(lti,snoc(each(b2i,m),0),cons(0,each(b2i,m)))),\n    where(zipWith(gti,each(b2i,m),cons(0,each(b2i,m))))) in\nreduce1(maxi,v)"},
	},
	"copyprop": {
		{"let v:<int>30 = reverse(iota(30)) in each(negi,v)", "each(negi,reverseV(iotaV(30)))"},
		{"let v:<int>30 = reverse(iota(30)) in each(fn i:int => index(v,i),iota(3))", "let v:<int>30 = reverseV(iotaV(30)) in\neach(fn i:[int]0 => index(v,i),iotaV(3))"},
		{"let v:int = print(3) in let w:int = print(4) in addi(v,w)", "let v:[int]0 = print(3) in\nlet w:[int]0 = print(4) in\naddi(v,w)"},
		{"let x:<int>9 = reverse(iota(9)) in let v:int = first(x) in let y:<int>9 = update(x,1,5) in catV(y,[v])", "let x:<int>9 = reverseV(iotaV(9)) in\nlet v:[int]0 = firstV(x) in\nlet y:<int>9 = update(x,1,5) in\ncatV(y,[v])"},
	},
	"cse": {
		{"let v:<int>40 = each(fn x:int => rolli(x),reshape([40],9)) in let m:bool = eqi(index(v,1),10) in let a:int = if m then let s:int = stop('',index(v,2)) in 0 else 1 in addi(a,if m then let s:int = stop('',index(v,2)) in 0 else 1)", "let v:<int>40 = each(rolli,reshape([40],9)) in\nlet m:[bool]0 = eqi(index(v,1),10) in\nlet a:[int]0 = if m\n  then let s:[int]0 = stop('',index(v,2)) in\n    0\n  else 1 in\naddi(a,a)"},
		{"let v:<int>40 = each(fn x:int => rolli(x),reshape([40],9)) in let a:int = if eqi(index(v,1),1) then rolli(6) else 1 in addi(a,if eqi(index(v,1),1) then rolli(6) else 1)", "let v:<int>40 = each(rolli,reshape([40],9)) in\nlet a:[int]0 = if eqi(index(v,1),1)\n  then rolli(6)\n  else 1 in\naddi(a,if eqi(index(v,1),1) then rolli(6) else 1)"},
		{"let v:<int>40 = each(fn x:int => rolli(x),reshape([40],9)) in let m:bool = eqi(index(v,1),10) in let a:int = stop(if m then 'ten' else '',if m then 11 else 0) in let b:int = stop(if m then 'again' else '',if m then 5 else 0) in if eqi(index(v,1),10) then 3 else index(v,2)", "let v:<int>40 = each(rolli,reshape([40],9)) in\nlet m:[bool]0 = eqi(index(v,1),10) in\nlet a:[int]0 = stop(if m then 'ten' else '',if m then 11 else 0) in\nlet b:[int]0 = stop('',0) in\nindex(v,2)"},
		{"let v:<int>40 = each(fn x:int => rolli(x),reshape([40],9)) in let a:int = if eqi(index(v,1),10) then let s:int = stop('ten',11) in 0 else 1 in if eqi(index(v,1),10) then 3 else index(v,2)", "let v:<int>40 = each(rolli,reshape([40],9)) in\nlet a:[int]0 = if eqi(index(v,1),10)\n  then let s:[int]0 = stop('ten',11) in\n    0\n  else 1 in\nindex(v,2)"},
		{"let v:<int>40 = each(fn x:int => rolli(x),reshape([40],9)) in let a:int = if eqi(index(v,1),10) then let s:int = stop('',0) in 0 else 1 in if eqi(index(v,1),10) then 3 else index(v,2)", "let v:<int>40 = each(rolli,reshape([40],9)) in\nlet a:[int]0 = if eqi(index(v,1),10)\n  then let s:[int]0 = stop('',0) in\n    0\n  else 1 in\nif eqi(index(v,1),10)\nthen 3\nelse index(v,2)"},
		{"let x:int = reduce(addi,0,iota(50)) in divd(i2d(reduce(addi,0,iota(50))),i2d(x))", "let x:[int]0 = reduce(addi,0,iotaV(50)) in\ndivd(i2d(x),i2d(x))"},
		{"let x:int = rolli(6) in addi(x,rolli(1))", "let x:[int]0 = rolli(6) in\naddi(x,rolli(1))"},
		{"let x:<int>50 = each(fn a:int => addi(a,1),iota(50)) in catV(x,each(fn b:int => addi(b,1),iota(50)))", "let x:<int>50 = each(fn a:[int]0 => addi(a,1),iotaV(50)) in\ncatV(x,x)"},
	},
	"hoist": {
		{"let v:<int>50 = reverse(iota(50)) in each(fn x:int => addi(x,reduce(maxi,0,v)),iota(9))",
			"let v:<int>50 = reverseV(iotaV(50)) in\nlet h:[int]0 = reduce(maxi,0,v) in\neach(fn x:[int]0 => addi(x,h),iotaV(9))"},
		{"power(fn s:<int>9 => zipWith(biti_xor,s,each(fn x:int => biti_xor(x,reduce(maxi,0,scan(maxi,reshape([9],4)))),reshape([9],4))),3,iota(9))",
			"let h:<int>9 = scan(maxi,reshape([9],4)) in\nlet h_1:S(int,4) = reduce(maxi,0,h) in\nlet h_2:<int>9 = (each(fn x:[int]0 => biti_xor(x,h_1),reshape([9],4)) : <int>9) in\npower(fn s:<int>9 => zipWith(biti_xor,s,h_2),3,iotaV(9))"},
		{"let v:<int>50 = reverse(iota(50)) in each(fn x:int => if gti(x,3) then reduce(maxi,0,v) else x,iota(9))",
			"let v:<int>50 = reverseV(iotaV(50)) in\neach(fn x:[int]0 => if gti(x,3) then reduce(maxi,0,v) else x,iotaV(9))"},
		{"let v:<int>50 = reverse(iota(50)) in each(fn x:int => if gti(x,3) then indexof(v,muli(x,x)) else x,iota(9))",
			"let v:<int>50 = reverseV(iotaV(50)) in\nlet t:[int]1 = itemtable(v) in\neach(\n  fn x:[int]0 => if gti(x,3)\n  then itemplace(t,v,muli(x,x))\n  else x,\n  iotaV(9))"},
		{"let v:<int>50 = reverse(iota(50)) in each(fn x:int => reduce(addi,0,compress(each(fn y:int => eqi(y,x),v),v)),iota(20))",
			"let v:<int>50 = reverseV(iotaV(50)) in\nlet t:[int]1 = itemtable(v) in\nlet f:<int>50 = indexof(v,v) in\nlet o:<int>50 = gradeup(f) in\nlet s:<int>50 = index(f,o) in\nlet b:<int>50 = each(fn v_1:[int]0 => subi(v_1,1),indexof(s,iotaV(tally(s)))) in\nlet c:<int>51 = snocV(\n    zipWith(\n      fn (v_2:[int]0, v_3:[int]0) => subi(tally(s),addi(v_2,subi(v_3,1))),\n      b,\n      indexof(reverseV(s),iotaV(tally(s)))),\n    0) in\neach(\n  fn x:[int]0 => reduce(\n    addi,\n    0,\n    index(\n      v,\n      let p:[int]0 = itemplace(t,v,x) in\n      take[1](index(c,p),drop[1](index(snocV(b,tally(s)),p),o)))),\n  iotaV(20))"},
		{"let v:<int>50 = reverse(iota(50)) in each(fn x:int => reduce(addi,0,compress(each(fn y:int => eqi(y,x),v),v)),iota(9))",
			"let v:<int>50 = reverseV(iotaV(50)) in\neach(\n  fn x:[int]0 => reduce(addi,0,compress(each(fn y:[int]0 => eqi(y,x),v),v)),\n  iotaV(9))"},
	},
	"deadcode": {
		{"let v:<int>3 = reverse([1,2,3]) in let w:<int>3 = reverse(v) in 1", "1"},
		{"let v:int = addi(9223372036854775807,1) in 1", "let v:[int]0 = addi(9223372036854775807,1) in\n1"},
		{"let v:int = print(1) in 1", "let v:[int]0 = print(1) in\n1"},
		{"let v:int = print(1) in let w:<int>3 = reverse([1,2,3]) in v", "print(1)"},
		{"let z:([int]1, <int>9) = items(fn i:int => iota(i),9) in let s:<int>9 = scan(addi,#1(z)) in tally(#0(z))", "let z:([int]1, <int>9) = items(fn i:[int]0 => iota(i),9) in\ntally(#0(z))"},
		{"let z:([int]1, <int>9) = items(fn i:int => iota(i),9) in let s:[int]1 = scan(addi,#0(z)) in tally(#0(z))", "let z:([int]1, <int>9) = items(fn i:[int]0 => iota(i),9) in\nlet s:[int]1 = scan(addi,#0(z)) in\ntally(#0(z))"},
		{"let z:(([int]1, <int>9), <int>9) = items(fn i:int => (iota(i),muli(i,i)),9) in let s:<int>9 = scan(addi,#1(#0(z))) in let t:<int>9 = scan(addi,#1(z)) in 1", "let z:(([int]1, <int>9), <int>9) = items(fn i:[int]0 => (iota(i),muli(i,i)),9) in\nlet t:<int>9 = scan(addi,#1(z)) in\n1"},
	},
	"bits": {
		{"let x:int = reduce(addi,0,iota(99)) in decode(2,each(b2i,zipWith(neqi,encode(reshape([30],2),x),encode(reshape([30],2),7))))",
			"let x:[int]0 = reduce(addi,0,iotaV(99)) in\nbiti_and(1073741823,biti_xor(x,7))"},
		{"let b:<int>40 = reshape([40],2) in let x:<int>50 = reverse(iota(50)) in decode(b,zipWith(muli,encode(b,x),encode(b,x)))",
			"let b:<int>40 = reshape([40],2) in\nlet x:<int>50 = reverseV(iotaV(50)) in\nzipWith(\n  fn (a:[int]0, b_1:[int]0) => biti_and(1099511627775,biti_and(a,b_1)),\n  x,\n  x)"},
		{"decode(2,each(b2i,zipWith(eqi,encode(reshape([10],2),~5),encode(reshape([10],2),7))))",
			"biti_and(1023,biti_xor(1023,biti_xor(¯5,7)))"},
		{"encode(reshape([20],2),biti_and(1048575,reduce(addi,0,iota(50))))", "encode(reshape([20],2),reduce(addi,0,iotaV(50)))"},
		{"decode(2,reduce[1](fn (a:int, b:int) => b2i(neqi(a,b)),0,encode(reshape([10],2),iota(50))))", "biti_and(1023,reduce(biti_xor,0,iotaV(50)))"},
		{"decode(2,reduce[0](fn (a:int, b:int) => b2i(neqi(a,b)),0,encode(reshape([10],2),reshape([5,10],iota(50)))))", "decode(\n  2,\n  reduce[0](\n    fn (a:[int]0, b:[int]0) => b2i(neqi(a,b)),\n    0,\n    encode(reshape([10],2),reshape([5,10],iotaV(50)))))"},
	},
}

func TestPasses(t *testing.T) {
	for name, cases := range passCases {
		for _, c := range cases {
			assert.Equal(t, c[1], optimised(t, c[0], name), "%s of %s", name, c[0])
		}
	}
}

func TestInlineAndParams(t *testing.T) {
	assert.Equal(t, "each(fn e:[int]0 => addi(e,5),iotaV(30))", optimised(t, `
fun f (x:<int>n, y:int) : <int>n =
  each(fn e:int => addi(e,y),x)
main =
  f(iota(30),5)`))
	assert.Equal(t, `fun rec f (n:[int]0, d:S(int,2)) : [int]0 =
  if ltei(n,0)
  then 0
  else addi(2,f(subi(n,1),2))
main =
  f(10,2)`, optimised(t, `
fun rec f (n:int, d:int) : int =
  if ltei(n,0) then 0 else addi(d,f(subi(n,1),d))
main =
  f(10,2)`, "params", "simplify"))
}

// TestLoopsWithEffects says that a function with an effect before a call of itself
// becomes a loop, and that one with an effect before its last guard does not.
func TestLoopsWithEffects(t *testing.T) {
	for program, loop := range map[string]bool{
		`fun rec f (x:int) : int = if gti(x,9) then x else let y:int = print(x) in f(addi(1,x))`: true,
		`fun rec f (x:int) : int = if gti(print(x),9) then negi(x) else f(muli(2,x))`:            true,
		`fun rec f (x:int) : int = let y:int = print(x) in if gti(x,9) then x else f(addi(1,x))`: false,
	} {
		out := optimised(t, program+"\nmain =\n  f(1)", "loops")
		assert.Equal(t, loop, strings.Contains(out, "while("), out)
	}
}

// TestAccumulate says which functions that do something with the result of a call of
// themselves become loops.
func TestAccumulate(t *testing.T) {
	for program, loop := range map[string]bool{
		`fun rec f (x:int) : int = if eqi(x,0) then 7 else addi(1,f(quoi(x,2)))`:                                                      true,
		`fun rec f (x:int) : int = if eqi(x,0) then 8 else addi(f(quoi(x,2)),3)`:                                                      true,
		`fun rec f (x:int) : int = if eqi(x,0) then 7 else if gti(x,9) then f(subi(x,1)) else maxi(x,f(quoi(x,2)))`:                   true,
		`fun rec f (x:int) : int = if eqi(x,0) then 7 else addi(resi(9,x),f(quoi(x,2)))`:                                              true,
		`fun rec f (x:int) : int = if eqi(x,0) then 7 else addi(x,f(quoi(x,2)))`:                                                      false, // sums that may overflow on the way
		`fun rec f (x:int) : int = if eqi(x,0) then 7 else addi(¯1,f(quoi(x,2)))`:                                                     false,
		`fun rec f (x:int) : int = if eqi(x,0) then 7 else if gti(x,9) then addi(2,f(subi(x,1))) else addi(1,f(quoi(x,2)))`:           true,
		`fun rec f (x:int) : int = if eqi(x,0) then x else addi(1,f(quoi(x,2)))`:                                                      false, // the last addition may overflow
		`fun rec f (x:int) : int = if eqi(x,0) then 7 else maxi(muli(x,x),f(quoi(x,2)))`:                                              false, // what overflows does so behind the call
		`fun rec f (x:int) : int = if eqi(x,0) then 7 else maxi(print(x),f(quoi(x,2)))`:                                               false,
		`fun rec f (x:int) : int = if eqi(x,0) then 7 else if gti(x,9) then mini(2,f(subi(x,1))) else maxi(1,f(quoi(x,2)))`:           false,
		`fun rec f (x:int) : int = if eqi(x,0) then 7 else maxi(f(subi(x,1)),f(quoi(x,2)))`:                                           false,
		`fun rec f (x:int) : int = if eqi(x,0) then 7 else maxi(1,f(maxi(1,f(quoi(x,2)))))`:                                           false,
		`fun rec f (x:int) : double = if eqi(x,0) then 7.0 else addd(0.1,f(quoi(x,2)))`:                                               false, // rounds otherwise
		`fun rec f (x:int) : [int]1 = if eqi(x,0) then [7] else cons(x,f(quoi(x,2)))`:                                                 true,
		`fun rec f (x:int) : [int]1 = if eqi(x,0) then [7] else if gti(x,9) then snoc(f(subi(x,1)),x) else cat(f(quoi(x,2)),iota(2))`: true,
		`fun rec f (x:int) : [int]1 = if eqi(x,0) then [7] else if gti(x,9) then snoc(f(subi(x,1)),x) else cons(x,f(quoi(x,2)))`:      false, // on both sides
		`fun rec f (x:int) : [int]1 = if eqi(x,0) then [7] else cons(muli(x,x),f(quoi(x,2)))`:                                         false, // overflows behind the call
	} {
		out := optimised(t, program+"\nmain =\n  f(100)", "loops")
		assert.Equal(t, loop, strings.Contains(out, "while("), out)
	}
}

// TestFlat says that the state of a loop is one tuple of arrays.
func TestFlat(t *testing.T) {
	assert.Equal(t, `let t:([int]0, <int>3, <int>3) = power(
    fn s:([int]0, <int>3, <int>3) => (subi(#0(s),1),#1(s),zipWith(addi,#1(s),#2(s))),
    9,
    (9,[1,2,3],[4,5,6])) in
#2(t)`, unnumbered(optimised(t, `
main =
  let s:([int]0, (<int>3, <int>3)) = power(
      fn s:([int]0, (<int>3, <int>3)) =>
      let p:(<int>3, <int>3) = #1(s) in
      (subi(#0(s),1),(#0(p),zipWith(addi,#0(p),#1(p)))),
      9,
      (9,([1,2,3],[4,5,6]))) in
  #1(#1(s))`, "flat")))
	assert.Contains(t, optimised(t, `
main =
  let s:([int]0, (<int>3, <int>3)) = power(
      fn s:([int]0, (<int>3, <int>3)) => (subi(#0(s),1),(#1(#1(s)),#0(#1(s)))),
      9,
      (9,([1,2,3],[4,5,6]))) in
  #0(#1(s))`, "flat"), "(subi(#0(s),1),#2(s),#1(s))")
}

func TestLoops(t *testing.T) {
	assert.Equal(t, `fun f (x:[int]0) : [int]0 =
  let s:([bool]0, [int]0) = while(
      fn s:([bool]0, [int]0) => #0(s),
      fn s:([bool]0, [int]0) =>
      let x:[int]0 = #1(s) in
      if gti(x,900)
      then (ff,x)
      else (tt,muli(2,x)),
      (tt,x)) in
  let x:[int]0 = #1(s) in
  negi(x)
main =
  f(1)`, unnumbered(optimised(t, `
fun rec f (x:int) : int =
  if gti(x,900) then negi(x) else f(muli(2,x))
main =
  f(1)`, "loops")))
	optimised(t, `
fun rec f (v:<int>n, k:S(int,m)) : [int]1 =
  let w:[int]1 = drop(k,v) in
  if ltei(tally(w),3) then w else if gti(k,2) then cat(w,w) else f(w,addi(k,1))
main =
  (f(iota(30),1),f(iota(9),2))`)
}

// unnumbered takes the numbers off the names of variables.
func unnumbered(text string) string {
	return regexp.MustCompile(`_[0-9]+`).ReplaceAllString(text, "")
}

func TestFigures(t *testing.T) {
	assert.Equal(t, `let v1:[3,2]int = reshape([3,2],iotaV(5)) in
let v2:[2,3]int = transp(v1) in
let v9:[3,3,2]int = transp2([2,1,3],reshape([3,3,2],v1)) in
let v15:[3,3,2]int = transp2([1,3,2],reshape([3,2,3],v2)) in
let v20:[3,3]int = reduce(addi,0,zipWith(muli,v9,v15)) in
let v25:[int]0 = reduce(muli,1,reduce(addi,0,v20)) in
i2d(v25)`, optimised(t, tailtest.Figure36))
	t.Log(optimised(t, tailtest.Figure31))
}

// TestTextsOptimise runs all passes over the texts of the other tests.
func TestTextsOptimise(t *testing.T) {
	for _, src := range tailtest.Texts {
		if strings.Contains(src, "g_2") || strings.Contains(src, "read") || strings.Contains(src, "J") {
			continue
		}
		optimised(t, src)
	}
}

// chain returns a program of n functions, each calling the one before twice.
func chain(n int) string {
	var b strings.Builder
	b.WriteString("fun f0 (x:int) : int =\n  biti_xor(muli(x,3),7)\n")
	for i := 1; i < n; i++ {
		fmt.Fprintf(&b, "fun f%d (x:int) : int =\n  biti_and(65535,addi(f%d(x),f%d(addi(x,1))))\n", i, i-1, i-1)
	}
	fmt.Fprintf(&b, "main =\n  print(f%d(1))\n", n-1)
	return b.String()
}

func TestOptimiseIsFast(t *testing.T) {
	var lets strings.Builder
	lets.WriteString("let v0:[int]1 = iota(rolli(9)) in\n")
	for i := 1; i < 5000; i++ {
		fmt.Fprintf(&lets, "let x%d:[int]1 = cat(reverse(x%d),[%d]) in\n", i, max(i-1, 1), i)
	}
	src := strings.Replace(lets.String(), "reverse(x1),[1]", "reverse(v0),[1]", 1) + "print(x4999)"
	for name, src := range map[string]string{"chain": chain(20), "lets": src} {
		p, err := tail.ParseText(src)
		require.NoError(t, err)
		before := programSize(p)
		took := cputime.Of(func() { require.NoError(t, Run(p, Options{})) })
		assert.Less(t, took, 4*time.Second, name)
		require.NoError(t, tail.Check(p))
		assert.Less(t, programSize(p), 10*before+1000, name)
	}
}

// TestFaultsStay holds programs that fault against their optimised selves.
func TestFaultsStay(t *testing.T) {
	for src, want := range map[string]string{
		"powd(~2.0,0.5)": "",
		"let x:double = subd(1.0,3.0) in powd(x,0.5)": "",
		"divd(1.0,0.0)": "division by zero",
		"let x:int = 9223372036854775807 in [addi(x,1),1]":            "integer overflow",
		"let v:int = (index(iota(3),addi(2,2)) : int) in 1":           "index 4 is outside 1…3 on axis 1",
		"muli(0,addi(9223372036854775807,1))":                         "integer overflow",
		"andb(ff,lti(addi(9223372036854775807,1),1))":                 "integer overflow",
		"(divd(1.0,0.0),addi(9223372036854775807,1))":                 "integer overflow",
		"addd(divd(1.0,0.0),i2d(addi(9223372036854775807,1)))":        "integer overflow",
		"first((iota(~3) : [int]1))":                                  "¯3 is negative",
		"(zipWith(addi,iota(3),iota(4)) : [int]1)":                    "shapes 3 and 4 differ on axis 1",
		"each(fn x:int => (reduce1(addi,drop(3,iota(3))) : int),[1])": "no identity element",
	} {
		p, err := tail.ParseText(src)
		require.NoError(t, err, src)
		require.NoError(t, tail.Check(p))
		before := outcome(p)
		assert.Contains(t, before, want, src)
		require.NoError(t, Run(p, Options{Verify: true}), src)
		assert.Equal(t, before, outcome(p), src)
	}
}

// TestPassTable holds the reasons for the order of the passes against it.
func TestPassTable(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range passes {
		assert.NotEmpty(t, p.doc, p.name)
		for _, before := range p.after {
			assert.True(t, seen[before], "%s runs before %s", p.name, before)
		}
		seen[p.name] = true
	}
}

// TestExtentsAreCheap: what gives a vector its extent is looked for in a few steps, however
// many vectors were made of vectors before.
func TestExtentsAreCheap(t *testing.T) {
	var src strings.Builder
	src.WriteString("let a0:[int]1 = where(each(fn i:[int]0 => lti(5,i),iota(30))) in let a1:[int]1 = reverse(a0) in ")
	const n = 60
	for i := 2; i < n; i++ {
		fmt.Fprintf(&src, "let a%d:[int]1 = zipWith(mini,a%d,a%d) in ", i, i-1, i-2)
	}
	fmt.Fprintf(&src, "tally(a%d)", n-1)
	start := time.Now()
	optimised(t, src.String())
	assert.Less(t, time.Since(start), 20*time.Second)
}

// TestSizesOfVariables puts a variable in the place of another whose type has a size of its
// own, which the types of functions that follow mention.
func TestSizesOfVariables(t *testing.T) {
	text := optimised(t, `main =
  let u:[int]1 = unique([3,1,3]) in
  let a:<int>m = reshape([tally(u)],0) in
  let x:[int]1 = print(#1(power(fn s:([int]0,<int>m) => (addi(#0(s),1),#1(s)),3,(1,a)))) in
  let b:<int>n = a in
  print(#1(power(fn s:([int]0,<int>n) => (addi(#0(s),1),reverse(#1(s))),3,(2,b))))
`, "simplify")
	require.NotContains(t, text, "<int>n")
}
