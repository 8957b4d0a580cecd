package apl

import (
	"strings"

	"github.com/tailor-lang/tailor/internal/diag"
)

// Parse returns the tree of a source. The error is a diag.List: a fault ends
// the statement that it is in, and the rest of the source is still read. The
// tree then has an Unread for the statement, so that faults of other kinds can
// be looked for in the rest; it is nil where braces do not match.
func Parse(src *diag.Source) (*Program, error) { return ParseWith(src, nil) }

// ParseWith is Parse where names of earlier sources are known, as in a REPL.
// A name may be assigned a new class.
func ParseWith(src *diag.Source, names map[string]Class) (*Program, error) {
	return ParseIn(src, Surroundings{Names: names})
}

// Surroundings are what a text that is read while a program runs may refer to.
type Surroundings struct {
	Names map[string]Class // also of names in namespaces: util.f
	// Dfn reports that the text stands in a dfn, so that ⍺ ⍵ ∇ mean something, and
	// Left, Right and Self are the classes of ⍺⍺ ⍵⍵ ∇∇ in an operator.
	Dfn               bool
	Left, Right, Self Class
	// Alone reports that a statement may be a function, though the text stands in a dfn.
	Alone bool
	// Branches reports that the text may have →, as that of ⍎ in a function has.
	Branches bool
	// Running reports that the text is read while a program runs: names in namespaces
	// are what they turn out to be.
	Running bool
}

func (a Surroundings) scope() *scope {
	sc := &scope{names: make(map[string]binding, len(a.Names)), dfn: a.Dfn, left: a.Left, right: a.Right, self: a.Self}
	for name, class := range a.Names {
		sc.names[name] = binding{class: class}
	}
	return sc
}

// ParseIn is Parse of a text in its surroundings. A name may be assigned a new
// class.
func ParseIn(src *diag.Source, around Surroundings) (*Program, error) {
	if e := unreadable(src); e != nil {
		return nil, diag.List{e}
	}
	toks, errs := scan(src)
	s := &scanner{src: src, text: src.Text, toks: toks, errs: errs}
	if !s.pair() {
		return nil, ordered(s.errs)
	}
	earlier := around.scope()
	own := *earlier
	own.parent, own.names, own.alone = earlier, map[string]binding{}, around.Alone
	p := &parser{src: src, toks: toks, errs: s.errs, scanned: append(diag.List(nil), s.errs...), scope: &own, branches: around.Branches, running: around.Running}
	for name := range around.Names {
		p.spaces = p.spaces || strings.Contains(name, ".")
	}
	prog := p.program()
	if p.loosen || p.unknown && p.definesNames() {
		prog = p.loosely(around)
		p.errs = prog.errs
	}
	if len(p.errs) > 0 {
		return prog, ordered(p.errs)
	}
	return prog, nil
}

// program reads all tokens.
func (p *parser) program() *Program {
	prog := &Program{At: At{diag.Span{Src: p.src, Start: 0, End: len(p.src.Text)}}, Source: p.src, names: map[string]Class{}}
	p.levels = nil
	prog.Body = p.body(0, len(p.toks))
	for name, b := range p.scope.names {
		prog.names[name] = b.class
	}
	if !p.loosen {
		p.nested(0)
	}
	prog.Levels = p.levels
	return prog
}

// Names returns the classes of the names that a program assigns at its top
// level: what ParseWith needs to know about it.
func (prog *Program) Names() map[string]Class { return prog.names }

func ordered(errs diag.List) diag.List {
	errs.Sort()
	return errs
}

// parser parses token ranges [lo,hi). Expressions are read from right to left,
// as they are executed; the bodies of dfns are read after the body that they
// stand in, so that they know every name of it.
type parser struct {
	src      *diag.Source
	toks     []token
	errs     diag.List
	faults   int // statements that could not be read, reported or not
	scope    *scope
	base     int       // how deep in the tree the current body is
	controls bool      // a control structure was reported
	running  bool      // see Surroundings
	branches bool      // → may stand outside functions with headers
	pending  []pending // dfns whose bodies are to be read
	scanned  diag.List // the errors of the scanner
	loose    *looseness
	loosen   bool       // the program has what is read loosely only
	spaces   bool       // names in namespaces have classes
	unknown  bool       // a name is not known
	refusals *diag.List // what is not compiled
	levels   []*Level
}

