package apl

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/internal/diag"
)

// TestErrors parses faulty sources. The part of a source between « and » is
// what the first error points at.
func TestErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		// Characters.
		{"x←1 « $ »", "SYNTAX ERROR: character '$' (U+0024) is not in APL"},
		{"«\"abc\"»", "single quotes"},
		{"«‘»abc", "is not a quote"},
		{"«'abc»", "string is not closed on its line"},
		{"«'abc»\n'", "string is not closed on its line"},
		{"1«\x00»", "NUL byte at offset 1"},
		{"1+«\xff»", "byte 0xff at offset 2 is not valid UTF-8"},
		{"⍝ ok\n«\xe2»\x8d", "byte 0xe2 at offset 7 is not valid UTF-8"},
		{"«:Namespace» n\nx←1\n", ":Namespace is not closed"},
		// Numbers.
		{"«1e-5»", "malformed number"},
		{"«1E»", "malformed number"},
		{"«1..2»", "malformed number"},
		{"«1.2.3»", "malformed number"},
		{"«2x»", "malformed number"},
		{"«3J»", "malformed number"},
		{"«¯»x", "no number behind ¯"},
		{"«1E999»", "LIMIT ERROR: number is too large"},
		// Brackets.
		{"1+2«)»", ") closes nothing"},
		{"1+2«)»+3", ") closes nothing"},
		{"«]»", "] closes nothing"},
		{"1«}»", "} closes nothing"},
		{"1+«(»2", "( is not closed on its line"},
		{"1+«(»2\n3", "( is not closed on its line"},
		{"x[«(»1]", "( is not closed before ]"},
		{"f←«{»⍵", "{ is not closed"},
		{"f←{⍵+«(»1}", "( is not closed before }"},
		{"f←{⍵«)»}", ") closes nothing"},
		{"(1«]»", "] closes ("},
		{"(1«;»2)", "; outside brackets"},
		{"1«;»2", "; outside brackets"},
		{"«[1]»", "nothing before [1] to index"},
		{"+[«»1;2]3", "an axis is one array"},
		// Names.
		{"«x»", "VALUE ERROR: unknown name: x"},
		{"count←1 ⋄ «cuont»+1", "unknown name: cuont"},
		{"«x»+1 ⋄ x←1", "unknown name: x"},
		{"«⍵»", "⍵ outside a dfn"},
		{"x←«⍺⍺»", "⍺⍺ outside a dfn"},
		{"{«∇∇»⍵}1", "∇∇ outside an operator"},
		{"«⎕FOO»", "NOT SUPPORTED: system name ⎕FOO"},
		{"f←{⍵}\n«f»←3", "f is assigned an array here and a function before"},
		{"x←3\n«x»←{⍵}", "x is assigned a function here and an array before"},
		{"g←{⍵} ⋄ (a «g»)←1 2", "g is assigned an array here and a function before"},
		// Assignment.
		{"x«←»", "nothing to assign"},
		{"«←»1", "nothing to assign to"},
		{"«3»←1", "3 cannot be assigned"},
		{"«⎕TS»←1", "⎕TS cannot be assigned"},
		{"{«⍵»←1}1", "⍵ cannot be assigned"},
		{"{«⍵[1]»←1}1", "⍵ cannot be assigned"},
		{"x←1 ⋄ «(x+1)»←1", "selects nothing that can be assigned"},
		{"x←⍳3 ⋄ «(⍴x)»←1", "selects nothing that can be assigned"},
		{"x←⍳3 ⋄ «(1,x)»←1", "selects nothing that can be assigned"},
		{"x←⍳3 ⋄ «(3⊣x)»←1", "selects nothing that can be assigned"},
		{"x←⍳3 ⋄ «(3∊x)»←1", "selects nothing that can be assigned"},
		{"x←(1 2)3 ⋄ «(↑x)»←1", "selects nothing that can be assigned"},
		{"x←(1 2)3 ⋄ «(2↑↑x)»←1", "selects nothing that can be assigned"},
		{"x←(1 2)3 ⋄ «(↓¨x)»←1", "selects nothing that can be assigned"},
		{"x←1 2 ⋄ «(x+1)[1]»←1", "NOT SUPPORTED: only a name or a selection can be assigned by index"},
		{"«x»[1]←1", "unknown name: x"},
		{"«x»+←1", "unknown name: x"},
		{"1+«f←{⍵}»", "f←{⍵} has no right argument"},
		{"«2» x←3", "no function between 2 and the assignment"},
		// Functions and operators.
		{"1«+»", "+ has no right argument"},
		{"f←1 «+»", "+ has no right argument"},
		{"«¨»1", "¨ has no left operand"},
		{"+«⍤»", "⍤ has no right operand"},
		{"«∘.»", "∘. has no operand"},
		{"1 «¨» 2", "¨ needs a function"},
		{"x←1 ⋄ «-⍤1 x»", "a function without an argument"},
		{"x←1 ⋄ {«+»}x", "a function without an argument"},
		// Statements.
		{"«→»0", "NOT SUPPORTED: branch"},
		{"{«:If» 1}0", "NOT SUPPORTED: control structures are not supported in dfns: :If"},
		{"«:EndIf»", ":EndIf outside of a structure"},
		{"«:If» 1", ":If is not closed: no :EndIf"},
		{"«∇»r←f x\nr←x\n", "∇ opens a definition that is not closed"},
		{"∇ «r←f x y z»\n∇", "this is no header"},
		{"∇ f\n«:If» 1\n∇", ":If is not closed: no :EndIf"},
		{"∇ f\n«:Fro» x :In 3\n∇", "unknown control word: :Fro"},
		{"∇ f\n:If 1 «:»AndIf 0\n:EndIf\n∇", "a second control word"},
		{"∇ f\n«:EndIf»\n∇", ":EndIf closes nothing"},
		{"∇ f\n«:Interface» x\n∇", "NOT SUPPORTED: the control word :Interface is not supported"},
		{"1«:»2", "a guard outside a dfn"},
		{"{1«:»}1", "a guard without a result"},
		{"{«:»1}1", "a guard without a condition"},
		{"{1:2«:»3}1", "a second : in a guard"},
		{"{1«::»}1", "an error guard without a result"},
		{"1«::»2", "an error guard outside a dfn"},
		{"1 «⍝: int»", "annotation ⍝: of nothing"},
		{"«⍝: int»", "annotation ⍝: of nothing"},
	} {
		start := strings.Index(c.text, "«")
		text := strings.Replace(c.text, "«", "", 1)
		end := strings.Index(text, "»")
		text = strings.Replace(text, "»", "", 1)
		e := errorsOf(t, text)[0]
		require.Contains(t, e.Headline(), c.want, c.text)
		if end > start {
			require.Equal(t, strings.TrimSpace(text[start:end]), e.Span.Text(), c.text)
		}
	}
}

