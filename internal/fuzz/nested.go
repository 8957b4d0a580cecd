package fuzz

import (
	"fmt"
	"strings"
)

// nestedForms are forms whose intermediate results are nested arrays, or in
// which an operator's operand changes variables of the enclosing function.
func nestedForms() []form {
	return []form{partitions, partSums, joins, beginnings, joinedLengths, changedByReduction, changedByRank, windowItems, raggedKept, raggedCounts}
}

// marks returns n marks of ⊂ with m parts; the first is 1.
func (g *generator) marks(n, m int) string {
	marks := make([]string, n)
	for i := range marks {
		marks[i] = "0"
	}
	marks[0] = "1"
	for done := 1; done < m; {
		if i := g.rnd.Intn(n); marks[i] == "0" {
			marks[i] = "1"
			done++
		}
	}
	if n == 1 {
		return ",1"
	}
	return strings.Join(marks, " ")
}

func vectorOf(shape []int, least, most int) bool {
	return len(shape) == 1 && shape[0] >= least && shape[0] <= most
}

// partitions takes a vector apart and joins the parts.
func partitions(g *generator, k kind, shape []int, depth int) *node {
	if !vectorOf(shape, 1, 20) {
		return nil
	}
	marks := g.marks(shape[0], 1+g.rnd.Intn(shape[0]))
	return monadic(k, shape, "⊃,/("+marks+")⊂", g.expr(k, shape, depth))
}

// partSums is +/ of the parts of a vector.
func partSums(g *generator, k kind, shape []int, depth int) *node {
	if k != integer || !vectorOf(shape, 1, 8) {
		return nil
	}
	n := shape[0] + g.rnd.Intn(4)
	return monadic(k, shape, "+/¨("+g.marks(n, shape[0])+")⊂", g.expr(integer, []int{n}, depth))
}

// joins reduces by a function that gives vectors.
func joins(g *generator, k kind, shape []int, depth int) *node {
	if !vectorOf(shape, 2, 8) {
		return nil
	}
	return monadic(k, shape, g.one("⊃{⍺,⍵}/", "⊃,⌿⍪", "⌽⊃{⍵,⍺}/"), g.expr(k, shape, depth))
}

// beginnings is a scan by a function that gives vectors.
func beginnings(g *generator, k kind, shape []int, depth int) *node {
	if k != integer || !vectorOf(shape, 2, 8) {
		return nil
	}
	return monadic(k, shape, g.one("≢¨,\\", "≢¨{⍺,⍵}\\", "⊃¨⌽¨,\\"), g.expr(integer, shape, depth))
}

// joinedLengths joins vectors of different lengths.
func joinedLengths(g *generator, k kind, shape []int, depth int) *node {
	if k != integer || len(shape) > 0 {
		return nil
	}
	f := g.one("+/⊃,/{(3|⍵)⍴⍵}¨", "≢⊃,/{(5|⍵)⍴⍵}¨", "⊃⌽0,⊃,/{(2|⍵)⍴⍵}¨")
	return monadic(k, shape, f, g.expr(integer, []int{1 + g.rnd.Intn(30)}, depth))
}

// changedByReduction counts and collects in a reduction.
func changedByReduction(g *generator, k kind, shape []int, depth int) *node {
	if k != integer || len(shape) > 0 {
		return nil
	}
	f := g.one("{a←0 ⋄ r←{a+←⍵ ⋄ ⍺-⍵}/⍵ ⋄ a-r}", "{a←⍵ ⋄ r←{a[1]←⍺ ⋄ ⍺⌈⍵}/⍵ ⋄ r-+/a}")
	return monadic(k, shape, f, g.expr(integer, []int{1 + g.rnd.Intn(6)}, depth))
}

// changedByRank counts and collects under ⍤.
func changedByRank(g *generator, k kind, shape []int, depth int) *node {
	if k != integer || len(shape) == 0 {
		return nil
	}
	f := g.one("{a←0 ⋄ r←{a+←1 ⋄ a++/⍵}⍤1⊢⍵ ⋄ a+r}", "{a←0 0 ⋄ r←{a[1+2|⊃⍵]+←1 ⋄ ⌈/⍵}⍤1⊢⍵ ⋄ r-a[1]}")
	return monadic(k, shape, f, g.expr(integer, append(append([]int{}, shape...), 1+g.rnd.Intn(3)), depth))
}

// raggedKept takes a vector apart where only the run knows, and joins what is made
// of the parts.
func raggedKept(g *generator, k kind, shape []int, depth int) *node {
	if k == complexes || !vectorOf(shape, 1, 20) {
		return nil
	}
	marks := g.one("((≢⍵)⍴1 0 0 2×?1)⊂⍵", "((≢⍵)⍴1 1 2 3×?1)⊆⍵", "((≢⍵)↑1×?1)⊂⍵")
	return monadic(k, shape, g.one("{∊", "{⊃,/", "{⊃,/⌽¨", "{∊⌽", "{∊{⍵[⍋≢¨⍵]}")+marks+"}", g.expr(k, shape, depth))
}

// raggedCounts counts among the parts of a vector.
func raggedCounts(g *generator, k kind, shape []int, depth int) *node {
	if k != integer || len(shape) > 0 {
		return nil
	}
	from := []kind{boolean, integer, double, char}[g.rnd.Intn(4)]
	marks := g.one("((≢⍵)⍴1 0 0 2×?1)⊂⍵", "((≢⍵)⍴1 0 2 3×?1)⊆⍵", "((≢⍵)⍴0 0 1×?1)⊆⍵")
	f := g.one("{≢∪w←", "{+/≢¨w←", "{≢w←", "{+/w⍳w←", "{+/{≢⍵}⌸w←", "{+/⍴↑w←", "{⊃⌽0,⍋≢¨w←", "{≢⊃w←", "{≢∊(1≤≢¨w)/w←", "{+/(⌽w)∊1↓w←")
	return monadic(k, shape, f+marks+"}", g.expr(from, []int{1 + g.rnd.Intn(12)}, depth))
}

// windowItems are windows as items.
func windowItems(g *generator, k kind, shape []int, depth int) *node {
	if k != integer || !vectorOf(shape, 1, 6) {
		return nil
	}
	n := 2 + g.rnd.Intn(2)
	return monadic(k, shape, fmt.Sprintf("%s¨%d,/", g.one("+/", "⊃", "⌈/", "-/"), n), g.expr(integer, []int{shape[0] + n - 1}, depth))
}
