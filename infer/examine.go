package infer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/internal/returns"
	"github.com/tailor-lang/tailor/tail"
)

// annotated reads the annotation of a defined function, and examines it if
// that is what the program is inferred for: at the end for the program's
// functions, at once for those inside others.
func (g *infer) annotated(f function, def apl.Func, name string, behind *apl.Annotation) {
	note, dyadic := behind, true
	c, isClosure := f.(*closure)
	if d, ok := plainFunc(def).(*apl.Dfn); ok && isClosure {
		if d.Note != nil {
			note = d.Note
		}
		dyadic = d.Dyadic
	}
	if note == nil {
		return
	}
	sig, bad := newSignature(note, 0, dyadic)
	if bad != nil {
		panic(unwound{err: bad})
	}
	if isClosure && c.sig == nil {
		c.sig = sig
	}
	if g.examiner != nil {
		g.watch(g.examiner.report(name, sig.note), def.Span().Text())
	}
	g.schedule(func() { g.examine(f, sig, name, nil) })
}

// annotatedOperator is the same for an operator.
func (g *infer) annotatedOperator(op *userOperator, name string, behind *apl.Annotation) {
	note := op.dop.Note
	if note == nil {
		note = behind
	}
	if note == nil {
		return
	}
	n := 1
	if op.dop.DyadicOperator {
		n = 2
	}
	sig, bad := newSignature(note, n, op.dop.Dyadic)
	if bad != nil {
		panic(unwound{err: bad})
	}
	op.sig = sig
	if g.examiner != nil {
		g.watch(g.examiner.report(name, sig.note), op.dop.Span().Text())
	}
	g.schedule(func() { g.examine(nil, sig, name, op) })
}

func plainFunc(f apl.Func) apl.Func {
	for {
		p, ok := f.(*apl.ParenFunc)
		if !ok {
			return f
		}
		f = p.F
	}
}

// schedule runs an examination now or at the end.
func (g *infer) schedule(f func()) {
	switch {
	case g.examiner == nil:
	case g.scope.parent == nil:
		g.examiner.pending = append(g.examiner.pending, f)
	default:
		f()
	}
}

// examine judges the annotation of a function, or of an operator, for every
// choice of its variables.
func (g *infer) examine(f function, sig *signature, name string, op *userOperator) {
	r := g.examiner.report(name, sig.note)
	g.examiner.depth++
	defer func() { g.examiner.depth-- }()
	if r.Nothing = len(partsOf(sig.result, "")) == 0; r.Nothing {
		r.Reached = true
		return
	}
	constants := g.examiner.constants
	g.examiner.constants = constantsOf(f, op)
	defer func() { g.examiner.constants = constants }()
	t := &trials{left: maxTrials}
	sig.choices(func(c choice) bool {
		g.examineChoice(f, sig, name, op, c, r, t)
		return r.Err == nil
	})
	r.settle()
}

// examineChoice judges an annotation for one choice of its variables.
func (g *infer) examineChoice(f function, sig *signature, name string, op *userOperator, c choice, r *Report, t *trials) {
	want := g.rigid(c.instance(sig.result, nil), nil)
	got, err, open := g.probe(f, sig, op, c)
	var j judgement
	switch {
	case err == nil && got == nil:
		j.claims = allOf(sig.result, AtRunTime, "it never returns without calling itself")
	case err != nil && err.Kind() == diag.Limit:
		return // It never returns for this choice.
	case err != nil && open:
		j.claims = allOf(sig.result, AtRunTime, "it is typed for each call: "+plainText(err.Message))
	case err != nil:
		j.claims = allOf(sig.result, Refuted, err.Message)
	case mentionsEither(got):
		j.claims = allOf(sig.result, AtRunTime, "its result is "+describeType(got))
	case g.examiner.plain:
		got, want = sig.settle(got, want)
		j.claims = g.compareResult(g.probed, got, want)
	default:
		j = g.judge(r, sig, want, got)
	}
	if !g.examiner.plain && j.doubtful() {
		g.contest(f, sig, name, op, c, r, t, &j, err)
	}
	for _, claim := range j.claims {
		r.merge(claim)
		if claim.Verdict == Refuted && err != nil && !open {
			r.refute(g.refutation(sig, c, name, "", err))
		} else if claim.Verdict == Refuted {
			r.refute(g.refutation(sig, c, name, claim.Part+": "+claim.Reason, nil))
		}
	}
}

// allOf gives all parts of a claim one verdict.
func allOf(want tail.Type, v Verdict, reason string) []Claim {
	var all []Claim
	for _, part := range partsOf(want, "") {
		all = append(all, Claim{Part: part, Verdict: v, Reason: reason})
	}
	return all
}

