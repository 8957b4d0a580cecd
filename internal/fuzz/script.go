package fuzz

import (
	"fmt"
	"math/rand"
	"strings"
)

// Scripts are programs without static types: mixed and nested arrays, namespaces,
// control structures, functions with headers, and dfns that are called for arguments of
// many types while what they refer to changes. Nothing is known of a script's values, so
// that many of its statements fault; most are trapped, and the error is displayed.

// Script is a generated script: statements, each of one line or more.
type Script []string

// Text returns the script's source.
func (s Script) Text() string { return strings.Join(s, "\n") + "\n" }

const (
	scriptNames = 6 // variables and functions of a script
	scriptSteps = 14
)

// GenerateScript returns the script of a seed.
func GenerateScript(seed int64) Script {
	g := &generator{rnd: rand.New(rand.NewSource(seed))}
	var s Script
	for i := range scriptNames {
		s = append(s, fmt.Sprintf("v%d←%s", i, g.anyValue()))
	}
	s = append(s, "ns←⎕NS⍬\nns.a←"+g.anyValue())
	for i := range scriptNames {
		s = append(s, fmt.Sprintf("f%d←%s", i, g.dfn(i)))
	}
	s = append(s, "o←{⍺⍺ "+g.one("⍺⍺ ⍵", "⍵ ⋄ ⍵", "⌽⍵")+"}", "ns.f←"+g.dfn(scriptNames), "∇r←{x}t y;z\n"+g.header()+"\n∇")
	for range scriptSteps {
		s = append(s, g.step(2))
	}
	return s
}

func (g *generator) variable() string { return variable(g.rnd.Intn(scriptNames)) }

func (g *generator) function() string {
	return g.one(fmt.Sprintf("f%d", g.rnd.Intn(scriptNames)), fmt.Sprintf("f%d", g.rnd.Intn(scriptNames)), fmt.Sprintf("f%d", g.rnd.Intn(scriptNames)),
		"ns.f", "t", fmt.Sprintf("(f%d o)", g.rnd.Intn(scriptNames)), "{"+g.inside("⍵", scriptNames)+"}")
}

// anyValue is an array: simple, mixed or nested.
func (g *generator) anyValue() string {
	switch g.rnd.Intn(6) {
	case 0:
		return g.one("1 'a' 2.5", "'ab' 'cde'", "(1 2)(3 4 5)", "(1 'x')(2 'y')", "⊂1 2 3", "'a' 1", "0⍴⊂1 2", "2 2⍴1 'a' (2 3) 4", "(1 2)(3.5 4)'t'")
	case 1:
		return g.one("0", "1", "2", "5", "'q'", "2.5", "¯1", "⍬", "''", "3J1", "9007199254740993", "1E300")
	}
	return literal(g.anyKind(), g.small(), g.rnd).text()
}

// dfn is a dfn that refers to functions with a number below its own.
func (g *generator) dfn(number int) string {
	if g.rnd.Intn(5) == 0 {
		return g.one("{⍵≤0:⍺ ⋄ (⍺+1)∇(20⌊⍵)-1}", "{⍵≤1:⍵ ⋄ (∇(9⌊⍵)-1)+∇(9⌊⍵)-2}", "{(20<≢⍵)∨0=≢⍵:⍵ ⋄ (∇1↓⍵),⍵[1]}", "{⍺←2 ⋄ ⍺×⍵}", "{⍺←⊢ ⋄ ⍺-⍵}", "{0::¯1 ⋄ ÷⍵}", "{x←⍵ ⋄ x[1]←0 ⋄ x}", "{v0,←⊃⍵ ⋄ ≢v0}", "{⍎'⍵+1'}", "{n←0 ⋄ _←{n+←⍵}¨⍵ ⋄ n}")
	}
	var parts []string
	for range g.rnd.Intn(3) {
		parts = append(parts, g.one("w←"+g.inside("⍵", number), g.truth()+":"+g.inside("⍵", number), "w←"+g.inside("⍵", number)+" ⋄ w←"+g.inside("w", number)))
	}
	return "{" + strings.Join(append(parts, g.inside("⍵", number)), " ⋄ ") + "}"
}

// truth is a condition of a guard.
func (g *generator) truth() string {
	return g.one("2<≢⍵", "0=⍴⍴⍵", "⍵≡'q'", "2|≢⍵", "0∊⍵", "1", "(⊂⍵)∊v1", "⍵>2", "v2≡⍵")
}

