package infer

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/tail"
)

// Scheme is the type of a function of a program: the principal one over ranks
// and element types, in the notation of annotations, or else the types of the
// calls that the program makes.
type Scheme struct {
	Name      string
	Def       *apl.FuncDef
	Principal string   // or ""
	Instances []string // where there is no principal type
}

// Schemes returns the schemes of a program's functions that have no
// annotation. The error is a diag.List.
func Schemes(p *apl.Program, o Options) ([]*Scheme, error) {
	if places := p.Dynamic(); len(places) > 0 {
		return nil, places
	}
	g := newInfer(p, o)
	var all []*Scheme
	g.examiner = &examiner{of: map[*apl.Annotation]*Report{}, depth: 1, plain: true}
	g.block(func() tail.Expr {
		g.statements(p.Body)
		g.called = slices.Clone(g.prog.Funcs)
		for _, s := range p.Body {
			def, ok := s.(*apl.FuncDef)
			if !ok || def.Note != nil {
				continue
			}
			if d, ok := plainFunc(def.F).(*apl.Dfn); ok && d.Note != nil {
				continue
			}
			if b := g.scope.names[def.Name.Ident]; b != nil && b.fn != nil {
				scheme := &Scheme{Name: def.Name.Ident, Def: def, Principal: g.principal(b.fn, def)}
				if scheme.Principal == "" {
					scheme.Instances = g.instancesOf(b.fn, def)
				}
				all = append(all, scheme)
			}
		}
		return &tail.Tuple{}
	})
	return all, g.errs.Err()
}

// SchemeOf returns the principal type of a function that a session defines
// after what is known, or "".
func SchemeOf(known []Known, def *apl.FuncDef, o Options) string {
	g := newInfer(&apl.Program{Source: def.Span().Src}, o)
	g.examiner = &examiner{of: map[*apl.Annotation]*Report{}, depth: 1, plain: true}
	text := ""
	g.block(func() tail.Expr {
		g.recall(known)
		g.statements([]apl.Stmt{def})
		if b := g.scope.names[def.Name.Ident]; b != nil && b.fn != nil && len(g.errs) == 0 {
			if c, ok := b.fn.(*closure); ok && c.sig != nil {
				text = noteText(c.sig.note)
				return &tail.Tuple{}
			}
			text = g.principal(b.fn, def)
		}
		return &tail.Tuple{}
	})
	return text
}

// instancesOf returns the types of the calls of a function.
func (g *infer) instancesOf(f function, def *apl.FuncDef) []string {
	c, ok := f.(*closure)
	if !ok {
		return nil
	}
	var all []string
	for _, fn := range g.called {
		if fn.Where != c.node.Span() {
			continue
		}
		n := 0
		for n < len(fn.Params) && n < 2 && (fn.Params[n].Name == "a" && n == 0 || fn.Params[n].Name == "w") {
			n++
		}
		ty := &tail.FuncType{Result: Nested(fn.Result)}
		for _, p := range fn.Params[:n] {
			ty.Params = append(ty.Params, Nested(p.Type))
		}
		if text := ty.String(); n > 0 && !slices.Contains(all, text) {
			all = append(all, text)
		}
	}
	return all
}

// trialRanks is the number of ranks from which a type is guessed; what is
// guessed is then proved for all ranks.
const trialRanks = 5

// trial is what a function gives for some arguments.
type trial struct {
	ok   bool
	down bool // an argument, or what is made of it, is converted to a smaller type
	elem array.Elem
	rank int
}

// trial infers f for arguments of the given element types and ranks.
func (g *infer) trial(f function, elems []array.Elem, ranks []int, sizes []string) (trial, *tail.Array) {
	sig := &signature{note: &apl.Annotation{}}
	for i := range elems {
		t := tail.Ranked(elems[i], ranks[i])
		if sizes != nil {
			for k := range ranks[i] {
				t.Extents = append(t.Extents, tail.VarSize(sizes[i][k:k+1]))
			}
		}
		sig.params = append(sig.params, t)
	}
	g.down = false
	got, err, _ := g.probe(f, sig, nil, choice{elems: map[string]array.Elem{}, ranks: map[string]tail.Size{}})
	a, ok := got.(*tail.Array)
	if err != nil || !ok {
		return trial{}, nil
	}
	return trial{ok: true, down: g.down, elem: a.Elem, rank: a.Dims()}, a
}

