package fuzz

import (
	"fmt"
	"math/rand"
	"strings"
)

// The programs of GenerateItems work on vectors of vectors, nested to a depth of four,
// of numbers or characters. Of an expression the generator knows the depth and what the
// innermost elements are, and no length: a kind says both, and the shape is nil.

// vectors returns the kind of vectors of a depth: 1 is a simple vector of k.
func vectors(k kind, depth int) kind { return k%nestings + kind(depth)*nestings }

// nestings is the number of kinds of each depth.
const nestings = 8

func (k kind) depth() int { return int(k / nestings) }

const deepest = 4

// GenerateItems returns the program of a seed.
func GenerateItems(seed int64) *Program {
	g := &generator{rnd: rand.New(rand.NewSource(seed))}
	p := &Program{}
	for i, n := 0, 1+g.rnd.Intn(2); i < n; i++ {
		k := g.anyVectors([]int{1, 2, 2, 2, 3, 3, 4}[g.rnd.Intn(7)])
		if i == n-1 && g.rnd.Intn(2) == 0 {
			k = g.anyVectors(1)
		}
		x := g.items(k, 1+g.rnd.Intn(3))
		p.lines, p.settings = append(p.lines, x), append(p.settings, "")
		g.vars = append(g.vars, &node{k, nil, []string{variable(i)}, nil})
	}
	return p
}

func (g *generator) anyVectors(depth int) kind {
	return vectors([]kind{integer, integer, char}[g.rnd.Intn(3)], depth)
}

// ragged returns a constant vector of a kind: empty, of one item, or of a few.
func ragged(k kind, rnd *rand.Rand) *node {
	return &node{k, nil, []string{raggedText(k, rnd)}, nil}
}

func raggedText(k kind, rnd *rand.Rand) string {
	n := []int{0, 1, 1, 2, 2, 3, 3, 4}[rnd.Intn(8)]
	if k.depth() == 1 {
		return literal(k%nestings, []int{n}, rnd).text()
	}
	parts := make([]string, max(n, 1))
	for i := range parts {
		parts[i] = "(" + raggedText(k-nestings, rnd) + ")"
	}
	text := strings.Join(parts, " ")
	switch n {
	case 0:
		return "0⍴⊂" + text
	case 1:
		return ",⊂" + text
	}
	return text
}

// made is an expression that makes a vector of a kind of simple ones, where only the run
// knows lengths.
func (g *generator) made(k kind) string {
	flat := literal(k%nestings, []int{1 + g.rnd.Intn(6)}, g.rnd).text()
	lengths := g.one("2 0 3", "(,1)", "1 2", "4 1 0 2", "0 0", "3 3 3", "⍬", "(,0)", "5 1")
	hidden := g.one("(¯1+?1)+", "(¯1+?1)↓", "") + lengths
	switch k.depth() {
	case 1:
		return "(¯1+?1)↓" + flat
	case 2:
		return g.one("("+hidden+")⍴¨⊂"+flat, "("+hidden+")↑¨⊂"+flat, "{⍵↓"+flat+"}¨"+hidden, "("+hidden+"){⍺↑⍵}¨⊂"+flat, "((¯1+?1)+1 0 0 1 0 2)⊂6⍴"+flat, "((¯1+?1)+1 1 0 1 2 2)⊆6⍴"+flat)
	case 3:
		return g.one("{(⍳⍵)⍴¨⊂"+flat+"}¨"+hidden, "{⍵↑(⍳⍵)↑¨⊂"+flat+"}¨"+hidden, "1 0 1⊂(3⍴"+hidden+",1)⍴¨⊂"+flat, "{(⍵⍴1)⊂⍵⍴"+flat+"}¨"+hidden)
	}
	return g.one("{{(⍳⍵)⍴¨⊂"+flat+"}¨⍳⍵}¨"+hidden, "{(⍵⍴1)⊂(⍳⍵)↑¨⊂"+flat+"}¨¨⍳¨"+hidden)
}

// items returns an expression of a kind of vectors.
func (g *generator) items(k kind, depth int) *node {
	if depth > 0 {
		for range 8 {
			make := itemForms[g.rnd.Intn(len(itemForms))]
			if n := make(g, k, depth-1); n != nil {
				return n
			}
		}
	}
	for _, v := range g.vars {
		if v.kind == k && g.rnd.Intn(2) == 0 {
			return &node{k, nil, v.parts[:1], nil}
		}
	}
	if g.rnd.Intn(10) > 0 {
		return &node{k, nil, []string{g.made(k)}, nil}
	}
	return ragged(k, g.rnd)
}

// itemForm makes an expression of a kind of vectors, or nil where it has none.
type itemForm func(g *generator, k kind, depth int) *node

