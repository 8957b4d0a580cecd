package gradual_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/internal/driver"
	"github.com/tailor-lang/tailor/internal/gradual"
	"github.com/tailor-lang/tailor/internal/sampling"
	"github.com/tailor-lang/tailor/interp"
)

// run returns what a program prints, with its error.
func run(t *testing.T, source string, c interp.Compiler) string {
	prog, err := apl.Parse(diag.NewSource("test.apl", source))
	var list diag.List
	if errors.As(err, &list) {
		return list[0].Render()
	}
	require.NoError(t, err)
	var out strings.Builder
	if err = interp.Run(prog, &interp.Env{Stdout: &out, Compiler: c, Eager: true}); err != nil {
		var e *diag.Error
		require.ErrorAs(t, err, &e)
		out.WriteString(e.Render())
	}
	return out.String()
}

// programs call functions that are compiled, that change what they refer to, and that
// leave what compiled code can do.
var programs = []string{
	"f←{⍵+1} ⋄ ⎕←f 3 ⋄ ⎕←f 1 2 3 ⋄ ⎕←f 2.5 ⋄ f 2j1",
	"fib←{⍵<2:⍵ ⋄ (∇⍵-1)+∇⍵-2} ⋄ fib 20",
	"fib←{⍵<2:⍵ ⋄ (fib ⍵-1)+fib ⍵-2} ⋄ fib 15",
	"k←3 ⋄ f←{⍵×k} ⋄ ⎕←f 4 ⋄ k←5 ⋄ ⎕←f 4 ⋄ k←'a' ⋄ f 4",
	"g←{⍵+1} ⋄ f←{2×g ⍵} ⋄ ⎕←f 4 ⋄ g←{⍵-1} ⋄ ⎕←f 4",
	"f←{⍵×⍵} ⋄ ⎕←f 3000000000 ⋄ f 4000000000",
	"f←{⍵:1 ⋄ 0.5} ⋄ ⎕DR¨(f 1)(f 0)",
	"f←{⍵>5:⍵ ⋄ ⍵÷2} ⋄ ⎕DR¨f¨3 4 9",
	"f←{⍵÷⍺} ⋄ ⎕←2 f 3 ⋄ 0 f 3",
	"f←{⍵[4]} ⋄ ⎕←f 1 2 3 4 ⋄ f 1 2",
	"f←{x←⍵} ⋄ f 3 ⋄ ⎕←f 4",
	"n←0 ⋄ f←{n+←1 ⋄ ⍵} ⋄ {}f¨⍳5 ⋄ n",
	"f←{⎕←⍵ ⋄ ⍵} ⋄ +/f¨⍳3",
	"f←{⎕IO←0 ⋄ ⍳⍵} ⋄ ⎕←f 3 ⋄ g←{⍳⍵} ⋄ ⎕←g 3 ⋄ ⎕IO←0 ⋄ g 3",
	"f←{⍺←2 ⋄ ⍺×⍵} ⋄ ⎕←f 3 ⋄ 5 f 3",
	"tw←{⍺⍺ ⍺⍺ ⍵} ⋄ ⎕←{⍵×3}tw 2 ⋄ -tw 5",
	"pow←{⍵⍵=0:⍵ ⋄ ⍺⍺⍣⍵⍵⊢⍵} ⋄ {⍵×3}pow 4⊢2",
	"f←{⍵=0:⍺ ⋄ (⍺+1)∇⍵-1} ⋄ 0 f 100000",
	"avg←+⌿÷≢ ⋄ f←{avg ⍵} ⋄ ⎕←f 1 2 3 4 ⋄ ⎕←f 2 3⍴⍳6",
	"f←{(+/⍵)÷≢⍵} ⋄ ⎕←f ⍳10 ⋄ ⎕←f 2 2⍴1 2 3 4 ⋄ f ⍬",
	"⍎'f←{⍵+1}' ⋄ f 4 ⋄ ⎕←f 1 2",
	"f←{⌽⍵} ⋄ ⎕←f 'abc' ⋄ ⎕←f 'x' ⋄ ⎕←f 'ab' 'cd' ⋄ f (1 2)(3 4 5)",
	"f←{⍵ ⋄ 3} ⋄ f 4",
	"mk←{k←⍵ ⋄ {⍵+k}¨⍳3} ⋄ ⎕←mk 3 ⋄ mk 10",
	"f←{1E308×⍵} ⋄ ⎕←f 1 ⋄ 0::⎕DMX.EM ⋄ f 10",
	"f←{0::¯1 ⋄ g ⍵} ⋄ g←{÷⍵} ⋄ ⎕←f 4 ⋄ f 0",
	"f←{?⍵} ⋄ ⎕RL←1 2 ⋄ ⎕←f 6 6 6 ⋄ f 100",
	"f←{(2⊃⍵)+⊃⍵} ⋄ ⎕←f 1 2 ⋄ f (1 2)(3 4)",
	"f←{⍺,⍵} ⋄ ⎕←1 f 2 ⋄ ⎕←'a'f'bc' ⋄ 1 f 'a'",
	"f←{⍵*2} ⋄ ⎕←f 3 ⋄ ⎕←f 1E5 ⋄ ⎕←f ¯2 ⋄ f 5000000000",
	"f←{⍵*0.5} ⋄ ⎕←f 4 ⋄ f ¯4",
	"f←{⍵} ⋄ ⎕←f 1 0 1 ⋄ ⎕←f 2 2⍴'abcd' ⋄ ⎕←f 1.5 2 ⋄ ⎕←f 1j2 3 ⋄ ⎕←f 0⍴5 ⋄ f 2 0⍴' '",
	"v←⍳100 ⋄ f←{v[⍵]+⍺} ⋄ ⎕←1 f 5 ⋄ ⎕←1 2 f 7 8 ⋄ 1 f 101",
	"f←{2|⍵:1+3×⍵ ⋄ ⍵÷2} ⋄ ⎕←f¨⍳9 ⋄ +/{2|⍵:1 ⋄ 0}¨⍳1000",
	"⎕←≢{⍵ ⍵}¨⍳100 ⋄ ⎕←5 {⍺×⍵}¨⍳5 ⋄ ⎕←(⍳5){⍺×⍵}¨⌽⍳5 ⋄ {⍵+1}¨(1 2)(3 4)",
	"{⍵=50:÷0 ⋄ ⍵}¨⍳100",
	"f←{1=⍵:1 ⋄ ⍵×∇⍵-1} ⋄ ⎕←f 10 ⋄ f 25",
	"∇r←f n;i\nr←0\n:For i :In ⍳n\nr←r+i×i\n:EndFor\n∇\n⎕←f 100\n⎕←f 0\nf 2.5 7",
	"r←⍬ ⋄ t←5⍴0\n:For i :In 3 1 4 1 5\nt[i]+←1\n:EndFor\nt i",
	"s←0\n:For i :In ⍳9\n:If i=7\n:Leave\n:ElseIf 2|i\n:Continue\n:EndIf\ns←s+i\n:EndFor\ni s",
	"s←0\n:For i :In ⍳9\n:If 2|i ⋄ :AndIf i>4\ns←s+10\n:ElseIf i=2\n:OrIf i=6\ns←s-1\n:Else\ns←s+1\n:EndIf\n:EndFor\ni s",
	"s←j←0\n:For i :In ⍳30\n:For j :In 1↓⍳i\n:If 0=j|i\n:Leave\n:EndIf\n:EndFor\n:If i=j\ns+←i\n:EndIf\n:EndFor\ni j s",
	"n←27 ⋄ c←0\n:While n≠1\n:If 2|n\nn←1+3×n\n:Else\nn←n÷2\n:EndIf\nc+←1\n:EndWhile\nn c",
	"n←100 ⋄ c←0\n:Repeat\nn-←7\nc+←n\n:Until n<0\n:OrIf c>500\nn c",
	"n←0\n:While n<20\nn+←1\n:Until n=9\nn",
	"n←0\n:While n<9\nn+←1\n:If 2|n\n:Continue\n:EndIf\n:Until n>4\nn",
	"n←0\n:Repeat\nn+←1\n:If 2|n\nn+←2\n:Continue\n:EndIf\n:Until n>4\nn",
	"x←1 ⋄ y←1\n:Repeat\n(x y)←y(x+y)\n:If x>1000\n:Leave\n:EndIf\n:EndRepeat\nx y",
	"s←1\n:For i :In ⍳70\ns←s×2\n:EndFor\ns",
	"s←⍳30\n:For i :In 1↓⍳30\n:If s[i]=i\ns[i×⍳⌊30÷i]-←s[i×⍳⌊30÷i]÷i\n:EndIf\n:EndFor\ns",
	"s←⍳5\n:For i :In ⍳4\ns[i,i+1]×←i,⍳i=3\n:EndFor\ns",
	"s←⍳5\n:For i :In ⍳4\ns[i]+←{⍵>3:⎕OFF ⋄ ⍵}i\n⎕←s\n:EndFor",
	"s←0\n:For i :In 4 2 0 3\n:Trap 0\ns←s+12÷i\n:Else\ns←s-1\n:EndTrap\n:EndFor\ns",
	"s←0\n:Trap 0\n:For i :In 4 2 0 3\ns←s+12÷i\n:EndFor\n:Else\n⎕←⎕DMX.EM\n:EndTrap\ni s",
	"s←''\n:For i :In 'hello'\ns←s,i\n:EndFor\ns i",
	"s←0\n:For i :In ⍳20\n⎕IO←0\ns←s+⊃⍳i\n:EndFor\ns ⎕IO",
	"g←{⍵×k} ⋄ k←2 ⋄ s←0\n:For i :In ⍳9\ns←s+g i\nk←i\n:EndFor\ns k",
	"g←{⍵×k} ⋄ k←2 ⋄ s←0\n:For i :In ⍳9\ns←s+g i\n:EndFor\ns\nk←3\n:For i :In ⍳9\ns←s+g i\n:EndFor\ns",
	"b←1 ⋄ v←⍬\n:For i :In ⍳9\nb←~b\nv←v,b/i\n:EndFor\nb v",
	"a←⍳5\n:For i :In ⍳4\nb←a\na[i]←0\n:EndFor\na b",
	"x←0\n:For i :In 1 2.5 3J1\nx+←i\n:EndFor\nx",
	"m←0\n:For i :In ⍳5\n:If i=3\nz←i\n:EndIf\nm+←i\n:EndFor\nm",
	"m←3 3⍴0 ⋄ k←0\n:For i :In ⍳3\n:For j :In ⍳3\nk+←1\nm[i;j]←k\n:EndFor\n:EndFor\nm",
	"f←{s←0 ⋄ ⍵+s} ⋄ s←5\n:For i :In ⍳4\ns←f s\ni←0\n:EndFor\ns i",
	"s←0\n:For i :In 2 3⍴⍳6\ns←s,i\n:EndFor\ns",
	"s←0\n:For i :In ⍳5\ns←s+0.5\n:EndFor\ns ⋄ ⎕DR s",
	"s←0\n:For i :In ⍳30\n:Select 4|i\n:Case 0\ns+←1\n:CaseList 1 2\ns+←10\n:Else\ns-←i\n:EndSelect\n:EndFor\ns i",
	"s←0\n:For i :In ⍳30\n:Select 4|i\n:Case s\n:Case 1\n:Select s>5\n:Case 1\ns←s-3\n:Else\ns←s+7\n:EndSelect\n:EndSelect\n:EndFor\ns i",
	"s←0\n:For c :In 'abcab'\n:Select c\n:CaseList 'ab'\ns+←1\n:Case 'c'\ns×←2\n:EndSelect\n:EndFor\ns c",
	"s←0\n:For i :In ⍳9\n:Select i\n:Case 1 2\ns+←1\n:CaseList (⊂4)5 'x'\ns+←2\n:Case ÷i-7\ns+←3\n:EndSelect\n:EndFor\ns i",
	"v←1 2 ⋄ s←0\n:For i :In ⍳9\n:Select v\n:Case 1 2\ns+←1\nv←⌽v\n:CaseList (1 2)(2 1)\ns+←5\nv←v,i\n:Else\nv←2↑v\n:EndSelect\n:EndFor\ns v",
	"s←0\n:For i :In ⍳9\n:Select i\n:Case 3\n:Continue\n:Case 7\n:Leave\n:EndSelect\ns+←i\n:EndFor\ns i",
	"t←'the cat sat on the mat' ⋄ w←' '(≠⊆⊢)t ⋄ n←≢¨w ⋄ ↑{⍺,' ',⍕⍵}/¨↓w,⍪n ⋄ r←⌽¨w ⋄ ∊r ⋄ ⊃w",
	"x←(1 2)(3 4 5)(⍳0) ⋄ y←x ⋄ ⍎'y←⌽y' ⋄ z←+/¨y ⋄ z ⋄ y←x,⊂9 9 ⋄ ≢¨y ⋄ x y",
	"x←'ab' 'c' ⋄ f←{⍵,x} ⋄ y←f 'd' ⋄ x←x,⊂'zz' ⋄ f 'e' ⋄ g←{≢¨⍵} ⋄ g x ⋄ ⍎'g x'",
	"x←5⍴0 ⋄ {x[⍵]+←⍵}¨⍳5 ⋄ y←x ⋄ y[2]←9 ⋄ x←x+1 ⋄ ⍎'x y' ⋄ x←x+y ⋄ x y",
	"x←⍳4 ⋄ x←x×2 ⋄ ⎕←x ⋄ m←⍎'x' ⋄ x←m+x ⋄ x ⋄ x←x÷2 ⋄ ÷0 ⋄ x",
	"i←⍳0 ⋄ w←{⍵⍴'a'}¨i ⋄ w←w,⊂'b' ⋄ ⍎'w' ⋄ w ⋄ (⊂'c'),w",
	"p←(1 'ab')(2 'cde') ⋄ n←⊃¨p ⋄ s←2⊃¨p ⋄ ⍎'p' ⋄ s,¨n ⋄ q←p,⊂3 'f' ⋄ ⍎'≢q' ⋄ q",
	"m←2 2⍴'ab' 'c' 'd' 'efg' ⋄ ⍎'m' ⋄ m[1;] ⋄ ,m ⋄ n←⍉m ⋄ ⍎'n' ⋄ n",
	"f←{⍵+k} ⋄ k←3 ⋄ a←f 4 ⋄ k←4 ⋄ b←f 4 ⋄ ⍎'k←5' ⋄ c←f 4 ⋄ a b c",
	"∇r←g x\nr←x,⍥⊂⌽x\n∇\nv←⍳3 ⋄ w←g v ⋄ w ⋄ u←2/v ⋄ +/u\nv←u ⋄ v",
	"n←70 ⋄ p←(⍳n),¨{⊂'j',⍕⍵}¨⍳n ⋄ ⍎'3↑p' ⋄ t←↑p ⋄ ⍎'3↑t' ⋄ t←t,⍪⌽⍳n ⋄ ⍎'¯2↑t' ⋄ t[2;]",
	"n←70 ⋄ m←{⍵⍴⍳9}¨(⍳n),¨2 ⋄ ⍎'3↑m' ⋄ w←{⍕¨⍳⍵}¨⍳n ⋄ ⍎'3↑w' ⋄ q←{⍵(2⍴⊂⍕⍵)}¨⍳n ⋄ ⍎'2↑q' ⋄ e←⊂¨w ⋄ ⍎'2↑e'",
	"w←⍕¨⍳+/⍳12 ⋄ m←39 2⍴w ⋄ ⍎'2↑m' ⋄ r←⍉m ⋄ ⍎'r[;3]' ⋄ k←(3|⍳78){⍺(≢⍵)}⌸w ⋄ ⍎'k' ⋄ c←(⍕¨⍳70)∘.,⍕¨⍳2 ⋄ ⍎'3↑c'",
	"f←{⍵,0.5,3} ⋄ ⎕DR¨f 2 ⋄ p←1.5×⍳3 ⋄ q←(p,0)[4 2] ⋄ ⍎'⎕DR q'",
	"f←{⎕IO∘←0 ⋄ ⍵} ⋄ x←⍳3 ⋄ ⎕←f 4 ⋄ y←⍳3 ⋄ ⍎'x y' ⋄ z←x,y ⋄ z",
	"t←⊂1 2 3 ⋄ ⍎'≡t' ⋄ ⍎'⍴⍴t' ⋄ u←t 5 ⋄ ⍎'u' ⋄ ⍎'≡⊃u' ⋄ v←⊂⊂'ab' ⋄ ⍎'v' ⋄ ⍎'≡v'",
	"⎕IO←0 ⋄ x←⍳4 ⋄ w←x⊂⍨1 0 1 0 ⋄ ⍎'⎕IO←1' ⋄ ⍳3 ⋄ w←w,⊂⍳2 ⋄ w",
	"a←1 ⋄ b←a+1 ⋄ :If b=2 ⋄ c←b×3 ⋄ :EndIf ⋄ d←c+b ⋄ a b c d",
	"m←1 1⍴3 ⋄ f←{⍵≤m} ⋄ ⎕←f 1 2 9 ⋄ ⎕←⍴f,1 ⋄ ⍴f⍬",
	"m←1 1⍴3 ⋄ f←{⍵{⍺-⍵}¨m} ⋄ ⎕←f 1 2 9 ⋄ ⎕←⍴f,1 ⋄ ⍴f⍬",
	"m←1 1⍴1 ⋄ g←{w←⍵↓m ⋄ ⍵≤m} ⋄ f←{w←(⍵>0)/⍵ ⋄ w←g⍣2⊢w ⋄ ⍵} ⋄ n←0\n:While n<3\nn+←1\nr←f n\n:EndWhile\nr",
}