// TestManyErrors requires every faulty statement to be reported, and no more.
func TestManyErrors(t *testing.T) {
	list := errorsOf(t, `x←1+nope
y←x+1
z←1E
f←{⍵+also ⋄ ⍵:}
w←f z
1+
nope+nope
`)
	var got []string
	for _, e := range list {
		got = append(got, e.Headline())
	}
	require.Equal(t, []string{
		"t:1:5: VALUE ERROR: unknown name: nope",
		"t:3:3: SYNTAX ERROR: malformed number: 1E",
		"t:4:6: VALUE ERROR: unknown name: also",
		"t:4:14: SYNTAX ERROR: a guard without a result",
		"t:6:2: SYNTAX ERROR: + has no right argument",
	}, got)
}

// TestFixes requires the advice of some errors.
func TestFixes(t *testing.T) {
	for text, want := range map[string]string{
		"count←1 ⋄ cuont": "did you mean count?",
		"⎕NGTE 'f'":       "did you mean ⎕NGET?",
		"1e-5":            "write ¯ in a number: 1e¯5",
		"2x":              "put a function or a blank between 2 and x",
		"x←1 ⋄ ⌽⍤1 x":     "put ⊢ before the argument: ⊢x",
		"∇f":              "write ∇ on a line of its own behind the last line",
		"\"it\"":          "write '…'; a quote inside is doubled: 'it''s'",
		"f←{⍵} ⋄ f←1":     "use another name",
		"1+":              "a function with a bound argument is written 1∘+",
	} {
		require.Equal(t, want, errorsOf(t, text)[0].Fix, text)
	}
}

