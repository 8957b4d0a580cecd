package infer

import (
	"errors"
	"slices"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/internal/num"
	"github.com/tailor-lang/tailor/internal/returns"
	"github.com/tailor-lang/tailor/internal/structured"
	"github.com/tailor-lang/tailor/tail"
)

// Options are the choices of the command line that change the meaning of a
// program.
type Options struct {
	Wrap bool // integer arithmetic wraps instead of faulting
	// Trust takes claims of annotations that are not proved for granted, instead
	// of checking them when the program runs.
	Trust bool
	// Proved are the annotations all of whose claims are proved, as Claims says.
	Proved map[*apl.Annotation]bool
	// Displayed, when not nil, is told the types of what the statements display,
	// in order: of strands, only pictures are left in the program.
	Displayed func(tail.Type)
	// Announced, when not nil, returns a text for the type of a strand that is
	// displayed. The program then displays the text and each array of the strand,
	// in order, instead of a picture of it.
	Announced func(*tail.TupleType) string
	// Shaped says that Announced takes nested arrays of other ranks than 1, too.
	Shaped bool
	// Received, when not nil, returns the expression for an array that an earlier
	// line of a session left behind; otherwise it is a constant.
	Received func(*array.Array) tail.Expr
	// Exact has Entry keep the extents of known variables: the function is called for
	// these values only.
	Exact bool
}

// maxErrors is the number of errors after which inference stops.
const maxErrors = 10

// Program returns the typed program for p. The error is a diag.List.
func Program(p *apl.Program, o Options) (*tail.Program, error) {
	if places := p.Dynamic(); len(places) > 0 {
		return withoutHeaders(p, o, places)
	}
	g := newInfer(p, o)
	typed, err := g.program(p)
	if err == nil || !g.spelt.Valid() {
		return typed, err
	}
	if o.Displayed == nil && o.Announced == nil { // nobody has seen the first attempt
		again := newInfer(p, o)
		again.several = true
		if typed, err := again.program(p); err == nil {
			return typed, nil
		}
	}
	g.errs = append(g.errs, diag.Errorf(diag.UnknownType, g.spelt, "⍎ of a text that may spell other than one number"))
	return nil, g.errs.Err()
}

// program returns the typed program for p.
func (g *infer) program(p *apl.Program) (*tail.Program, error) {
	if !p.Made() {
		g.findUnread(p.Body, true)
	}
	g.prog.Main = g.block(func() tail.Expr {
		g.statements(p.Body)
		return &tail.Tuple{}
	})
	if err := g.errs.Err(); err != nil {
		return nil, err
	}
	return g.prog, nil
}

// withoutHeaders returns the typed program for one with functions with headers, or with
// control structures. The error is what is not supported in its structured form; where
// it has none, the places that are not compiled.
func withoutHeaders(p *apl.Program, o Options, places diag.List) (typed *tail.Program, err error) {
	err = places
	structuredForm(p, func(q *apl.Program) {
		t, why := Program(q, o)
		var list diag.List
		unclear := func(e *diag.Error) bool {
			return e.Kind() != diag.Unsupported || !e.Span.Valid() || e.Span.Start == places[0].Span.Start
		}
		switch {
		case why == nil:
			typed, err = t, nil
		case errors.As(why, &list) && !slices.ContainsFunc(list, unclear):
			err = list
		}
	})
	return typed, err
}

// structuredForm calls f with the program without headers and control structures that
// means the same as p, if there is one.
func structuredForm(p *apl.Program, f func(*apl.Program)) {
	if q := structured.Program(p); q != nil {
		defer func() { _ = recover() }() // a part of a program that was never meant to be inferred
		f(q)
	}
}

// newInfer returns the state before the first statement of p.
func newInfer(p *apl.Program, o Options) *infer {
	g := &infer{
		prog:      &tail.Program{Source: p.Source, Wrap: o.Wrap},
		origin:    1,
		tolerance: num.Tolerance,
		options:   o,
		instances: map[string][]*instance{},
		failed:    map[string]*failure{},
		names:     map[string]int{},
		taken:     map[string]bool{},
		building:  map[apl.Node][][]tail.Type{}, opened: map[apl.Node]bool{},
		readings:  map[readingKey]*apl.Dop{},
		known:     map[*tail.Var]*bound{},
		itemsMade: map[*tail.Apply]*madeItem{},
		tight:     map[*tail.Var]bool{},
		safe:      map[*tail.Apply]bool{},
		unread:    map[apl.Node]bool{},
		searched:  map[apl.Stmt]bool{},
	}
	g.frame = &frame{}
	g.root = g.frame
	g.scope = &scope{frame: g.frame, names: map[string]*binding{}}
	return g
}

