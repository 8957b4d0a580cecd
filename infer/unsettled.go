package infer

import (
	"regexp"

	"github.com/tailor-lang/tailor/apl"
)

// A claim is examined for what the names that the function uses are bound to then.
// Where one of them is bound again, calls before and after differ, and the claim is
// checked at each.

// watched is an examined function: where it was defined, and what it mentions.
type watched struct {
	report *Report
	scope  *scope
	words  []string
}

// identifier finds the names in the text of a function.
var identifier = regexp.MustCompile(`[\pL_∆⍙⎕][\pL\d_∆⍙]*`)

// watch notes that a function is examined.
func (g *infer) watch(r *Report, text string) {
	g.examiner.watched = append(g.examiner.watched, watched{r, g.scope, identifier.FindAllString(text, -1)})
}

// again notes that a name of the current scope is bound to something else.
func (g *infer) again(name string) {
	if g.examiner == nil {
		return
	}
	for _, w := range g.examiner.watched {
		if !w.report.unsettled && g.mentions(w.scope, w.words, name, map[string]bool{}) {
			w.report.unsettled = true
		}
	}
}

// mentions reports whether some words, seen from a scope, are names of the current
// scope that are, or lead to, the given one.
func (g *infer) mentions(s *scope, words []string, name string, seen map[string]bool) bool {
	return g.leads(s, words, seen, func(in *scope, word string, _ *binding) bool { return word == name && in == g.scope })
}

// leads reports whether some words, seen from a scope, are or lead to a name that
// is looked for.
func (g *infer) leads(s *scope, words []string, seen map[string]bool, found func(in *scope, word string, b *binding) bool) bool {
	for _, word := range words {
		if seen[word] {
			continue
		}
		seen[word] = true
		in, b := s.lookup(word)
		if b == nil {
			continue
		}
		if found(in, word, b) {
			return true
		}
		if c, ok := b.fn.(*closure); ok && c.node != nil && g.leads(c.scope, g.wordsOf(c), seen, found) {
			return true
		}
	}
	return false
}

// doubt looks for functions that call annotated ones whose results are checked:
// they stop where such a check fails.
func (g *infer) doubt() {
	for _, w := range g.examiner.watched {
		stops := g.leads(w.scope, w.words, map[string]bool{}, func(_ *scope, _ string, b *binding) bool {
			var sig *signature
			if c, ok := b.fn.(*closure); ok {
				sig = signatureOf(c)
			} else if op, ok := b.op.(*userOperator); ok {
				sig = op.sig
			}
			if sig == nil {
				return false
			}
			r := g.examiner.of[sig.note]
			return r != nil && r != w.report && r.checked()
		})
		if stops && len(w.report.Claims) > 0 {
			w.report.merge(Claim{Part: returning, Verdict: AtRunTime, Reason: "the result of a function that it calls is checked"})
		}
	}
}

// checked reports whether a part of the result is checked when the program runs.
func (r *Report) checked() bool {
	for _, c := range r.Claims {
		if c.Verdict > Proved && c.Part != returning {
			return true
		}
	}
	return false
}

// wordsOf returns the names in the text of a function.
func (g *infer) wordsOf(c *closure) []string {
	if g.examiner.words == nil {
		g.examiner.words = map[apl.Node][]string{}
	}
	words, ok := g.examiner.words[c.node]
	if !ok {
		words = identifier.FindAllString(c.node.Span().Text(), -1)
		g.examiner.words[c.node] = words
	}
	return words
}

// unsettle makes the claims of functions that use names which are bound again
// ones that are checked.
func (x *examiner) unsettle() {
	for _, r := range x.reports {
		if !r.unsettled {
			continue
		}
		for i, c := range r.Claims {
			r.Claims[i] = Claim{Part: c.Part, Verdict: AtRunTime, Reason: "a name that the function uses is bound again"}
		}
		r.Err, r.Example, r.Conditions = nil, nil, nil
	}
}