var itemForms []itemForm

func init() {
	itemForms = []itemForm{
		rearranged, rearranged, rearranged, catenated, catenated, eachItem, eachItem, eachItem, eachPair, opened, opened,
		taken, grouped, gathered, counted, counted, lookedUp, lookedUp, summed, between, choice, grown, carried, rows,
	}
}

// of makes an expression of one argument.
func of(k kind, f string, y *node) *node { return monadic(k, nil, f, y) }

// rearranged has items of its argument, in some order.
func rearranged(g *generator, k kind, depth int) *node {
	x := g.items(k, depth)
	f := g.one("⌽", "1↓", "¯1↓", "{(2⌊≢⍵)↑⍵}", "∪", "1⌽", "¯1⌽", "{⍵[⍋≢¨⍵]}", "{⍵[⍒≢¨⍵]}", "{(1<≢¨⍵)/⍵}", "{(2|⍳≢⍵)/⍵}", "{(2|≢¨⍵)⌿⍵}",
		"{⍵[⌽⍳≢⍵]}", "{⍵~1↑⍵}", "{⍵~⌽1↓⍵}", "{⍵∩1↓⍵}", "{⍵∪⌽⍵}", "{((≢⍵)⍴1 2 0)/⍵}", "{⍵[⍋⍵]}", "{⍵[⍒⍵]}", "{(~⍵∊1↑⍵)/⍵}", "{(⍵≢¨⊂⊃⍵)/⍵}", "{⍵⌷⍨⊂⌽⍳≢⍵}", "⊢", "{((⍵⍳⍵)=⍳≢⍵)/⍵}", "{(≢⍵)⍴⍵}", "{⊃⍪/⊂⍵}")
	if k.depth() == 1 && k%nestings == integer {
		f = g.one(f, "+\\", "⌈\\", "{⍵-⌊/⍵}", "-", "{⍵+⍳≢⍵}", "2×")
	}
	return of(k, f, x)
}

// catenated has the items of two arrays.
func catenated(g *generator, k kind, depth int) *node {
	x, y := g.items(k, depth), g.items(k, depth)
	if k.depth() > 1 && g.rnd.Intn(2) == 0 {
		x = g.items(k-nestings, depth)
		if g.rnd.Intn(2) == 0 {
			return &node{k, nil, []string{"", ",⊂", ""}, []*node{y, x}}
		}
		return &node{k, nil, []string{"(⊂", "),", ""}, []*node{x, y}}
	}
	return dyadic(k, nil, x, g.one(",", ",", "⍪", "∪", "~", "∩"), y)
}

// eachItem applies a function of the program to every item.
func eachItem(g *generator, k kind, depth int) *node {
	if k.depth() == 1 {
		return nil
	}
	x := g.items(g.anyVectors(2+g.rnd.Intn(2)), depth)
	return g.bound(func(w []string) *node {
		e := g.items(k-nestings, depth)
		return &node{k, nil, []string{fmt.Sprintf("{%s←⍵ ⋄ ", w[0]), "}¨", ""}, []*node{e, x}}
	}, &node{kind: x.kind - nestings})
}

// eachPair applies a function of the program to items of two vectors of one length.
func eachPair(g *generator, k kind, depth int) *node {
	if k.depth() == 1 {
		return nil
	}
	x := g.items(g.anyVectors(2+g.rnd.Intn(2)), depth)
	return g.bound(func(w []string) *node {
		e := g.items(k-nestings, depth)
		other := g.one("⌽⍵", "1⌽⍵", "⍵", "⍵[⍋≢¨⍵]")
		return &node{k, nil, []string{fmt.Sprintf("{⍵{%s←⍵ ⋄ %s←⍺ ⋄ ", w[0], w[1]), "}¨" + other + "}", ""}, []*node{e, x}}
	}, &node{kind: x.kind - nestings}, &node{kind: x.kind - nestings})
}

// opened takes a level of nesting away.
func opened(g *generator, k kind, depth int) *node {
	if k.depth() == deepest {
		return nil
	}
	x := g.items(k+nestings, depth)
	return of(k, g.one("⊃", "⊃⌽", "⊃,/", "{0=≢⍵:⊃⍵ ⋄ (1+2|≢⍵)⊃⍵,1↑⍵}", "{0=≢⍵:⊃⍵ ⋄ (≢⍵)⊃⍵}", "⊃⍪/", "{⊃⍵[⍋≢¨⍵]}", "{⊃,/⌽⍵}", "⊃{⍵,⍺}/", "{⊃(⊢,⊣)/⍵}"), x)
}