// TestLineEnds requires the same program from every spelling of blanks.
func TestLineEnds(t *testing.T) {
	want := roundTrip(t, "x←1 2\nf←{\n⍵+1\n}\nf x\n")
	for _, text := range []string{
		"\uFEFFx←1 2\nf←{\n⍵+1\n}\nf x",
		"x←1 2\r\nf←{\r\n⍵+1\r\n}\r\nf x\r\n",
		"x←1 2\rf←{\r⍵+1\r}\rf x\r",
		"#!/usr/bin/env -S tailor run\n\tx ← 1\t2 ⍝ note\n\n\n f←{⍵+1}\n\tf x ⋄ ⋄ ",
		"x←1\u00a02 ⋄ f←{⋄⍵+1⋄} ⋄ f x",
		"x←1 2 ◊ f←{⍵+1} ◊ f x",
	} {
		got := roundTrip(t, text)
		require.NotNil(t, got)
		require.True(t, Equal(want, got), text)
	}
}

func TestNames(t *testing.T) {
	prog := roundTrip(t, "x←1 ⋄ f←{⍵} ⋄ m←¨ ⋄ d←{⍺⍺ ⍵⍵ ⍵} ⋄ (a b)←1 2 ⋄ 1+c←2 ⋄ e←d")
	names := prog.Names()
	require.Equal(t, map[string]Class{"x": ArrayClass, "f": FunctionClass, "m": MonadicOperator, "d": DyadicOperator,
		"a": ArrayClass, "b": ArrayClass, "c": ArrayClass, "e": DyadicOperator}, names)
	next, err := ParseWith(diag.NewSource("t", "f m x ⋄ f e f x ⋄ x←{⍵+a} ⋄ x 1"), names)
	require.NoError(t, err)
	require.Equal(t, "(<f m> x)", shapeOf(next.Body[0]))
	require.Equal(t, "(<f e f> x)", shapeOf(next.Body[1]))
	require.Equal(t, FunctionClass, next.Names()["x"])
}

// TestScopes requires names to be resolved where they stand.
func TestScopes(t *testing.T) {
	for _, c := range [][2]string{
		{"f←{later ⍵}\nlater←{⍵+1}", "(later ⍵)"},
		{"f←{later←3 ⋄ {later+⍵}⍵}\nlater←{⍵+1}", "({later+⍵} ⍵)"},
		{"g←{⍵}\nf←{g←3 ⋄ g}", "g"},
		{"g←{⍵}\nf←{(g h)←⍵ ⋄ g h}", "‹g;h›"},
		{"g←{⍵}\nf←{h←1 ⋄ g h}", "(g h)"},
		{"f←{even←{⍵=0:1 ⋄ odd ⍵-1} ⋄ odd←{⍵=0:0 ⋄ even ⍵-1} ⋄ even ⍵}", "(even ⍵)"},
	} {
		prog := roundTrip(t, c[0])
		require.NotNil(t, prog)
		for _, s := range prog.Body {
			if def := s.(*FuncDef); def.Name.Ident == "f" {
				body := def.F.(*Dfn).Body
				require.Equal(t, c[1], shapeOf(body[len(body)-1]), c[0])
			}
		}
	}
}

// TestOperands requires operators to be read by the class of their operands.
func TestOperands(t *testing.T) {
	dop := func(text string) *Dop {
		prog := roundTrip(t, text)
		require.NotNil(t, prog)
		return prog.Body[0].(*OperatorDef).Op.(*Dop)
	}
	last := func(d *Dop) string { return shapeOf(d.Body[len(d.Body)-1]) }

	d := dop("scale←{⍺⍺×⍵}")
	require.Equal(t, "(⍺⍺ (× ⍵))", last(d))
	require.False(t, d.LeftIsArray)
	a, err := d.Reading(true, false)
	require.NoError(t, err)
	require.Equal(t, "(⍺⍺ × ⍵)", last(a))
	require.True(t, a.LeftIsArray)
	require.Equal(t, "(⍺⍺ (× ⍵))", last(d), "the first reading is kept")

	d = dop("add←{⍵+⍺⍺}")
	require.True(t, d.LeftIsArray, "⍺⍺ can only be an array")
	require.Equal(t, "(⍵ + ⍺⍺)", last(d))
	_, err = d.Reading(false, false)
	require.ErrorContains(t, err, "⍺⍺ has no right argument")

	d = dop("at←{i←⍵+⍵⍵ ⋄ (⍺⍺⍣⍵⍵)i}")
	require.False(t, d.LeftIsArray)
	require.True(t, d.RightIsArray, "⍵⍵ is an argument of +")

	d = dop("rank←{⍺⍺⍤⍵⍵⊢⍵}")
	require.Equal(t, "(<⍺⍺ ⍤ ⍵⍵> (⊢ ⍵))", last(d))
	b, err := d.Reading(false, true)
	require.NoError(t, err)
	require.Equal(t, "(<⍺⍺ ⍤ ⍵⍵> (⊢ ⍵))", last(b))
	require.NotNil(t, b.Body[0].(*ExprStmt).X.(*Monadic).F.(*Derived).Right.Array)
}

