package infer

import (
	"regexp"
	"strings"

	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/prelude"
	"github.com/tailor-lang/tailor/tail"
)

// unwound is the panic that carries an error to the nearest recovery.
type unwound struct {
	err *diag.Error
	// needs reports that a constant would help: the specialiser tries again.
	needs bool
	// endless reports that a function calls itself whatever happens: what does
	// not return has no type.
	endless bool
	// certain reports that every evaluation of the expression ends with the error.
	certain bool
}

// bottom is the panic of an expression whose value depends on a recursive call
// of which nothing is known yet.
type bottom struct {
	at   diag.Span // the call
	name string    // of the function
	// often reports that an operator applies a function that makes the call,
	// perhaps no times.
	often bool
	// fault is what the other branch of a guard is sure to end with, or nil.
	fault *diag.Error
}

// or is b where the other branch of a guard is sure to end with an error.
func (b bottom) or(fault *diag.Error) bottom {
	if b.fault == nil {
		b.fault = fault
	}
	return b
}

// error is what is reported where nothing ever gets known of the call.
func (b bottom) error() *diag.Error {
	if b.fault != nil && !b.often {
		return b.fault
	}
	if b.often {
		return diag.Errorf(diag.NotCompiled, b.at, "the type of what %s returns is not known where this call of itself may be made no times", plainFunction(b.name))
	}
	return diag.Errorf(diag.RecursiveType, b.at, "%s never returns without calling itself", plainFunction(b.name))
}

// fail reports an error.
func (g *infer) fail(c diag.Code, at diag.Span, format string, args ...any) {
	panic(certain(diag.Errorf(c, g.visible(at), format, args...)))
}

// visible returns a place in the program: for one in a definition of the prelude
// that where the definition is used.
func (g *infer) visible(at diag.Span) diag.Span {
	if g.blamed != nil && prelude.Has(at) {
		return g.blamed.site.fn
	}
	return at
}

// failFix reports an error and says what to write instead.
func (g *infer) failFix(c diag.Code, at diag.Span, fix, format string, args ...any) {
	e := diag.Errorf(c, g.visible(at), format, args...)
	e.Fix = fix
	panic(certain(e))
}

// needsConstant reports that a rank depends on a value that is not known.
func (g *infer) needsConstant(c diag.Code, at diag.Span, format string, args ...any) {
	panic(unwound{err: diag.Errorf(c, g.visible(at), format, args...), needs: true})
}

// unsupportedHere refuses a correct form of arguments of which more is known where
// the function is called.
func (g *infer) unsupportedHere(c diag.Code, at diag.Span, format string, args ...any) {
	panic(unwound{err: diag.Errorf(c, g.visible(at), format, args...), needs: true})
}

// try runs f and returns the error that it reports, or nil.
func (g *infer) try(f func()) (err *diag.Error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case unwound:
			err = r.err
		case bottom:
			err = r.error()
		default:
			panic(r)
		}
	}()
	f()
	return nil
}

// tryBottom runs f; it reports false when the value is bottom.
func (g *infer) tryBottom(f func()) (ok bool) {
	scope, frame, lets, depth, block := g.scope, g.frame, g.lets, g.depth, g.blockID
	defer func() {
		if r := recover(); r != nil {
			b, is := r.(bottom)
			if !is {
				panic(r)
			}
			g.scope, g.frame, g.lets, g.depth, g.blockID = scope, frame, lets, depth, block
			g.unknown = b
			ok = false
		}
	}()
	f()
	return true
}

// site says where an application stands in the source: the function's glyph
// and the arguments.
type site struct{ fn, left, right diag.Span }

// span returns the whole application.
func (s site) span() diag.Span { return s.left.Join(s.fn).Join(s.right) }

// op returns the application of an op, or reports why it has no type.
func (g *infer) op(o tail.Op, s site, args ...tail.Expr) tail.Expr {
	return g.opWith(o, s, 0, nil, args...)
}

func (g *infer) opAxis(o tail.Op, s site, axis int, args ...tail.Expr) tail.Expr {
	return g.opWith(o, s, axis, nil, args...)
}