// pending is a dfn or dop whose body is not read yet.
type pending struct {
	dfn    *Dfn
	dop    *Dop
	lo, hi int // the tokens of its body
	scope  *scope
	base   int
}

// scope holds the names that one body assigns.
type scope struct {
	parent *scope
	names  map[string]binding
	dfn    bool
	alone  bool       // see Surroundings
	trad   *tradScope // of a function with a header
	space  string     // of a namespace: its path and a dot
	// left and right are the classes of ⍺⍺ and ⍵⍵, and self that of ∇∇, in the
	// body of an operator.
	left, right, self Class
}

// binding is what is known of a name. NoClass is a name whose definition is
// faulty, which was reported.
type binding struct {
	class  Class
	where  diag.Span
	hybrid string // / ⌿ \ or ⍀ where the name stands for one
}

func (sc *scope) lookup(name string) (binding, bool) {
	for ; sc != nil; sc = sc.parent {
		if b, ok := sc.names[name]; ok {
			return b, true
		}
	}
	return binding{}, false
}

// errReported stands for an error that is in the list already.
var errReported = &diag.Error{}

func (p *parser) report(e *diag.Error) {
	if e != nil && e != errReported && len(p.errs) < maxErrors {
		p.errs = append(p.errs, e)
	}
}

// span returns the span of the tokens [lo,hi).
func (p *parser) span(lo, hi int) diag.Span {
	return diag.Span{Src: p.src, Start: int(p.toks[lo].start), End: int(p.toks[hi-1].end)}
}

func (p *parser) text(i int) string { return p.src.Text[p.toks[i].start:p.toks[i].end] }

func (p *parser) char(i int) byte { return p.src.Text[p.toks[i].start] }

// is reports whether token i is a bracket of the given character.
func (p *parser) is(i int, k tokenKind, char byte) bool {
	return p.toks[i].kind == k && p.char(i) == char
}

// fix adds what to write instead.
func fix(e *diag.Error, text string) *diag.Error {
	e.Fix = text
	return e
}

// body reads the statements of the tokens [lo,hi). The bodies of the dfns in
// them are left pending.
func (p *parser) body(lo, hi int) []Stmt {
	var stmts []Stmt
	for lo < hi && len(p.errs) < maxErrors && !p.loosen {
		end := lo
		for end < hi && p.toks[end].kind != tSeparator {
			end = p.after(end)
		}
		if end > lo {
			var s Stmt
			if s, end = p.block(lo, end, hi); s != nil {
				stmts = append(stmts, s)
			}
		}
		lo = end + 1
	}
	return stmts
}

// after returns the index of the token after token i, or after its bracket.
func (p *parser) after(i int) int {
	if p.toks[i].kind == tOpen {
		return int(p.toks[i].match) + 1
	}
	return i + 1
}

// block reads the statement of the tokens [lo,end), or the definition that starts there
// and ends before hi. It returns the token behind it.
func (p *parser) block(lo, end, hi int) (Stmt, int) {
	if !p.scope.dfn && p.wordAt(lo, "Namespace") {
		return p.namespace(lo, hi)
	}
	if !p.scope.dfn && p.opens(lo) {
		return p.structure(lo, hi)
	}
	if p.scope.dfn || !p.isDel(lo) {
		return p.statement(lo, end), end
	}
	refusal := diag.Errorf(diag.OldForms, p.span(lo, lo+1), "traditional function definitions (∇) are not compiled")
	p.refuse(fix(refusal, "write a dfn: name←{…}, with ⍺ and ⍵ for the arguments"))
	if p.loose == nil {
		return nil, hi
	}
	return p.tradfn(lo, hi)
}

// nested reads the bodies of the dfns that are pending from mark on, and of
// those in them.
func (p *parser) nested(mark int) {
	list := append([]pending(nil), p.pending[mark:]...)
	p.pending = p.pending[:mark]
	for _, d := range list {
		if d.dfn != nil {
			p.dfnBody(d)
		} else {
			p.dopBody(d)
		}
	}
}

// enter makes sc the scope and base the depth; it returns the way back.
func (p *parser) enter(sc *scope, base int) func() {
	oldScope, oldBase := p.scope, p.base
	p.scope, p.base = sc, base
	return func() { p.scope, p.base = oldScope, oldBase }
}