// TestPlain compares interpretation with calls of functions that are evaluated as
// soon as they are called.
func TestPlain(t *testing.T) {
	for _, source := range programs {
		want := run(t, source, nil)
		require.Equal(t, want, run(t, source, evaluator()), source)
	}
}

// TestC is TestPlain with C for a sample of the programs.
func TestC(t *testing.T) {
	c := native(t)
	for _, source := range programs {
		if !sampling.Keep(source, 6) {
			continue
		}
		want := run(t, source, nil)
		require.Equal(t, want, run(t, source, c), source)
	}
}

// native returns a compiler that makes C at once.
func native(t testing.TB) *gradual.Compiler {
	cc, err := driver.FindCompiler()
	var missing *driver.MissingTool
	if errors.As(err, &missing) {
		t.Skip(missing)
	}
	require.NoError(t, err)
	cache, err := driver.UserCache()
	require.NoError(t, err)
	c := gradual.New(func() (*driver.Cache, *driver.Compiler) { return cache, cc })
	c.Synchronous = true
	return c
}

// evaluator returns a compiler that finds no C compiler.
func evaluator() *gradual.Compiler {
	return gradual.New(func() (*driver.Cache, *driver.Compiler) { return nil, nil })
}

// TestLoops finds loops of control words among what is compiled, in functions, inside of
// others, and with ways out of them.
func TestLoops(t *testing.T) {
	for _, source := range []string{
		"∇r←f n;i\nr←0\n:For i :In ⍳n\nr←r+i×i\n:EndFor\n∇\nf 100",
		"s←j←0\n:For i :In ⍳30\n:For j :In 1↓⍳i\n:If 0=j|i\n:Leave\n:EndIf\n:EndFor\n:If i=j\ns+←i\n:EndIf\n:EndFor\ni j s",
		"n←100 ⋄ c←0\n:Repeat\nn-←7\nc+←n\n:Until n<0\n:OrIf c>500\nn c",
		"n←0\n:While n<20\nn+←1\n:Until n=9\nn",
		"s←0\n:For i :In ⍳30\n:Select 4|i\n:Case 0\ns+←1\n:CaseList 1 2\ns+←10\n:Else\ns-←i\n:EndSelect\n:EndFor\ns i",
		"s←0\n:For c :In 'abcab'\n:Select c\n:CaseList 'ab'\ns+←1\n:Case 'c'\ns×←2\n:EndSelect\n:EndFor\ns c",
	} {
		c := evaluator()
		run(t, source, c)
		var report strings.Builder
		c.Report(&report)
		require.Contains(t, report.String(), "evaluated", source)
	}
}

// TestFunctionsOfLoops calls a function with another meaning in the next call of the
// function with the loop.
func TestFunctionsOfLoops(t *testing.T) {
	source := "∇r←(g f)n;i;h\nh←g\nr←0\n:For i :In ⍳n\nr←r+h i\n:EndFor\n∇\n⎕←{⍵+1}f 5\n⎕←{⍵+2}f 5\n⎕←-f 5"
	require.Equal(t, run(t, source, nil), run(t, source, evaluator()))
}