// principal returns the most general type of a function, proved for all ranks
// and element types that it names, or "".
func (g *infer) principal(f function, def *apl.FuncDef) string {
	dyadic, ambivalent := false, false
	if d, ok := plainFunc(def.F).(*apl.Dfn); ok {
		dyadic = d.Dyadic
		for _, s := range d.Body {
			if _, ok := s.(*apl.DefaultLeft); ok {
				ambivalent = true
			}
		}
	} else {
		ambivalent = true
	}
	if !dyadic || ambivalent {
		if text := g.principalOf(f, def, monadicRanks); text != "" || !ambivalent {
			return text
		}
	}
	return g.principalOf(f, def, dyadicRanks)
}

// rankRule is a family of argument ranks in two variables: rank i of the
// arguments is base[i] plus the variables that use[i] names.
type rankRule struct {
	base []int
	use  []string // "", "r" or "s"
}

// monadicRanks and dyadicRanks are the families, the most general first.
var monadicRanks = append(familyOf([]string{"r"}, 3),
	rankRule{[]int{1}, []string{""}}, rankRule{[]int{2}, []string{""}}, rankRule{[]int{0}, []string{""}}, rankRule{[]int{3}, []string{""}})

var dyadicRanks = slices.Concat(familyOf([]string{"r", "s"}, 2), familyOf([]string{"r", "r"}, 2),
	familyOf([]string{"", "r"}, 3), familyOf([]string{"r", ""}, 3), constants(2, 3))

// familyOf returns the rules with these variables and bases below limit.
func familyOf(use []string, limit int) []rankRule {
	var all []rankRule
	for _, base := range bases(len(use), limit) {
		all = append(all, rankRule{base, use})
	}
	return all
}

// constants returns the rules of constant ranks of n arguments.
func constants(n, limit int) []rankRule { return familyOf(make([]string, n), limit) }

// bases returns all vectors of n numbers below limit, small sums first.
func bases(n, limit int) [][]int {
	var all [][]int
	if n == 1 {
		for i := range limit {
			all = append(all, []int{i})
		}
		return all
	}
	for sum := range 2*limit - 1 {
		for i := range limit {
			if k := sum - i; k >= 0 && k < limit {
				all = append(all, []int{i, k})
			}
		}
	}
	return all
}

// principalOf tries the families of ranks and the element types.
func (g *infer) principalOf(f function, def *apl.FuncDef, rules []rankRule) string {
	memo := map[string]trial{}
	try := func(e []array.Elem, ranks []int) trial {
		key := fmt.Sprint(e, ranks)
		t, ok := memo[key]
		if !ok {
			t, _ = g.trial(f, e, ranks, nil)
			memo[key] = t
		}
		return t
	}
	for _, rule := range g.preferred(f, rules) {
		if text := g.fit(f, rule, try); text != "" && g.holds(f, text) {
			return text
		}
	}
	return ""
}

// preferred returns the rules that cover all calls that the program makes.
func (g *infer) preferred(f function, rules []rankRule) []rankRule {
	var all []rankRule
	for _, rule := range rules {
		covers := true
		for _, args := range g.callsOf(f) {
			covers = covers && (len(args) != len(rule.base) || rule.covers(args))
		}
		if covers {
			all = append(all, rule)
		}
	}
	return all
}

// callsOf returns the argument types of the calls that the program makes.
func (g *infer) callsOf(f function) [][]*tail.Array {
	c, ok := f.(*closure)
	if !ok {
		return nil
	}
	var all [][]*tail.Array
	for _, fn := range g.called {
		if fn.Where != c.node.Span() {
			continue
		}
		var args []*tail.Array
		for i, p := range fn.Params {
			if p.Name != "w" && (p.Name != "a" || i > 0) {
				break
			}
			a, ok := p.Type.(*tail.Array)
			if !ok {
				break
			}
			args = append(args, a)
		}
		all = append(all, args)
	}
	return all
}