// doubtful reports whether arguments may refute a claim, or its refutation: a part
// of it is not proved, or it is proved on conditions, outside of which scalar
// extension may give a result that does not fit.
func (j judgement) doubtful() bool { return j.unproved() || j.conditional() || j.certain }

func (j judgement) conditional() bool { return j.found != nil && len(j.found.Conditions) > 0 }

// unproved reports whether a part of what is claimed of the result is not proved.
func (j judgement) unproved() bool {
	for _, c := range j.claims {
		if c.Verdict != Proved && c.Part != returning {
			return true
		}
	}
	return false
}

// maxConditional is for how many choices of the variables arguments are tried
// although everything is proved on conditions.
const maxConditional = 4

// contest looks for a counterexample. Without one a claim about sizes is only
// refuted if the function returns for no arguments, and one about elements of a
// type that has the claimed one within it is not.
func (g *infer) contest(f function, sig *signature, name string, op *userOperator, c choice, r *Report, t *trials, j *judgement, err *diag.Error) {
	t.returned = false
	if !j.unproved() {
		if t.conditional++; t.conditional > maxConditional {
			return
		}
	}
	if x := g.seek(f, sig, op, c, *j, t); x != nil {
		for _, claim := range x.claims {
			r.merge(claim)
		}
		r.Example = x.args
		r.refute(x.error(sig, name))
	}
	for i, claim := range j.claims {
		if claim.Verdict == Refuted && claim.narrow {
			j.claims[i].Verdict = AtRunTime
		}
	}
	if !t.returned || err != nil && err.Kind() == diag.Type {
		return
	}
	for i, claim := range j.claims {
		if claim.Verdict == Refuted && (err != nil || !strings.HasSuffix(claim.Part, "element type") && !strings.HasSuffix(claim.Part, "rank")) {
			j.claims[i].Verdict = AtRunTime
		}
	}
}

// settle chooses how conditions are written. Many of them become one claim that
// is checked at run time.
func (r *Report) settle() {
	for _, texts := range r.conditions {
		if !slices.Contains(r.Conditions, texts[0]) {
			r.Conditions = append(r.Conditions, texts[0])
		}
	}
	if len(r.Conditions) > maxConditions {
		r.merge(Claim{Part: returning, Verdict: AtRunTime, Reason: "if " + strings.Join(r.Conditions[:maxConditions], ", ") + " …"})
		r.Conditions = nil
		r.narrow = true
	}
}

// refutation is the error for a claim that fails.
func (g *infer) refutation(sig *signature, c choice, name, reason string, cause *diag.Error) *diag.Error {
	e := diag.Errorf(diag.FalseAnnotation, sig.note.Span(), "the annotation of %s does not hold", name)
	at := c.describe(sig)
	if at != "" {
		at = "for " + at + ": "
	}
	if cause == nil {
		e.Notes = append(e.Notes, diag.Note{Message: at + reason})
		return e
	}
	e.Notes = append(e.Notes, diag.Note{Span: cause.Span, Message: at + plainText(cause.Kind().String()+": "+cause.Message)})
	return e
}

// rigid marks the variables of sizes so that they are no others: extents that
// are not stated get fresh ones.
func (g *infer) rigid(t tail.Type, fresh *int) tail.Type {
	mark := strings.Repeat("'", g.examiner.depth)
	size := func(s tail.Size) tail.Size {
		if s.Any {
			return s
		}
		r := tail.ConstSize(s.Const)
		for _, term := range s.Terms {
			name := term.Var + mark
			if tail.IsPosition(term.Var) {
				name = term.Var
			}
			r = r.Plus(tail.VarSize(name).Times(term.Coef))
		}
		return r
	}
	switch t := t.(type) {
	case *tail.TupleType:
		r := &tail.TupleType{Shape: t.Shape, Proto: t.Proto}
		if t.Item != nil {
			r.Item = g.rigid(t.Item, nil).(*tail.Array)
		}
		for _, e := range t.Elems {
			r.Elems = append(r.Elems, g.rigid(e, fresh))
		}
		return r
	case *tail.NestType:
		r := &tail.NestType{Item: g.rigid(t.Item, nil), ByColumn: t.ByColumn}
		for _, n := range t.Counts {
			r.Counts = append(r.Counts, size(n))
		}
		return r
	case *tail.FuncType:
		r := &tail.FuncType{Result: g.rigid(t.Result, nil)}
		for _, p := range t.Params {
			r.Params = append(r.Params, g.rigid(p, nil))
		}
		return r
	case *tail.Array:
		r := *t
		n, constant := t.Rank.IsConst()
		if constant && n > 0 && (t.Extents != nil || fresh != nil) {
			r.Extents = make([]tail.Size, n)
			for i := range r.Extents {
				r.Extents[i] = size(t.Extent(i))
				if fresh != nil && !r.Extents[i].Known() {
					*fresh++
					r.Extents[i] = tail.VarSize(fmt.Sprintf("#%d%s", *fresh, mark))
				}
			}
		}
		if t.Values != nil {
			r.Values = make([]tail.Size, len(t.Values))
			for i, v := range t.Values {
				r.Values[i] = size(v)
			}
		}
		return &r
	}
	return t
}

