package structured

import (
	"slices"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/array"
)

// Statements with labels and branches become conditions and loops where every loop is entered at
// one place:
//
//	i←0                   i←0
//	loop:→(i≥n)/0         :While ~i≥n
//	i←i+1                   i←i+1
//	→loop                 :EndWhile
//
// The statements between labels and branches are blocks. A block with its branch comes first, behind
// it those that only it leads to, as conditions, and behind these the ones that it dominates and
// that several lead to, in the order of the text. So a branch is nothing where control goes on at its
// target, and :Leave, :Continue or :Return elsewhere; other branches have no structured form.

// jump is a branch: where its condition holds, or always. The target is a label, or none for a
// branch out of the function.
type jump struct {
	at     apl.At
	cond   apl.Expr
	target string
}

// jump returns a branch, nil if it has none of the known forms.
func (r *reader) jump(b *apl.Branch) *jump {
	m := placed(b)
	if to, ok := r.target(b.X); ok {
		return &jump{m.at, nil, to}
	}
	d, ok := b.X.(*apl.Dyadic)
	if !ok {
		return nil
	}
	x, y := d.X, d.Y
	f := d.F
	if c, ok := f.(*apl.Derived); ok && isGlyph(c.Op, "⍨") && c.Left.Func != nil {
		x, y, f = y, x, c.Left.Func
	}
	to, ok := r.target(y)
	p, primitive := f.(*apl.Prim)
	if !ok || !primitive || !slices.Contains([]string{"/", "⌿", "⍴", "↑", "↓"}, p.Glyph) {
		return nil
	}
	// The target is left where it is repeated at least once.
	all := map[string]string{"/": "∨", "⌿": "∨", "⍴": "∧"}[p.Glyph]
	if all != "" && isTruth(x) {
		return &jump{m.at, m.fold(all, m.monadic(",", x)), to}
	}
	count := m.monadic("≢", m.monadic(",", m.dyadic(x, p.Glyph, m.number(0))))
	return &jump{m.at, m.dyadic(m.number(0), "≠", count), to}
}

// target returns the label that an expression names, or none for 0.
func (r *reader) target(x apl.Expr) (label string, ok bool) {
	switch x := x.(type) {
	case *apl.Paren:
		return r.target(x.X)
	case *apl.Var:
		return x.Ident, r.labels[x.Ident]
	case *apl.Literal:
		v := x.Value
		return "", (v.Elem == array.Int || v.Elem == array.Bool) && len(v.Shape) == 0 && v.Int(0) == 0
	}
	return "", false
}

func isGlyph(o apl.Operator, glyph string) bool {
	p, ok := o.(*apl.PrimOp)
	return ok && p.Glyph == glyph
}

// isTruth reports whether the elements of a value are 0 or 1 as its functions show.
func isTruth(x apl.Expr) bool {
	switch x := x.(type) {
	case *apl.Paren:
		return isTruth(x.X)
	case *apl.Monadic:
		p, ok := x.F.(*apl.Prim)
		return ok && p.Glyph == "~"
	case *apl.Dyadic:
		p, ok := x.F.(*apl.Prim)
		switch {
		case !ok:
			return false
		case p.Glyph == "∧" || p.Glyph == "∨":
			return isTruth(x.X) && isTruth(x.Y)
		}
		return slices.Contains([]string{"=", "≠", "<", "≤", "≥", ">", "∊", "≡", "≢", "⍲", "⍱"}, p.Glyph)
	}
	return false
}

// block is a part of a body that has branches only at its end.
type block struct {
	items []item
	at    apl.At // its end
	jump  *jump  // its condition, where it has two ways
	to    []int  // where it goes on: where the condition holds, and else
	// from are the blocks that lead here, idom the last one that all ways here pass, order the
	// place among the blocks in reverse postorder, -1 where no way leads here.
	from        []int
	idom, order int
	head        bool // of a loop
}

// graph is a body as blocks. The last two are what stands behind it and the end of the function,
// which are one where the body is that of the function.
type graph struct {
	blocks   []block
	inOrder  []int
	end, out int
	failed   bool
}

// joined returns items without labels and branches; false if there are none that mean the same.
func joined(items []item, function bool) ([]item, bool) {
	g := newGraph(items, function)
	if g == nil || !g.analyse() {
		return nil, false
	}
	all := g.tree(0, g.end, nil)
	return all, !g.failed
}