// inside is an expression of x in a dfn. Nothing in it makes arrays as large as a value
// says.
func (g *generator) inside(x string, number int) string {
	other := g.one("1", "2.5", "⍵", g.variable(), "0 1 2", "'a'")
	if g.rnd.Intn(6) == 0 {
		other = "⍺"
	}
	if number > 0 && g.rnd.Intn(3) == 0 {
		f := fmt.Sprintf("f%d", g.rnd.Intn(min(number, scriptNames)))
		return g.one(f+" "+x, f+"¨"+x, other+" "+f+" "+x, f+"⍣2⊢"+x, f+"/"+x)
	}
	switch g.rnd.Intn(3) {
	case 0:
		return g.one("⌽", "+/", "⍴", "≢", "-", "÷", "∪", "⍳≢", "⌈/", "⊃", "⊂", ",", "⍉", "×⍨", "⌊", "|", "~", "+\\", "1↓", "2↑", "⍋", "∊", "≡", "⊢", "⍕", "{⍵}¨", "+⌿", "!", "*", "↑") + x
	case 1:
		return "(" + x + ")" + g.one("+", "-", "×", "÷", "⌈", "⌊", "|", "*", "=", "<", "≤", ">", "≥", "≠", "≡", "≢", ",", "⍪", "⍳", "∊", "∧", "∨", "~", "∪", "∩", "⍷", "⌽", "↓", "+.×", "⍟", "!", "○", "⊥", "⊤", "⊃", "⍸", "(-⍨)", "{⍺,⍵}¨") + other
	}
	return g.one("("+other+"+"+x+")×"+x, x+"["+g.one("1", "⍋"+x, "⍳2", "⊂1 1")+"]", "(+/"+x+")÷≢"+x, "("+x+">0)/"+x, "(≢"+x+")⍴"+x, x+" "+other, "k←"+x+" ⋄ k[1]+←1 ⋄ k", "⊃"+x+"+"+other, "⍎'1+1'", "ns.a", "{⍵+"+x+"}¨⍳3")
}

// header is the body of a function with a header.
func (g *generator) header() string {
	lines := []string{"z←" + g.inside("y", scriptNames)}
	switch g.rnd.Intn(4) {
	case 0:
		lines = append(lines, ":If 2<≢z", "r←f1 y", ":Else", "r←z", ":EndIf")
	case 1:
		lines = append(lines, "r←0", ":For z :In y", "r←r f2 z", ":EndFor")
	case 2:
		lines = append(lines, "r←1", "→(0=≢z)/0", "r←"+g.inside("z", scriptNames))
	default:
		lines = append(lines, "r←{⍵+≢z}¨y")
	}
	return strings.ReplaceAll(strings.Join(lines, "\n"), "⍵]", "y]")
}

// call is an expression that calls functions with variables.
func (g *generator) call() string {
	f, x, y := g.function(), g.variable(), g.variable()
	return g.one(f+" "+x, f+" "+x, f+"¨"+x, f+"¨"+x, x+" "+f+" "+y, x+" "+f+"¨"+y, f+"/"+x, f+"\\"+x, "(3↑∊"+x+")∘."+f+" 2↑∊"+y, f+"⍤1⊢"+x, f+"⍤0⊢"+x, f+"⍣2⊢"+x, f+"⍨"+x,
		f+"¨⍳9", f+"¨¨"+x, "("+f+"∘"+g.function()+")"+x, "(+/"+f+")"+x, "1 "+f+" 2", f+" 7", f+" 0.5", f+" 'abc'", f+" 2 3⍴⍳6", f+" 1 0 1", "{"+f+" ⍵}¨1 2.5 'a'", x+"("+f+"⍤0 1)"+y, "{(+/⍵)"+f+" ⍺}⌸"+x)
}

// step is a statement.
func (g *generator) step(depth int) string {
	v := g.variable()
	simple := g.one("⎕←"+g.call(), "⎕←"+g.call(), v+"←"+g.call(), g.call(), v+"←"+g.anyValue(), v+"[1]←"+g.anyValue(), v+"+←1", v+",←⊃"+g.variable(),
		"("+v+" v1)←v1 "+v, "(1↑"+v+")←0", fmt.Sprintf("f%d←%s", 0, g.dfn(0)), fmt.Sprintf("f%d←%s", 3, g.dfn(3)), "ns.a←"+v, "ns.f←"+g.dfn(2), "⎕IO←"+g.one("0", "1"), "f2←f1", "⎕←⍎'"+strings.ReplaceAll(g.call(), "'", "''")+"'", "⎕←"+v)
	if depth == 0 {
		return simple
	}
	if g.rnd.Intn(12) == 0 {
		return simple
	}
	return ":Trap 0\n" + g.structure(simple, depth) + "\n:Else\n⎕←⎕DMX.EM\n:EndTrap"
}