// statements infers the statements of the program, until there are too many
// errors.
func (g *infer) statements(body []apl.Stmt) {
	for _, s := range body {
		if !g.topLevel(s) {
			return
		}
	}
}

// infer is the state of one inference.
type infer struct {
	prog *tail.Program
	errs diag.List

	origin    int     // ⎕IO
	tolerance float64 // ⎕CT
	exact     bool    // ⎕CT is 0
	// digitsNow is ⎕PP, 0 the default, and displays that something was displayed
	// or formatted already.
	digitsNow int
	displays  bool
	// tolerant says that an op depends on ⎕CT already, which is the program's.
	tolerant bool

	scope *scope
	frame *frame
	lets  []let // of the innermost block

	instances map[string][]*instance     // by the function's identity and argument types
	log       []*instance                // all finished instances, in order
	failed    map[string]*failure        // specialisations that need constants
	names     map[string]int             // how many functions have the name
	taken     map[string]bool            // names of functions
	building  map[apl.Node][][]tail.Type // argument types of specialisations under construction
	opened    map[apl.Node]bool          // functions that are expanded where they are called from outside
	readings  map[readingKey]*apl.Dop
	folding   int    // how many folds of cells are being tried
	serial    int    // for hidden names and identities
	depth     int    // nesting of function applications
	root      *frame // of the main program
	prelude   *scope // the definitions of the prelude, when it is used
	blamed    *blame // while a definition of the prelude is expanded
	safely    bool   // operations that are made do not fault
	// prototyping says that an operand is applied to prototypes in case that there is
	// nothing else.
	prototyping bool
	probing     bool // a function is tried for some types: what is sure to end in a fault has none
	safe        map[*tail.Apply]bool
	at          site            // of the primitive being applied
	note        *apl.Annotation // of the statement being inferred, or nil
	examiner    *examiner       // of annotations, or nil
	down        bool            // a conversion to a smaller element type was made
	called      []*tail.Func    // the functions that the program itself calls
	options     Options
	defining    *apl.Dfn // the definition whose annotation is seen to elsewhere
	definingOp  *apl.Dop
	probed      tail.Expr // the result of the last probe
	// probedAll is the last probe with all that it binds, over probedParams.
	probedAll    tail.Expr
	probedParams []returns.Param
	rechecked    int // expressions that were looked at again for the sizes of calls
	blockID      int // identifies the block that lets are added to
	known        map[*tail.Var]*bound
	itemsMade    map[*tail.Apply]*madeItem // the items of vectors of vectors
	tight        map[*tail.Var]bool        // items that are nested vectors of what they have gathered themselves
	divisors     map[*tail.Var]tail.Expr   // of variables, as guards say
	searched     map[apl.Stmt]bool         // first statements of bodies whose statements are in unread, if they belong there
	unread       map[apl.Node]bool         // dfns that ¨ applies and whose results nobody reads
	unknown      bottom                    // the recursive call that tryBottom found last
	changing     bool                      // a function changes variables of enclosing ones, see made
	foresight    *Foresight                // where calls are only looked for, else nil
	spelt        diag.Span                 // of ⍎ of a text that is taken for that of one number
	several      bool                      // such texts are taken for those of several numbers
	left         int                       // how often arguments were made complex since a result was
	general      int                       // instances that are being made for less than is known of arguments
}

// topLevel infers a statement of the program. It reports whether to go on.
func (g *infer) topLevel(s apl.Stmt) bool {
	depth, mark, scope, frame, lets := g.depth, len(g.lets), g.scope, g.frame, g.lets
	block := g.blockID
	g.scope.block = block
	err := g.try(func() { g.statement(s) })
	if err == nil {
		return true
	}
	g.depth, g.scope, g.frame, g.lets = depth, scope, frame, lets[:mark]
	g.blockID = block
	if len(err.Message) > 0 && !g.reported(err) {
		g.errs = append(g.errs, err)
	}
	g.poison(s)
	return len(g.errs) < maxErrors
}

// reported reports whether an error was reported already: a function has it for
// every call.
func (g *infer) reported(err *diag.Error) bool {
	for _, e := range g.errs {
		if e.Code == err.Code && e.Span == err.Span && e.Message == err.Message {
			return true
		}
	}
	return false
}