// newGraph divides items into blocks; nil if a branch leads to no label among them.
func newGraph(items []item, function bool) *graph {
	g, at, here := &graph{}, map[string]int{}, &block{}
	finish := func(end apl.Stmt, next bool) {
		if here.at.Where = end.Span(); next {
			here.to = []int{len(g.blocks) + 1}
		}
		g.blocks = append(g.blocks, *here)
		here = &block{}
	}
	jumps := map[int]*jump{}
	var last apl.Stmt
	for _, it := range items {
		switch {
		case it.label != "":
			finish(it.stmt, true)
			at[it.label] = len(g.blocks)
		case it.jump != nil:
			jumps[len(g.blocks)] = it.jump
			finish(it.stmt, it.jump.cond != nil)
		default:
			here.items = append(here.items, it)
		}
		if last = it.stmt; last == nil {
			last = it.word
		}
	}
	finish(last, true)
	g.end = len(g.blocks)
	g.out = g.end
	if !function {
		g.out++
	}
	g.blocks = append(g.blocks, make([]block, 1+g.out-g.end)...)
	at[""] = g.out
	for i, j := range jumps {
		to, ok := at[j.target]
		if !ok {
			return nil
		}
		if j.cond != nil {
			g.blocks[i].jump = j
		}
		g.blocks[i].to = append([]int{to}, g.blocks[i].to...)
	}
	return g
}

// analyse finds the order, the dominators and the heads of loops; it reports whether every loop is
// entered at its head, and no :Leave of a loop around the body stands in one.
func (g *graph) analyse() bool {
	for i := range g.blocks {
		g.blocks[i].order, g.blocks[i].idom = -1, -1
	}
	g.blocks[0].idom = 0
	seen := make([]bool, len(g.blocks))
	var walk func(i int)
	walk = func(i int) {
		seen[i] = true
		for _, j := range slices.Backward(g.blocks[i].to) {
			if !seen[j] {
				walk(j)
			}
		}
		g.inOrder = append(g.inOrder, i)
	}
	walk(0)
	slices.Reverse(g.inOrder)
	for k, i := range g.inOrder {
		g.blocks[i].order = k
		for _, j := range g.blocks[i].to {
			g.blocks[j].from = append(g.blocks[j].from, i)
		}
	}
	for changed := true; changed; {
		changed = false
		for _, i := range g.inOrder[1:] {
			b, dom := &g.blocks[i], -1
			for _, p := range b.from {
				if g.blocks[p].idom >= 0 {
					dom = g.meet(dom, p)
				}
			}
			if dom != b.idom {
				b.idom, changed = dom, true
			}
		}
	}
	exit, loops := false, false
	for _, i := range g.inOrder {
		exit = exit || breaks(g.blocks[i].items)
		for _, j := range g.blocks[i].to {
			if g.back(i, j) {
				g.blocks[j].head, loops = true, true
				if !g.dominates(j, i) {
					return false
				}
			}
		}
	}
	return !exit || !loops
}

// breaks reports whether :Leave or :Continue of a loop around items stands among them.
func breaks(items []item) bool {
	return slices.ContainsFunc(items, func(it item) bool {
		switch {
		case it.word == nil || it.isLoop():
			return false
		case it.word.Word == apl.Leave || it.word.Word == apl.Continue:
			return true
		}
		return slices.ContainsFunc(it.clauses, func(c clause) bool { return breaks(c.body) })
	})
}

// meet returns the last block that dominates both of two; the second one where the first is none.
func (g *graph) meet(i, j int) int {
	if i < 0 {
		return j
	}
	for i != j {
		if g.blocks[i].order > g.blocks[j].order {
			i = g.blocks[i].idom
		} else {
			j = g.blocks[j].idom
		}
	}
	return i
}

// back reports whether the way from one block to another leads backwards.
func (g *graph) back(i, j int) bool { return g.blocks[j].order <= g.blocks[i].order }

func (g *graph) dominates(i, j int) bool {
	for g.blocks[j].order > g.blocks[i].order {
		j = g.blocks[j].idom
	}
	return i == j
}

// merges reports whether several ways lead forwards to a block.
func (g *graph) merges(j int) bool {
	n := 0
	for _, i := range g.blocks[j].from {
		if !g.back(i, j) {
			n++
		}
	}
	return n > 1
}

// turn is the loop around a block: its head, the blocks of a turn, and where it leaves to.
type turn struct {
	head, exit int
	blocks     map[int]bool
}

// tree returns the items of a block and those that it dominates, behind which control goes on at
// block next.
func (g *graph) tree(i, next int, around *turn) []item {
	if !g.blocks[i].head {
		return g.within(i, next, around)
	}
	t := &turn{head: i, blocks: g.natural(i)}
	exits := map[int]bool{}
	for j := range t.blocks {
		for _, k := range g.blocks[j].to {
			if !t.blocks[k] {
				exits[k] = true
			}
		}
	}
	for _, exit := range g.preferred(exits, i, next) {
		t.exit = exit
		body := g.within(i, i, t)
		var behind []item
		switch {
		case exit < 0:
		case g.owns(t, exit):
			behind = g.tree(exit, next, around)
		default:
			behind = g.goes(i, exit, next, around)
		}
		if !g.failed {
			return append(looped(body, g.blocks[i].at), behind...)
		}
		g.failed = false
	}
	g.failed = true
	return nil
}

// owns reports whether only a loop leads to a block outside of it.
func (g *graph) owns(t *turn, exit int) bool {
	return exit < g.end && t.blocks[g.blocks[exit].idom]
}