// covers reports whether the ranks of arguments are an instance of the rule.
func (rule rankRule) covers(args []*tail.Array) bool {
	vars := map[string]int{}
	for i, a := range args {
		extra := a.Dims() - rule.base[i]
		known, bound := vars[rule.use[i]]
		if extra < 0 || rule.use[i] == "" && extra > 0 || bound && known != extra {
			return false
		}
		vars[rule.use[i]] = extra
	}
	return true
}

// elements reports whether the calls that the program makes have arguments of
// one element type, up to widening.
func (g *infer) elements(f function, e array.Elem) bool {
	for _, args := range g.callsOf(f) {
		for _, a := range args {
			if join, ok := joinElem(a.Elem, e); !ok || join != e {
				return false
			}
		}
	}
	return true
}

// fit returns the type that the trials of a rule suggest, or "".
func (g *infer) fit(f function, rule rankRule, try func([]array.Elem, []int) trial) string {
	n := len(rule.base)
	fits := map[array.Elem]fitted{}
	for _, e := range []array.Elem{array.Double, array.Int, array.Char, array.Bool} {
		elems := slices.Repeat([]array.Elem{e}, n)
		if t, ok := rule.linear(elems, try); ok {
			fits[e] = t
		}
	}
	double, okD := fits[array.Double]
	integer, okI := fits[array.Int]
	char, okC := fits[array.Char]
	truth, okB := fits[array.Bool]
	same := func(a, b fitted) bool { return a.c == b.c && a.r == b.r && a.s == b.s }
	clean := okD && okI && !double.down && !integer.down && same(double, integer) &&
		double.elem == array.Double && integer.elem == array.Int
	switch {
	case clean && okC && okB && char.elem == array.Char && truth.elem == array.Bool && same(char, double) && same(truth, double):
		return rule.text("α", "α", double)
	case clean && g.elements(f, array.Double):
		return rule.text("κ", "κ", double)
	case okD && okI && okC && okB && double.elem == integer.elem && integer.elem == char.elem && char.elem == truth.elem && same(char, double):
		return g.sized(f, rule, "_", array.Double, double)
	case okD && !double.down && g.elements(f, array.Double):
		return g.sized(f, rule, "double", array.Double, double)
	case okI && !integer.down && g.elements(f, array.Int):
		return g.sized(f, rule, "int", array.Int, integer)
	case okC && g.elements(f, array.Char):
		return g.sized(f, rule, "char", array.Char, char)
	case okB && g.elements(f, array.Bool):
		return g.sized(f, rule, "bool", array.Bool, truth)
	}
	return ""
}

// fitted is a result: its element type and its rank c + r×(the first variable)
// + s×(the second).
type fitted struct {
	elem    array.Elem
	c, r, s int
	down    bool
}

// linear tries the ranks of a rule, and returns the linear function that the
// rank of the result is.
func (rule rankRule) linear(elems []array.Elem, try func([]array.Elem, []int) trial) (fitted, bool) {
	hasR, hasS := slices.Contains(rule.use, "r"), slices.Contains(rule.use, "s")
	at := func(r, s int) trial {
		ranks := slices.Clone(rule.base)
		for i, u := range rule.use {
			switch u {
			case "r":
				ranks[i] += r
			case "s":
				ranks[i] += s
			}
		}
		return try(elems, ranks)
	}
	zero := at(0, 0)
	if !zero.ok {
		return fitted{}, false
	}
	fit := fitted{elem: zero.elem, c: zero.rank, down: zero.down}
	if hasR {
		fit.r = at(1, 0).rank - fit.c
	}
	if hasS {
		fit.s = at(0, 1).rank - fit.c
	}
	limit := func(has bool, most int) int {
		if has {
			return most
		}
		return 1
	}
	most := trialRanks
	if hasS {
		most = 3
	}
	for r := range limit(hasR, most) {
		for s := range limit(hasS, most) {
			t := at(r, s)
			if !t.ok || t.elem != fit.elem || t.rank != fit.c+fit.r*r+fit.s*s {
				return fitted{}, false
			}
			fit.down = fit.down || t.down
		}
	}
	return fit, fit.r >= 0 && fit.s >= 0
}

