package infer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/returns"
	"github.com/tailor-lang/tailor/tail"
)

// returning is the part of a claim that the function returns.
const returning = "that it returns"

// maxConditions is the number of conditions that a verdict names; with more of
// them the function is said to be checked at run time.
const maxConditions = 3

// judgement is what is known of one choice of a signature's variables.
type judgement struct {
	claims []Claim
	// empties are conditions under which a reduction by ⌈ or ⌊ has no elements:
	// its result is then no integer.
	empties []returns.Condition
	certain bool // a fault happens whatever the arguments are
	// definite are the parts that do not hold on some path, whatever the elements
	// of the arguments are.
	definite map[string]bool
	found    *returns.Result
}

// judge compares the result of a probe with the claim, and finds out when the
// function returns.
func (g *infer) judge(r *Report, sig *signature, want tail.Type, got tail.Type) judgement {
	j := judgement{definite: map[string]bool{}}
	has, claimed := sig.settle(got, want)
	j.claims = g.compareResult(g.probed, has, claimed)
	if r.open() && !j.doubtful() {
		return j
	}
	j.found = returns.Of(g.probedAll, g.probedParams, g.isSafe)
	g.sharpen(&j, sig, want, got)
	outside := false // an operand is used outside of its claim
	for _, o := range j.found.Open {
		outside = outside || o.Fault == tail.FaultAnnotation
		j.certain = j.certain || o.Certain && relied(j.found.Conditions)
		reason := o.Fault.Row().Code.Kind().String()
		if o.At.Valid() && o.At.Src == g.prog.Source {
			line, _ := o.At.Src.Position(o.At.Start)
			reason = fmt.Sprintf("%s is possible in line %d: %s", reason, line, o.At.Text())
		}
		j.claims = append(j.claims, Claim{Part: returning, Verdict: AtRunTime, Reason: reason})
	}
	if j.certain {
		j.claims = append(j.claims, Claim{Part: returning, Verdict: Refuted, Reason: certainly(j.found.Open)})
	}
	for _, c := range j.found.Conditions {
		if c.Fault == tail.FaultEmptyReduce {
			j.empties = append(j.empties, c)
		}
		r.condition(j.found.Texts(c))
	}
	for i, c := range j.claims {
		if outside {
			j.definite[c.Part] = true
		}
		if outside && c.Verdict == Proved {
			j.claims[i] = Claim{Part: c.Part, Verdict: AtRunTime, Reason: "an operand is given arguments that its type does not name"}
		}
	}
	return j
}

// relied reports whether a function stops where one of some conditions does not
// hold, so that what comes later may rely on them.
func relied(conditions []returns.Condition) bool {
	for _, c := range conditions {
		if c.Fault == tail.FaultEmptyReduce {
			return false
		}
	}
	return true
}

// certainly names the fault that happens whatever the arguments are.
func certainly(open []returns.Open) string {
	for _, o := range open {
		if o.Certain {
			return fmt.Sprintf("%s is certain: %s", o.Fault.Row().Code.Kind(), o.At.Text())
		}
	}
	return ""
}

// open reports whether it is known already that the function may stop for reasons
// of which no condition is known.
func (r *Report) open() bool {
	if len(r.conditions) > maxConditions {
		return true
	}
	for _, c := range r.Claims {
		if c.Part == returning {
			return true
		}
	}
	return false
}

// condition adds a condition to a report, which can be written in several ways:
// one that other choices of the variables share is wanted.
func (r *Report) condition(texts []string) {
	for i, known := range r.conditions {
		var common []string
		for _, text := range known {
			if slices.Contains(texts, text) {
				common = append(common, text)
			}
		}
		if len(common) > 0 {
			r.conditions[i] = common
			return
		}
	}
	r.conditions = append(r.conditions, texts)
}

