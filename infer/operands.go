package infer

import (
	"fmt"
	"regexp"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/tail"
)

// fitOperands requires the operands of an annotated operator to be what the
// annotation says, for the variables that the arguments of the call give. A
// variable κ that the arguments make int becomes double where an operand gives
// doubles.
func (g *infer) fitOperands(m *matching, c *closure, sig *signature, x, y tail.Expr, s site) {
	for range 2 {
		trial := g.newMatching(sig)
		for v, e := range m.elems {
			trial.elems[v] = e
		}
		args := []tail.Expr{y}
		if x != nil {
			args = []tail.Expr{x, y}
		}
		for i, e := range args {
			w, ok := sig.params[i].(*tail.Array)
			got, simple := e.Type().(*tail.Array)
			if !ok || !simple {
				return
			}
			if _, bad := trial.array(w, got, nil); bad != "" {
				return // the argument is at fault, and is reported
			}
		}
		again := false
		for i, w := range sig.operands {
			again = g.fitOperand(m, trial, c, i, w, s) || again
		}
		if !again {
			return
		}
	}
}

// fitOperand judges one operand; it reports whether a variable became double.
func (g *infer) fitOperand(m, trial *matching, c *closure, i int, want tail.Type, s site) (again bool) {
	what := []string{"the left operand", "the right operand"}[i]
	o := c.operands[i]
	at := o.at
	if !at.Valid() {
		at = s.fn
	}
	f, isFunc := want.(*tail.FuncType)
	switch {
	case !isFunc && o.fn != nil:
		g.wrongArgument(m, c, what, "is a function", at, noteType(want))
	case !isFunc:
		w, ok := want.(*tail.Array)
		got, simple := g.array(o).Type().(*tail.Array)
		if ok && simple {
			if _, bad := trial.array(w, got, nil); bad != "" {
				g.wrongArgument(m, c, what, string(bad), at, plainType(w))
			}
		}
		return false
	case o.fn == nil:
		g.wrongArgument(m, c, what, "is an array", at, noteType(want))
	}
	if _, unknown := o.fn.(*opaque); unknown {
		return false
	}
	result, err := g.tryOperand(trial, o.fn, f, at)
	if err != nil {
		e := diag.Errorf(diag.AnnotationDiffers, at, "%s of %s is %s by the annotation, and cannot be applied so", what, c.label(), noteType(want))
		e.Notes = []diag.Note{{Span: err.Span, Message: plainText(err.Kind().String() + ": " + err.Message)}, {Span: m.sig.note.Span(), Message: "the annotation"}}
		panic(unwound{err: e})
	}
	w, ok := f.Result.(*tail.Array)
	got, simple := result.(*tail.Array)
	if !ok || !simple {
		return false
	}
	if bound := trial.elems[w.ElemVar]; w.ElemVar != "" && bound == array.Int && got.Elem == array.Double && elemRange(w.ElemVar)[0] == array.Int {
		m.elems[w.ElemVar] = array.Double
		return true
	}
	if _, bad := trial.array(w, got, nil); bad != "" || !fitsElem(trial, w, got) {
		if bad == "" {
			bad = misfit(fmt.Sprintf("has elements of type %v", got.Elem))
		}
		g.wrongArgument(m, c, "the result of "+what, string(bad), at, noteType(want))
	}
	return false
}

// fitsElem reports whether elements need no conversion to a smaller type.
func fitsElem(m *matching, want, got *tail.Array) bool {
	elem := want.Elem
	if want.ElemVar != "" {
		elem = m.elems[want.ElemVar]
	}
	join, ok := joinElem(elem, got.Elem)
	return elem == array.NoElem || ok && join == elem
}

// noteType writes a type of an annotation.
func noteType(t tail.Type) string {
	if a, ok := t.(*tail.Array); ok {
		return plainType(a)
	}
	return scalarType.ReplaceAllString(plainText(t.String()), "$1")
}

// scalarType is the notation [κ]0 of a scalar, which users write κ.
var scalarType = regexp.MustCompile(`\[([^\[\],]*)\]0`)

// tryOperand applies an operand to values of the types that it is said to take.
// Nothing is reported, and nothing is returned, where its types are not
// certain.
func (g *infer) tryOperand(m *matching, f function, want *tail.FuncType, at diag.Span) (result tail.Type, err *diag.Error) {
	defer g.probes()()
	args := make([]tail.Expr, len(want.Params))
	for i, p := range want.Params {
		a, ok := m.instance(p).(*tail.Array)
		if !ok || a.ElemVar != "" && a.Elem == array.NoElem {
			return nil, nil
		}
		if _, constant := a.Rank.IsConst(); !constant {
			return nil, nil
		}
		args[i] = &tail.Ref{At: tail.At{Where: at}, Var: &tail.Var{Name: "x", Type: a}}
	}
	scope, frame, lets, depth, block, errs := g.scope, g.frame, g.lets, g.depth, g.blockID, len(g.errs)
	log, funcs := len(g.log), len(g.prog.Funcs)
	defer func() {
		r := recover()
		g.scope, g.frame, g.lets, g.depth, g.blockID, g.errs = scope, frame, lets, depth, block, g.errs[:errs]
		switch r := r.(type) {
		case nil:
		case unwound:
			if !r.needs && r.err.Kind() != diag.Unsupported && r.err.Kind() != diag.Limit {
				err = r.err
			}
		case bottom:
		default:
			panic(r)
		}
		g.forget(log, funcs)
	}()
	g.block(func() tail.Expr {
		var e tail.Expr
		if len(args) == 1 {
			e = g.monadic(f, args[0], site{fn: at})
		} else {
			e = g.dyadic(f, args[0], args[1], site{fn: at})
		}
		result = e.Type()
		return e
	})
	return result, nil
}