// text writes the type of a rule.
func (rule rankRule) text(in, out string, t fitted) string {
	var parts []string
	for i, base := range rule.base {
		parts = append(parts, arrayText(in, rankSum(base, rule.use[i], 1, "", 0)))
	}
	return open(strings.Join(append(parts, arrayText(out, rankSum(t.c, "r", t.r, "s", t.s))), " → "))
}

// open writes a sum behind ] or > without parentheses.
func open(text string) string { return closedSum.ReplaceAllString(text, "$1$2") }

var closedSum = regexp.MustCompile(`([\]>])\(([^()]*)\)`)

func arrayText(elem string, rank tail.Size) string {
	t := &tail.Array{ElemVar: elem, Rank: rank}
	if n, ok := rank.IsConst(); ok && n == 0 {
		return elem
	}
	return t.String()
}

func rankSum(c int, v string, k int, w string, l int) tail.Size {
	s := tail.ConstSize(int64(c))
	if v != "" {
		s = s.Plus(tail.VarSize(v).Times(int64(k)))
	}
	if w != "" {
		s = s.Plus(tail.VarSize(w).Times(int64(l)))
	}
	return s
}

// extentNames are the names of extents, in order.
const extentNames = "nmkpqi"

// namesFor returns names of the extents of arguments of constant ranks.
func namesFor(ranks []int) []string {
	var all []string
	next := 0
	for _, n := range ranks {
		all = append(all, extentNames[next:next+n])
		next += n
	}
	return all
}

// sized writes the type of a rule with the element type of the result; where
// the ranks are constant, the extents of the result are given when they are
// known.
func (g *infer) sized(f function, rule rankRule, in string, e array.Elem, t fitted) string {
	plain := rule.text(in, t.elem.String(), t)
	if slices.Contains(rule.use, "r") || slices.Max(rule.base) > 3 || slices.Max(rule.base) == 0 {
		return plain
	}
	elems := slices.Repeat([]array.Elem{e}, len(rule.base))
	names := namesFor(rule.base)
	_, got := g.trial(f, elems, rule.base, names)
	if got == nil || got.Dims() == 0 || got.Extents == nil || !strings.Contains(got.String(), "'") {
		return plain
	}
	var parts []string
	for i, base := range rule.base {
		p := &tail.Array{ElemVar: in, Rank: tail.ConstSize(int64(base))}
		for k := range base {
			p.Extents = append(p.Extents, tail.VarSize(names[i][k:k+1]))
		}
		parts = append(parts, noScalar(p))
	}
	result := &tail.Array{Elem: got.Elem, Rank: got.Rank, Extents: got.Extents}
	return open(strings.Join(append(parts, plainText(noScalar(result))), " → "))
}

// noScalar writes [κ]0 as κ.
func noScalar(t *tail.Array) string {
	if n, ok := t.Rank.IsConst(); ok && n == 0 {
		if t.ElemVar != "" {
			return t.ElemVar
		}
		return t.Elem.String()
	}
	return t.String()
}

// holds reports whether a type is proved.
func (g *infer) holds(f function, text string) bool {
	note := &apl.Annotation{Text: text, At: apl.At{Where: diag.Span{}}}
	sig, bad := newSignature(note, 0, true)
	if bad != nil {
		return false
	}
	saved := g.examiner
	g.examiner = &examiner{of: map[*apl.Annotation]*Report{}, depth: saved.depth, plain: true}
	g.examine(f, sig, "", nil)
	r := g.examiner.of[note]
	g.examiner = saved
	return r.Reached && r.Err == nil && r.Verdict() == Proved
}