// sharpen proves claims that types alone do not: on each path through the
// function's guards, with what faults that did not happen say.
func (g *infer) sharpen(j *judgement, sig *signature, want, got tail.Type) {
	if len(j.found.Leaves) == 0 {
		return
	}
	for i, c := range j.claims {
		if c.Verdict == Proved {
			continue
		}
		proved := true
		for _, leaf := range j.found.Leaves {
			proved = proved && leafProves(sig, leaf, leaf.Value, got, want, c.Part, "")
		}
		if proved {
			j.claims[i] = Claim{Part: c.Part, Verdict: Proved}
			continue
		}
		for _, leaf := range j.found.Leaves {
			if leafRefutes(leaf, leaf.Value, want, c.Part, "") {
				j.definite[c.Part] = true
			}
		}
	}
}

// leafProves reports whether a claim about a part holds on a path.
func leafProves(sig *signature, leaf returns.Leaf, v *returns.Value, got, want tail.Type, part, prefix string) bool {
	if w, ok := want.(*tail.TupleType); ok {
		t, nested := got.(*tail.TupleType)
		if !nested || len(v.Items()) != len(w.Elems) || len(t.Elems) != len(w.Elems) || len(sig.free) > 0 {
			return false
		}
		for i, item := range w.Elems {
			if leafProves(sig, leaf, v.Items()[i], t.Elems[i], item, part, fmt.Sprintf("%sitem %d: ", prefix, i+1)) {
				return true
			}
		}
		return false
	}
	w, ok := want.(*tail.Array)
	t, isArray := v.Type.(*tail.Array)
	if !ok || !isArray || !t.Rank.Equal(w.Rank) {
		return false
	}
	if part == prefix+"element type" {
		return w.Elem == array.Bool && t.Elem == array.Int && leaf.Between(v, 0, 1)
	}
	bound := map[string]tail.Size{}
	for i, x := range w.Extents {
		size := leafSize(sig, leaf, t.Extent(i), x, bound)
		if part == prefix+extentName(i, len(w.Extents)) {
			return leaf.Equal(t.Extent(i), size)
		}
	}
	if part == prefix+"value" && len(w.Values) == 1 {
		return leaf.Equal(t.Value(0), leafSize(sig, leaf, t.Value(0), w.Values[0], bound))
	}
	return false
}

// leafSize is a claimed size in which variables of the result alone stand for
// what they meet first.
func leafSize(sig *signature, leaf returns.Leaf, got, claim tail.Size, bound map[string]tail.Size) tail.Size {
	for _, t := range claim.Terms {
		if !contains(sig.free, strings.TrimRight(t.Var, "'")) {
			continue
		}
		if _, ok := bound[t.Var]; !ok && t.Coef == 1 {
			value := got.Minus(claim.Minus(tail.VarSize(t.Var)).Subst(bound))
			if !leaf.Natural(value) {
				return tail.AnySize
			}
			bound[t.Var] = value
		}
	}
	return claim.Subst(bound)
}

// leafRefutes reports whether a size on a path is one that sizes and scalars of
// the arguments decide, or certainly is another than claimed.
func leafRefutes(leaf returns.Leaf, v *returns.Value, want tail.Type, part, prefix string) bool {
	if w, ok := want.(*tail.TupleType); ok {
		for i, item := range w.Elems {
			if i < len(v.Items()) && leafRefutes(leaf, v.Items()[i], item, part, fmt.Sprintf("%sitem %d: ", prefix, i+1)) {
				return true
			}
		}
		return false
	}
	w, ok := want.(*tail.Array)
	t, isArray := v.Type.(*tail.Array)
	if !ok || !isArray || !t.Rank.Equal(w.Rank) {
		return false
	}
	for i, x := range w.Extents {
		if part == prefix+extentName(i, len(w.Extents)) {
			return leaf.Decided(t.Extent(i)) || leaf.Differ(t.Extent(i), x)
		}
	}
	return part == prefix+"value" && len(w.Values) == 1 && leaf.Decided(t.Value(0))
}