func TestFreeNames(t *testing.T) {
	free := func(n *Names) string {
		var parts []string
		for _, u := range n.Free {
			s := u.Ident
			if u.Modified {
				s += "*"
			}
			parts = append(parts, s)
		}
		return strings.Join(parts, " ") + " | " + strings.Join(n.Locals, " ")
	}
	const known = "a←b←c←x←1 ⋄ g←{⍵} ⋄ op←{⍺⍺ ⍵}\n"
	for _, c := range [][2]string{
		{"f←{⍵+⍺}", " | "},
		{"f←{a+g b×⍵}", "b g a | "},
		{"f←{x←x+1 ⋄ x}", "x | x"},
		{"f←{x←1 ⋄ x+←1 ⋄ x}", " | x"},
		{"f←{x+←1 ⋄ x[2]←⍵ ⋄ x}", "x* | "},
		{"f←{(2↑a)←0 ⋄ a}", "a* | "},
		{"f←{(p q)←⍵ ⋄ p+q×r←2}", " | q p r"},
		{"f←{p←⍵ ⋄ {p+a+⍵}p}", "a | p"},
		{"f←{h←{p+⍵} ⋄ p←⍵ ⋄ h p}", " | h p"},
		{"f←{h←{x+⍵} ⋄ x←⍵ ⋄ h x}", "x | h x"},
		{"f←{g op ⍵}", "op g | "},
		{"f←{⎕IO+⎕←∇ ⍵}", " | "},
		{"f←{⍵=a: b ⋄ g ⍵}", "a b g | "},
		{"f←{{{a+⍵}⍵}⍵}", "a | "},
	} {
		prog := roundTrip(t, known+c[0])
		require.NotNil(t, prog)
		def := prog.Body[len(prog.Body)-1].(*FuncDef)
		require.Equal(t, c[1], free(FreeNames(def.F)), c[0])
	}
	prog := roundTrip(t, known)
	require.Equal(t, " | x c b a g op", free(FreeNames(prog)))
}

// TestGlyphs checks the table against the counts of Dyalog's.
func TestGlyphs(t *testing.T) {
	functions, monadic, dyadic, operators := 0, 0, 0, 0
	seen := map[rune]string{}
	for _, g := range Glyphs {
		switch g.Class {
		case FunctionGlyph, HybridGlyph:
			functions++
			if g.Monadic != "" {
				monadic++
			}
			if g.Dyadic != "" {
				dyadic++
			}
			roundTrip(t, "1"+g.Glyph+"2")
			roundTrip(t, g.Glyph+"¨2")
		case MonadicGlyph, DyadicGlyph:
			operators++
			if g.Dyadic != "" {
				operators++
			}
			if g.Class == MonadicGlyph {
				roundTrip(t, "+"+g.Glyph+" 2")
			} else if g.Glyph != "∘." {
				roundTrip(t, "+"+g.Glyph+"× 2")
			}
		}
		if g.Class == HybridGlyph {
			operators++
			roundTrip(t, "+"+g.Glyph+"2")
		}
		if g.Glyph == "∘." {
			continue
		}
		for _, r := range g.Glyph + g.Looks {
			require.Empty(t, seen[r], "%c", r)
			seen[r] = g.Glyph
			require.Equal(t, g.Glyph, LookupGlyph(string(r)).Glyph)
		}
		require.NotEmpty(t, g.Name)
		require.NotEqual(t, NoGlyph, g.Class)
	}
	require.Equal(t, 56, functions)
	require.Equal(t, 39, monadic)
	require.Equal(t, 56, dyadic)
	require.Equal(t, 22, operators)
	for _, s := range SystemNames {
		require.Equal(t, &s, LookupSystem(strings.ToLower(s.Name)))
	}
}