// statement infers a statement of the main program: a value that is not
// assigned is displayed.
func (g *infer) statement(s apl.Stmt) {
	switch s := s.(type) {
	case *apl.ExprStmt:
		if s.Silent || stopping(s.X) {
			g.effect(g.noted(s))
		} else {
			g.display(s)
		}
	case *apl.Guard:
		g.fail(diag.FaultyGuard, s.Span(), "a guard outside a dfn")
	case *apl.DefaultLeft:
		g.fail(diag.OutsideDfn, s.Span(), "⍺ outside a dfn")
	case *apl.Unread:
		g.fail(diag.MissingValue, s.Span(), "")
	case *apl.Display:
		g.fail(diag.OperatorForm, s.Span(), "a function or an operator is displayed")
	default:
		g.define(s)
	}
}

// define infers a definition of a function or an operator.
func (g *infer) define(s apl.Stmt) {
	switch s := s.(type) {
	case *apl.FuncDef:
		g.defining, _ = plainFunc(s.F).(*apl.Dfn)
		f := g.function(s.F)
		if c, ok := f.(*closure); ok && c.name == "" && isDfn(s.F) {
			c.name = s.Name.Ident
		}
		if g.scope.names[s.Name.Ident] != nil {
			g.again(s.Name.Ident)
		}
		g.scope.names[s.Name.Ident] = &binding{fn: f}
		g.annotated(f, s.F, s.Name.Ident, s.Note)
	case *apl.OperatorDef:
		g.definingOp, _ = s.Op.(*apl.Dop)
		op := g.operator(s.Op)
		if d, ok := op.(*userOperator); ok && d.name == "" {
			d.name = s.Name.Ident
		}
		if g.scope.names[s.Name.Ident] != nil {
			g.again(s.Name.Ident)
		}
		g.scope.names[s.Name.Ident] = &binding{op: op}
		if d, ok := op.(*userOperator); ok && d.sig == nil {
			g.annotatedOperator(d, s.Name.Ident, s.Note)
		}
	default:
		panic("internal error: unknown statement")
	}
}

// print returns the expression that displays e.
func (g *infer) print(e tail.Expr, at diag.Span) tail.Expr {
	if g.options.Displayed != nil {
		g.options.Displayed(e.Type())
	}
	s := site{fn: at, right: at}
	if mentionsEither(e.Type()) && (g.options.Displayed != nil || g.options.Announced != nil) {
		g.refuseEither(s)
	}
	switch {
	case g.options.Announced != nil && storedByItem(e.Type()):
		return g.printArrays(e, at)
	case isEither(e):
		e = g.name(e)
		g.effect(g.print(g.components(e)[0], at))
		return e
	case isTuple(e):
		return g.printNested(e, at)
	}
	return g.op(tail.OpPrint, s, e)
}

// effect binds e for its effects and faults, unless it has none.
func (g *infer) effect(e tail.Expr) {
	if !atomic(e) {
		g.bind("_", e)
	}
}

// poison marks the names that a failed statement would have defined, so that
// their uses are not reported too.
func (g *infer) poison(s apl.Stmt) {
	bad := &binding{poisoned: true}
	switch s := s.(type) {
	case *apl.FuncDef:
		g.scope.names[s.Name.Ident] = bad
	case *apl.OperatorDef:
		g.scope.names[s.Name.Ident] = bad
	case *apl.ExprStmt:
		g.poisonTargets(s.X, bad)
	case *apl.Unread:
		for _, name := range s.Names {
			g.scope.names[name] = bad
		}
	}
}

func (g *infer) poisonTargets(x apl.Expr, bad *binding) {
	switch x := x.(type) {
	case *apl.Assign:
		g.poisonTarget(x.Target, bad)
		g.poisonTargets(x.Y, bad)
	case *apl.Paren:
		g.poisonTargets(x.X, bad)
	case *apl.Monadic:
		g.poisonTargets(x.Y, bad)
	case *apl.Dyadic:
		g.poisonTargets(x.X, bad)
		g.poisonTargets(x.Y, bad)
	}
}

func (g *infer) poisonTarget(t apl.Target, bad *binding) {
	switch t := t.(type) {
	case *apl.NameTarget:
		g.scope.names[t.Ident] = bad
	case *apl.StrandTarget:
		for _, item := range t.Items {
			g.poisonTarget(item, bad)
		}
	}
}

// lit returns a constant at a span.
func lit(at diag.Span, a *array.Array) *tail.Lit { return tail.NewLit(at, a) }