func (g *infer) opWith(o tail.Op, s site, axis int, ks []int, args ...tail.Expr) tail.Expr {
	if o.Tolerant() {
		g.dependOnTolerance(s)
	}
	if g.blamed != nil {
		s = g.blamed.site
		if o == tail.OpStop {
			s.left = diag.Span{}
		}
	}
	if o == tail.OpPrint || o == tail.OpPrintBare || o == tail.OpFormat || o == tail.OpPicture {
		ks = g.digits()
	}
	e, bad := tail.NewApply(s.fn, o, axis, ks, args...)
	if bad != nil {
		g.mismatch(bad, s, args...)
	}
	if g.safely && o != tail.OpStop {
		g.safe[e] = true
	}
	e.Blame = g.blame(s, args)
	e.Size = g.sizeOf(e, s)
	if t, ok := e.Ty.(*tail.Array); ok && t.Dims() > MaxRank {
		g.fail(diag.TooLarge, s.fn, "an array of rank %d; arrays have at most %d axes", t.Dims(), MaxRank)
	}
	return e
}

// mismatch reports why an application to some arguments has no type.
func (g *infer) mismatch(m *tail.Mismatch, s site, args ...tail.Expr) {
	panic(unwound{err: g.mismatched(m, s, args...), needs: m.Code == tail.NeedsConstant, certain: m.Code == tail.CertainFault})
}

// mismatched is the error of mismatch.
func (g *infer) mismatched(m *tail.Mismatch, s site, args ...tail.Expr) *diag.Error {
	e := &diag.Error{Message: m.Message(), Span: s.fn}
	switch m.Code {
	case tail.CertainFault:
		e.Code = m.Fault.Row().Code
		e.Operands = [2]diag.Span{s.left, s.right}
		if e.Kind() == diag.Length || e.Kind() == diag.Rank || e.Kind() == diag.Index {
			e.Notes = g.blame(s, args).Notes(s.fn)
		}
		e.Fix = suggestion(m.Fault, m.Args, s)
		if m.Fault == tail.FaultIndexRank {
			e.Message, e.Fix = indexCount(m.Args[0].(tail.Size), m.Args[1].([]tail.Size), s)
		}
		if m.Fault == tail.FaultIndex {
			g.indexFault(e, m)
		}
	case tail.NeedsConstant:
		e.Code = diag.UnknownRank
	default:
		if m.Arg >= 0 && m.Arg < len(args) && isTuple(args[m.Arg]) {
			e.Code, e.Message = diag.NestedArrays, describe(s.fn)+" of a nested array"
			break
		}
		e.Code = diag.ArgumentRank
		if op, rest, ok := strings.Cut(e.Message, ": "); ok && s.fn.Valid() && !strings.Contains(op, " ") {
			e.Message = describe(s.fn) + ": " + rest
		}
		nameArgument(e, s)
	}
	return e
}

// argumentNumber is how package tail speaks of an argument of an op.
var argumentNumber = regexp.MustCompile(`^(.+): argument ([12]) `)

// nameArgument makes a message speak of the user's left or right argument.
func nameArgument(e *diag.Error, s site) {
	found := argumentNumber.FindStringSubmatch(e.Message)
	if found == nil {
		return
	}
	name := "the argument of "
	if s.left.Valid() && s.right.Valid() {
		name = map[string]string{"1": "the left argument of ", "2": "the right argument of "}[found[2]]
		e.Operands = [2]diag.Span{s.left, s.right}
	}
	e.Message = name + found[1] + " " + e.Message[len(found[0]):]
}

// fault reports that an application always ends in a fault; args are as in
// tail.Mismatch.
func (g *infer) fault(f tail.Fault, s site, args ...any) {
	g.faultOf(nil, f, s, args...)
}

// faultOf is fault for an application to the given arrays.
func (g *infer) faultOf(of []tail.Expr, f tail.Fault, s site, args ...any) {
	g.mismatch(&tail.Mismatch{Code: tail.CertainFault, Fault: f, Args: args, Arg: -1}, s, of...)
}

// extents returns one size an axis.
func extents(t *tail.Array) []tail.Size {
	all := make([]tail.Size, t.Dims())
	for i := range all {
		all[i] = t.Extent(i)
	}
	return all
}