// taken takes of every item.
func taken(g *generator, k kind, depth int) *node {
	if k.depth() < 2 {
		return nil
	}
	x := g.items(k, depth)
	return of(k, g.one("1↓¨", "¯1↓¨", "⌽¨", "{(⍳≢⍵)⍴¨⍵}", "∪¨", "{⍵,¨⌽⍵}", "{(≢⍵)↑¨⍵}", "2↑¨", "{(⊂⊃⍵),¨⍵}", "{⍵~¨⌽⍵}", "{⍵~¨⊂⊃⍵}", ",\\", "{⍵[⍋⍵]}¨", "1⌽¨", "(⊢,⊂∘⊃)", "{(2|⍳≢⍵)/¨⍵}", "{⍵,¨⊂⊃⍵}", "{⍵/⍨¨×≢¨⍵}"), x)
}

// grouped makes items of elements.
func grouped(g *generator, k kind, depth int) *node {
	if k.depth() < 2 {
		return nil
	}
	x := g.items(k-nestings, depth)
	return of(k, g.one("{⍵⊂⍨(≢⍵)⍴1 0}", "{⍵⊂⍨(≢⍵)↑1}", "{⍵⊆⍨(≢⍵)⍴1 1 0 2}", "{⍵⊂⍨1,1↓(≢⍵)⍴0 0 1}", "{⊂⍵}⌸", "{(≢¨⍕¨⍵){⊂⍵}⌸⍵}", "{(⍵⍳⍵){⊂⍵}⌸⍵}", ",⊂", "{2,/⍵}", "{(⍳≢⍵)↑¨⊂⍵}", "{(⍳≢⍵)↓¨⊂⍵}", "{⍵⊂⍨2|⍳≢⍵}", "{⍵ ⍵}", "{⍵(⌽⍵)(1↓⍵)}", "{(⍳3)⍴¨⊂⍵}", "{⊂⍤1⊢3,⍤1⊢0 0⍴0 ⋄ ,⊂⍵}", "{↓(2,≢⍵)⍴⍵}"), x)
}

// gathered makes vectors of numbers.
func gathered(g *generator, k kind, depth int) *node {
	if k.depth() != 2 || k%nestings != integer {
		return nil
	}
	x := g.items(g.anyVectors(1+g.rnd.Intn(deepest)), depth)
	return of(k, g.one("{⍳¨⍳5⌊≢⍵}", "{⍳¨≢¨⍵}", "{⍸¨⌽¨⍳¨⍳4⌊≢⍵}", "{(≢⍵)⍴⊂⍳3}", "{(⍳3⌊≢⍵)⍴¨≢⍵}", "⍴¨", "{(⊂⍵)⍳¨⍵}", "⍴¨∘,", "{{⍳≢⍵}¨⍵}", "{{⊂⍵}⌸≢¨⍵}", "{⍸¨(≢¨⍵)∘.=⍳2 ⋄ ⍳¨⍳2}", "{↓(≢¨⍵)∘.+⍳2}"), x)
}

// counted makes a vector of numbers of a nested vector.
func counted(g *generator, k kind, depth int) *node {
	if k != vectors(integer, 1) {
		return nil
	}
	x := g.items(g.anyVectors(2+g.rnd.Intn(2)), depth)
	return of(k, g.one("≢¨", "⍋", "⍒", "⍴", "{⍵⍳⍵}", "⍋≢¨", "{{≢⍵}⌸⍵}", ",≡", "{,≢⍵}", "≡¨", "{⍵∊⌽1↓⍵}", "{⍸⍵∊1↑⍵}", "{⍵≡¨⌽⍵}", "{⍵≡¨⊂⊃⍵}", "⌈\\≢¨", "{(≢¨⍵)+⍳≢⍵}", "{,⍵≡⌽⍵}", "{2{≢⍺,⍵}/⍵}", "{,+/≢¨⍵}", "⍴↑", "{,≢∊⍵}", "{⍸2≤≢¨⍵}", "{,≢⍕⍵}", "≢¨∪¨", "{(⊂⊃⍵)⍳⍵}", "{,≢∪⍵}", "{+\\≢¨⍵}", "{⍵⍳⊂⊃⌽⍵}", "{,(⊂⊃⍵)∊⍵}", "{≢¨∊¨⍵}", "{,+/⍵≡¨⌽⍵}", "{(≢¨⍵)⌷⍨⊂⍋⍵}", "{≠⍵}", "{∨\\≠⍵}"), x)
}