func (p *parser) dfnBody(d pending) {
	defer p.enter(&scope{parent: d.scope, names: map[string]binding{}, dfn: true}, d.base)()
	mark := len(p.pending)
	var lo int
	d.dfn.Note, lo = p.leadingNote(d.lo, d.hi)
	d.dfn.Body = p.body(lo, d.hi)
	p.nested(mark)
	d.dfn.names = p.namesOf(d.dfn.Body)
}

// dopBody reads the body of an operator. Its operands are taken as functions
// if the body parses that way, otherwise as arrays where that helps.
func (p *parser) dopBody(d pending) {
	readings := [][2]Class{{FunctionClass, FunctionClass}, {ArrayClass, FunctionClass}, {FunctionClass, ArrayClass}, {ArrayClass, ArrayClass}}
	if !d.dop.DyadicOperator {
		readings = readings[:2]
	}
	var first diag.List
	for k, r := range readings {
		errs, ok := p.readDop(d, r[0], r[1])
		if ok {
			return
		}
		if k == 0 {
			first = errs
		}
	}
	p.faults++
	d.dop.Body, d.dop.names = []Stmt{&Unread{At: d.dop.At}}, &Names{}
	for _, e := range first {
		p.report(e)
	}
}

// readDop reads the body of an operator whose operands have the given classes
// and returns its errors, and whether it made sense, in which case it goes on
// with the dfns inside. Without sense the errors may be known already.
func (p *parser) readDop(d pending, left, right Class) (diag.List, bool) {
	sc := &scope{parent: d.scope, names: map[string]binding{}, dfn: true, left: left, self: MonadicOperator}
	if d.dop.DyadicOperator {
		sc.right, sc.self = right, DyadicOperator
	}
	defer p.enter(sc, d.base)()
	mark, errs, faults := len(p.pending), p.errs, p.faults
	p.errs, p.faults = nil, 0
	note, lo := p.leadingNote(d.lo, d.hi)
	body := p.body(lo, d.hi)
	p.errs, errs = errs, p.errs
	if p.faults, faults = faults, p.faults; faults > 0 {
		p.pending = p.pending[:mark]
		return errs, false
	}
	d.dop.Note, d.dop.Body = note, body
	d.dop.LeftIsArray, d.dop.RightIsArray = left == ArrayClass, right == ArrayClass
	d.dop.reread = func(left, right Class) (*Dop, error) { return p.again(d, left, right) }
	p.nested(mark)
	d.dop.names = p.namesOf(d.dop.Body)
	return nil, true
}

// again reads the body of an operator once more, after the parse.
func (p *parser) again(d pending, left, right Class) (*Dop, error) {
	q := *p
	q.errs, q.pending = nil, nil
	dop := *d.dop
	d.dop = &dop
	errs, ok := q.readDop(d, left, right)
	if errs = append(errs, q.errs...); !ok || len(errs) > 0 {
		return nil, ordered(errs)
	}
	return &dop, nil
}

// Reading returns d read with ⍺⍺ and ⍵⍵ as arrays or functions, for an
// application to operands of those classes: `{⍺⍺×⍵}` is a product if ⍺⍺ is an
// array, and ⍺⍺ applied to ×⍵ if it is a function. The error says why the body
// makes no sense that way. The other reading has its own nodes.
func (d *Dop) Reading(leftIsArray, rightIsArray bool) (*Dop, error) {
	if !d.DyadicOperator {
		rightIsArray = d.RightIsArray
	}
	if d.reread == nil || leftIsArray == d.LeftIsArray && rightIsArray == d.RightIsArray {
		return d, nil
	}
	return d.reread(operandClass(leftIsArray), operandClass(rightIsArray))
}

func operandClass(isArray bool) Class {
	if isArray {
		return ArrayClass
	}
	return FunctionClass
}

// leadingNote returns the annotation that a body starts with, or nil, and
// where the statements start.
func (p *parser) leadingNote(lo, hi int) (*Annotation, int) {
	for i := lo; i < hi; i++ {
		if p.toks[i].kind == tNote {
			return p.note(i), i + 1
		}
		if p.toks[i].kind != tSeparator {
			break
		}
	}
	return nil, lo
}

func (p *parser) note(i int) *Annotation {
	const mark = len("⍝:")
	return &Annotation{At{p.span(i, i+1)}, trimNote(p.text(i)[mark:])}
}