// preferred returns the blocks that a loop may leave to in the order to try them, -1 for none:
// the one where control goes on, one that its head leads to, and the others.
func (g *graph) preferred(exits map[int]bool, head, next int) (all []int) {
	if len(exits) == 0 {
		return []int{-1}
	}
	rank := func(i int) int {
		switch {
		case i == next:
			return -2
		case slices.Contains(g.blocks[head].to, i):
			return -1
		}
		return g.blocks[i].order
	}
	for j := range exits {
		all = append(all, j)
	}
	slices.SortFunc(all, func(a, b int) int { return rank(a) - rank(b) })
	return all
}

// natural returns the blocks of the loop with a head.
func (g *graph) natural(head int) map[int]bool {
	in := map[int]bool{head: true}
	var add func(i int)
	add = func(i int) {
		if !in[i] {
			in[i] = true
			for _, j := range g.blocks[i].from {
				add(j)
			}
		}
	}
	for _, i := range g.blocks[head].from {
		if g.back(i, head) {
			add(i)
		}
	}
	return in
}

// within is tree without the loop that the block is the head of.
func (g *graph) within(i, next int, around *turn) []item {
	b := &g.blocks[i]
	var behind []int
	for _, j := range g.inOrder {
		if j != i && g.blocks[j].idom == i && g.merges(j) && j < g.end && !(around != nil && around.blocks[i] && !around.blocks[j]) {
			behind = append(behind, j)
		}
	}
	after := append(behind[:len(behind):len(behind)], next)
	all := slices.Clone(b.items)
	switch {
	case leaves(all):
	case b.jump == nil:
		all = append(all, g.goes(i, b.to[0], after[0], around)...)
	default:
		all = append(all, chosen(b.jump, g.goes(i, b.to[0], after[0], around), g.goes(i, b.to[1], after[0], around))...)
	}
	for k, j := range behind {
		all = append(all, g.tree(j, after[k+1], around)...)
	}
	return all
}

// goes returns the items for the way from one block to another, where control goes on at block
// next behind them.
func (g *graph) goes(from, to, next int, around *turn) []item {
	word := func(w apl.Word) []item { return []item{{word: &apl.Control{At: g.blocks[from].at, Word: w}}} }
	switch {
	case to == next:
		return nil
	case around != nil && to == around.exit:
		return word(apl.Leave)
	case to == g.out:
		return word(apl.Return)
	case around != nil && to == around.head:
		return word(apl.Continue)
	case to != g.end && g.blocks[to].idom == from && !g.merges(to) && !g.back(from, to):
		return g.tree(to, next, around)
	}
	g.failed = true
	return nil
}

// chosen returns the items for a condition.
func chosen(j *jump, yes, no []item) []item {
	not := maker{j.at}.monadic("~", j.cond)
	clauseOf := func(w apl.Word, x apl.Expr, body []item) clause {
		c := &apl.Control{At: j.at, Word: w, X: x}
		if x == nil {
			return clause{word: c, body: body}
		}
		return clause{word: c, tests: []test{{c}}, body: body}
	}
	if_ := func(x apl.Expr, body, otherwise []item, behind ...item) []item {
		c := []clause{clauseOf(apl.If, x, body)}
		if len(otherwise) > 0 {
			c = append(c, clauseOf(apl.Else, nil, otherwise))
		}
		return append([]item{{word: c[0].word, clauses: c}}, behind...)
	}
	switch {
	case len(yes) == 0 && len(no) == 0:
		return nil
	case len(yes) == 0:
		return if_(not, no, nil)
	case leaves(yes):
		return if_(j.cond, yes, nil, no...)
	case leaves(no):
		return if_(not, no, nil, yes...)
	}
	return if_(j.cond, yes, no)
}

// looped returns the loop with a body: one that tests first or last where the body does.
func looped(body []item, at apl.At) []item {
	word := func(w apl.Word, x apl.Expr, like item) *apl.Control {
		return &apl.Control{At: like.word.At, Word: w, X: x}
	}
	onlyLeaves := func(it item) bool {
		if it.word == nil || it.word.Word != apl.If || len(it.clauses) != 1 || len(it.clauses[0].body) != 1 {
			return false
		}
		w := it.clauses[0].body[0].word
		return w != nil && w.Word == apl.Leave
	}
	if len(body) > 0 && onlyLeaves(body[0]) {
		first := body[0]
		w := word(apl.While, placed(first.word).monadic("~", first.word.X), first)
		return []item{{word: w, clauses: []clause{{word: w, tests: []test{{w}}, body: body[1:]}}}}
	}
	repeat := &apl.Control{At: at, Word: apl.Repeat}
	all := item{word: repeat, clauses: []clause{{word: repeat, body: body}}}
	if n := len(body) - 1; n >= 0 && onlyLeaves(body[n]) && !exits(body[:n]) {
		last := body[n]
		all.clauses[0].body = body[:n]
		all.until = []test{{word(apl.Until, last.word.X, last)}}
	}
	return []item{all}
}