// lookedUp looks the items of one vector up in another.
func lookedUp(g *generator, k kind, depth int) *node {
	if k != vectors(integer, 1) {
		return nil
	}
	of := g.anyVectors(1 + g.rnd.Intn(deepest))
	x, y := g.items(of, depth), g.items(of, depth)
	return dyadic(k, nil, x, g.one("⍳", "∊", "{,⍺≡⍵}", "{≢¨⍺⍵}", "{(⊂⍺)∊⍵ ⍺}", "{,+/⍺∊⍵}", "{⍸⍺∊⍵}", "{≢¨(⍺∪⍵)(⍺∩⍵)(⍺~⍵)}", "{≢¨⍺{⍵ ⍺}⍵}", "{⍺⍳∪⍵}", "{∊{≢⍵}⌸⍺,⍵}", "{⍋⍺,⍵}", "{⍒⍺,⍵}", "{,≢⍺∘.≡⍵}", "{+/⍺∘.≡⍵}", "{,+/+/⍺∘.{≢⍺∩⍵}⍵}"), y)
}

// summed reduces items of numbers.
func summed(g *generator, k kind, depth int) *node {
	if k != vectors(integer, 1) {
		return nil
	}
	x := g.items(vectors(integer, 2), depth)
	return of(k, g.one("+/¨", "⌈/¨0,¨", "-/¨", "+/↑", "∊", "+⌿↑", "{+/¨⍵×⍵}", "{⊃¨⍵}", "{⊃+/⍵⍴¨⍨1}", "{+/¨⍵=⊃¨⍵}", "{⌊/¨⍵,¨9}", "{+/¨2|⍵}", "{⍵+.×¨⍵}", "{+/¨⌽¨+\\¨⍵}", "{(+/÷1⌈≢)¨⍵×0}", "{+/∊⍵ ⋄ ∊1+⍵}", "{∊⍵,¨≢¨⍵}", "{∊+\\¨⍵}", "{,+/∊⍵}", "{,⌈/∊0⍵}"), x)
}

// between applies a function between neighbours.
func between(g *generator, k kind, depth int) *node {
	if k.depth() < 2 {
		return nil
	}
	x := g.items(k, depth)
	return of(k, g.one("{2,/⍵,1↑⍵}", "{2{⍺,⍵}/⍵}", "{2{⍺~⍵}/⍵,1↑⍵}", "{2{⌽⍵}/⍵}", "{2{⍵,1↑⍺}/⍵}", "{{⍺,⍵}\\⍵}", "{{⌽⍵}\\⍵}"), x)
}

// choice is one of two, which the run decides.
func choice(g *generator, k kind, depth int) *node {
	x := g.items(g.anyVectors(1+g.rnd.Intn(deepest)), depth)
	return g.bound(func(w []string) *node {
		t, e := g.items(k, depth), g.items(k, depth)
		test := g.one("2<≢"+w[0], "0=≢"+w[0], "2|≢"+w[0], w[0]+"≡⌽"+w[0])
		return &node{k, nil, []string{fmt.Sprintf("{%s←⍵ ⋄ %s:", w[0], test), " ⋄ ", "}", ""}, []*node{t, e, x}}
	}, x)
}

// grown adds an item at a time.
func grown(g *generator, k kind, depth int) *node {
	if k.depth() < 2 {
		return nil
	}
	x := g.items(k, depth)
	return of(k, g.one("{({⍵,⊂⌽⊃⌽⍵}⍣(?1))⍵}", "{3<≢⍵:⍵ ⋄ ∇⍵,⊂1↓⊃⍵}", "{⊃{⍵,⊂⍺}/(⌽⍵),⊂0⍴⍵}", "{0=≢⍵:⍵ ⋄ r←0⍴⍵ ⋄ _←{r,←⊂⌽⍵}¨⍵ ⋄ r}", "{({1↓⍵,⊂⊃⍵}⍣2)⍵}", "{r←⍵ ⋄ 0=≢r:r ⋄ r[1]←⊂⌽⊃r ⋄ r}", "{r←⍵ ⋄ r[⍳≢r]←⌽r ⋄ r}", "{({⌽¨@1⊢⍵}⍣(0<≢⍵))⍵}"), x)
}

// carried folds over items.
func carried(g *generator, k kind, depth int) *node {
	if k.depth() > 3 {
		return nil
	}
	x := g.items(k+nestings, depth)
	return of(k, g.one("{⊃{⍺∪⍵}/⍵}", "{⊃{⍵~1↑⍺}/⍵}", "{⊃{⍺,1↓⍵}/⍵}", "{⊃{(≢⍺)>≢⍵:⍺ ⋄ ⍵}/⍵}", "{⊃{⍺∩⍵}/⍵}"), x)
}

// rows makes items of rows.
func rows(g *generator, k kind, depth int) *node {
	if k.depth() != 2 {
		return nil
	}
	x := g.items(k, depth)
	return of(k, g.one("↓↑", "{↓⍉↑⍵}", "{⊂⍤1⊢↑⍵}", "{↓⌽↑⍵}", "{(↓↑⍵)~¨⊂⊃⍵}"), x)
}