// structure is a statement, as it is given or in a control structure.
func (g *generator) structure(simple string, depth int) string {
	v := g.variable()
	inner := func() string { return g.step(depth - 1) }
	switch g.rnd.Intn(8) {
	case 0:
		return ":For i :In " + g.one("⍳12", g.few(v), "1 2.5 'a'", "'ab' 3") + "\n⎕←" + g.function() + " i\n" + inner() + "\n:EndFor"
	case 1:
		return ":If " + g.one("1≡≢"+v, "2<≢"+v, "0=≡"+v) + "\n" + inner() + "\n:Else\n" + inner() + "\n:EndIf"
	case 2:
		return "n←0\n:While n<" + g.one("3", "20") + "\nn+←1\n" + v + "←" + g.function() + " n\n:EndWhile\n⎕←" + v
	case 4, 5:
		return g.loop(depth)
	case 3:
		return "s←1\n:For i :In ⍳6\ns←" + g.one("5⌊s", "s") + "+" + g.function() + " " + g.one("i", "s", "i÷2") + "\n:EndFor\n⎕←s"
	}
	return simple
}

// few is a variable as the values of a loop: the first of its elements, mostly, as a loop
// within a loop may append to it at every turn.
func (g *generator) few(v string) string {
	return g.one("(9⌊≢,"+v+")↑,"+v, "(9⌊≢"+v+")↑"+v, "5⍴"+v)
}

// loop is a loop of assignments, with branches and ways out of it, which a compiler may
// take as a whole. It has few turns.
func (g *generator) loop(depth int) string {
	head, tail := g.one(":For i :In ⍳12", ":For i :In "+g.few(g.variable()), ":For i :In 1.5 2 ¯3 7", "n←0\n:While n<9\nn+←1", "n←0\n:Repeat\nn+←1", ":For i :In 'abc'"), ":EndFor"
	switch {
	case strings.Contains(head, ":While"):
		tail = g.one(":EndWhile", ":EndWhile", ":Until n>4")
	case strings.Contains(head, ":Repeat"):
		tail = g.one(":Until n≥8", ":Until n=5\n:OrIf n>7")
	}
	start := "i←n←0 ⋄ s←" + g.one("0", "1", "0.5", "⍳5", "''", "2 2⍴⍳4") + " ⋄ r←" + g.one("3", "9⍴0", "⍬") + "\n"
	return start + head + "\n" + g.turn(depth) + "\n" + tail + "\n⎕←s r i n"
}

// turn is statements of a loop.
func (g *generator) turn(depth int) string {
	var lines []string
	for range 1 + g.rnd.Intn(3) {
		step := g.one("s←s+i", "s+←n", "s←r+s÷2", "r[1+9|⌊n]←s", "r←r,i", "r←⌽r", "(s r)←r s", "s←i⌈⊃s", "s-←1", "r[⊃⍋r]+←1", "s←"+g.function()+" n", "s←+/r", "n+←0", "i←n×2", "s←~2|n", g.variable()+"←n", "s←5000000×s", "s←÷4-n", "r[2]←i")
		if g.rnd.Intn(3) == 0 {
			cond := g.one("2|n", "n>3", "s≡r", "i=2", "0=3|n", "s>5", "i>s")
			if g.rnd.Intn(4) == 0 {
				cond += "\n" + g.one(":AndIf ", ":OrIf ") + g.one("n<5", "1=≢r", "i≤7")
			}
			step = ":If " + cond + "\n" + step
			switch g.rnd.Intn(4) {
			case 0:
				step += "\n" + g.one(":Leave", ":Continue")
			case 1:
				step += "\n:Else\n" + g.one("s←n", "r←i,r", "s×←2", ":Leave")
			case 2:
				step += "\n:ElseIf n=2\n" + g.one("s←n", "r←i,r", "s×←2", ":Continue")
			}
			step += "\n:EndIf"
		}
		if g.rnd.Intn(6) == 0 {
			step = ":Select " + g.one("3|n", "i", "s", "2 1×n") + "\n:Case " + g.one("1", "s", "'b'", "2 1", "÷n-3") + "\n" + step + "\n" + g.one(":CaseList 0 2", ":CaseList 'ab'", ":CaseList (1 2)3", ":Else") + "\n" + g.one("s←n", "r←i,r", "s×←2", ":Leave") + "\n:EndSelect"
		}
		lines = append(lines, step)
	}
	if depth > 1 && g.rnd.Intn(4) == 0 {
		lines = append(lines, ":For j :In "+g.one("⍳4", "r", "⍬", "i")+"\n"+g.one("s←s+j", "r←j", "i←j\n:If j>2\n:Leave\n:EndIf")+"\n:EndFor")
	}
	return strings.Join(lines, "\n")
}

// ShrinkScript returns a script with fewer statements for which fails still holds.
func ShrinkScript(s Script, fails func(Script) bool) Script {
	for i := 0; i < len(s); {
		smaller := append(append(Script{}, s[:i]...), s[i+1:]...)
		if fails(smaller) {
			s = smaller
		} else {
			i++
		}
	}
	return s
}