// probe infers a function for one choice of the variables of its signature. It
// returns the type of the result, nil for bottom, or the error; open reports
// that the error is a limit of what is known, and no fault.
func (g *infer) probe(f function, sig *signature, op *userOperator, c choice) (got tail.Type, err *diag.Error, open bool) {
	return g.probeWith(f, sig, op, c, nil)
}

// probeWith is probe for known arguments, or unknown ones where there are none.
// The whole expression and its parameters are left in probedAll and probedParams.
func (g *infer) probeWith(f function, sig *signature, op *userOperator, c choice, values []*array.Array) (got tail.Type, err *diag.Error, open bool) {
	defer g.probes()()
	scope, frame, lets, depth, block := g.scope, g.frame, g.lets, g.depth, g.blockID
	defer func() {
		g.scope, g.frame, g.lets, g.depth, g.blockID = scope, frame, lets, depth, block
		switch r := recover().(type) {
		case nil:
		case unwound:
			got, err, open = nil, r.err, r.needs || r.err.Kind() == diag.Unsupported || r.err.Kind() == diag.Limit
		case bottom:
			got, err = nil, nil
		default:
			panic(r)
		}
	}()
	g.probedParams = nil
	fresh := 0
	args := make([]tail.Expr, len(sig.params))
	names := []string{"⍺", "⍵"}[2-len(args):]
	for i, p := range sig.params {
		if values != nil {
			args[i] = lit(sig.note.Span(), values[i])
			continue
		}
		ty, bad := g.storedParam(c.instance(p, nil), sig)
		if bad != nil {
			return nil, bad, true
		}
		ty = g.rigid(ty, &fresh)
		if a, ok := ty.(*tail.Array); ok {
			if _, constant := a.Rank.IsConst(); !constant || a.ElemVar != "" {
				return nil, diag.Errorf(diag.NotCompiled, sig.note.Span(), "its argument may be anything"), true
			}
		}
		v := &tail.Var{Name: plainName(names[i]), Type: ty}
		g.probedParams = append(g.probedParams, returns.Param{Var: v, Name: names[i]})
		args[i] = &tail.Ref{Var: v}
	}
	at := site{fn: sig.note.Span()}
	g.probedAll = g.block(func() tail.Expr {
		if op != nil {
			f = g.withOperands(op, sig, c)
		}
		e := g.applyProbe(f, args, at)
		got, g.probed = e.Type(), e
		return e
	})
	return got, nil, false
}

// withOperands returns an operator applied to unknown operands of its
// annotation's types.
func (g *infer) withOperands(op *userOperator, sig *signature, c choice) function {
	operands := make([]operand, 2)
	for i, t := range sig.operands {
		name := []string{"⍺⍺", "⍵⍵"}[i]
		switch ty := g.rigid(c.instance(t, nil), nil).(type) {
		case *tail.FuncType:
			operands[i] = operand{fn: &opaque{name: name, ty: ty}}
		default:
			fresh := 100
			hidden := g.hidden()
			g.scope = &scope{parent: g.scope, frame: g.frame, names: map[string]*binding{}}
			g.scope.names[hidden] = &binding{v: &tail.Var{Name: "v", Type: g.rigid(c.instance(t, nil), &fresh)}}
			operands[i] = operand{scope: g.scope, name: hidden}
		}
	}
	dop := g.reading(op.dop, operands[0], operands[1])
	return g.made(&closure{node: dop, body: dop.Body, scope: op.scope, recursive: dop.Recursive,
		operands: operands[:len(sig.operands)], operator: op})
}

// applyProbe applies a function; a dfn is expanded in place, so that nothing
// about its arguments is forgotten.
func (g *infer) applyProbe(f function, args []tail.Expr, s site) tail.Expr {
	x, y := tail.Expr(nil), args[len(args)-1]
	if len(args) == 2 {
		x = args[0]
	}
	if c, ok := f.(*closure); ok {
		return g.expand(c, x, y, s)
	}
	if x == nil {
		return g.monadic(f, y, s)
	}
	return g.dyadic(f, x, y, s)
}
