package apl

import (
	"maps"
	"slices"
	"strings"

	"github.com/tailor-lang/tailor/internal/diag"
)

// A program with functions that have headers, with namespaces, or with definitions
// that it makes itself is read loosely: which class a name has where it is used may
// depend on the calls that led there. It is read twice, so that the second reading
// knows what the first one found in the whole text. A statement that takes a name to
// be of a class that is not certain is Loose: the run compares, and reads it again.

// classSet is a set of classes.
type classSet uint8

func (s classSet) has(c Class) bool { return s&(1<<c) != 0 }

// only returns the class of a set, or that which is assumed where there are several;
// sure reports that there is one.
func (s classSet) only() (class Class, sure bool) {
	n := 0
	for _, c := range []Class{DyadicOperator, MonadicOperator, ArrayClass, FunctionClass} {
		if s.has(c) {
			class = c
			n++
		}
	}
	return class, n == 1
}

// looseness is the state of a loose reading.
type looseness struct {
	seen, before map[string]classSet // the classes that names are given, here and in the reading before
	given        map[string]Class    // those that names have when a statement is read again
	assumed      map[string]Class    // what the current statement assumes
}

// tradScope is what a scope knows of the function with a header whose body it is of.
type tradScope struct {
	key      string // before its names in the table of classes
	locals   map[string]bool
	operands []string
}

// see notes that a name is given a class.
func (p *parser) see(name string, class Class) {
	if p.loose == nil {
		return
	}
	p.loose.seen[name] |= 1 << class
	if sc := p.scope; sc.trad != nil {
		p.loose.seen[sc.trad.key+name] |= 1 << class
	} else if sc.space != "" {
		p.loose.seen[sc.space+name] |= 1 << class
		p.loose.seen[anySpace+name] |= 1 << class
	}
}

// assume notes that a name is taken to be of a class.
func (p *parser) assume(name string, class Class) binding {
	if p.loose.assumed != nil {
		p.loose.assumed[name] = class
	}
	return binding{class: class}
}

// lookup returns what is known of a name in the current scope. In a loose reading
// every name has a class.
func (p *parser) lookup(name string) (binding, bool) {
	if p.loose == nil {
		return p.scope.lookup(name)
	}
	outer := "" // before the names of the scope that is looked into
	for sc := p.scope; sc != nil; sc = sc.parent {
		b, ok := sc.names[name]
		if sc.dfn {
			if ok {
				return b, true
			}
			continue
		}
		if class, ok := p.loose.given[name]; ok {
			return binding{class: class}, true
		}
		key := sc.space
		if sc.trad != nil {
			key = sc.trad.key
		}
		_, sure := (p.loose.before[key+name] | p.loose.before[name]).only()
		switch {
		case ok && (b.class == NoClass || sure && !sc.operand(name)):
			return b, true
		case ok:
			return p.assume(name, b.class), true
		case sc.trad != nil && sc.trad.locals[name]:
			if class, sure := p.loose.before[key+name].only(); sure {
				return binding{class: class}, true
			}
		}
		outer = key
	}
	if class, ok := p.loose.given[name]; ok {
		return binding{class: class}, true
	}
	class, sure := (p.loose.before[outer+name] | p.loose.before[name]).only()
	if sure {
		return binding{class: class}, true
	}
	if class == NoClass {
		class = ArrayClass
	}
	return p.assume(name, class), true
}

// operand reports whether a name is an operand of the operator whose body the scope is
// of.
func (sc *scope) operand(name string) bool {
	if sc.trad != nil {
		for _, o := range sc.trad.operands {
			if o == name {
				return true
			}
		}
	}
	return false
}

// defineLoosely gives a name a class: in the scope, or in that around a function whose
// header does not name it.
func (p *parser) defineLoosely(at diag.Span, name string, class Class) {
	p.see(name, class)
	sc := p.scope
	if sc.trad != nil && !sc.trad.locals[name] && sc.parent != nil {
		sc = sc.parent
		p.loose.seen[sc.space+name] |= 1 << class
		if sc.space != "" {
			p.loose.seen[anySpace+name] |= 1 << class
		}
	}
	sc.names[name] = binding{class: class, where: at}
}

// loosened returns a statement that was read from the tokens [lo,hi), as a Loose where
// it rests on assumptions.
func (p *parser) loosened(s Stmt, lo, hi int) Stmt {
	names := p.loose.assumed
	if len(names) > 0 { // what (a b)←x only assigns is an array, whatever it was
		read := FreeNames(s)
		maps.DeleteFunc(names, func(name string, class Class) bool {
			return class == ArrayClass && slices.Contains(read.Locals, name) && !slices.ContainsFunc(read.Free, func(f FreeName) bool { return f.Ident == name })
		})
	}
	if len(names) == 0 {
		return s
	}
	l := &Loose{At: At{s.Span()}, Stmt: s}
	for _, name := range sortedKeys(names) {
		l.assumed = append(l.assumed, Assumption{name, names[name]})
	}
	q, sc, base := *p, p.scope, p.base
	l.reread = func(classes map[string]Class) (Stmt, error) {
		r := q
		r.scope, r.base, r.errs, r.pending = sc, base, nil, nil
		r.loose = &looseness{seen: map[string]classSet{}, before: q.loose.before, given: classes}
		return r.rereadStatement(lo, hi, s)
	}
	return l
}

// otherwise reads a statement once more, which could not be read, with one of the names
// that it assumes to be arrays as a function or the other way round, or with all those
// as arrays that it assumes to be functions; nil if that does not help.
func (p *parser) otherwise(lo, hi, mark int) Stmt {
	assumed := p.loose.assumed
	var tries []map[string]Class
	arrays := map[string]Class{}
	for _, name := range sortedKeys(assumed) {
		switch assumed[name] {
		case ArrayClass:
			tries = append(tries, map[string]Class{name: FunctionClass})
		case FunctionClass:
			tries = append(tries, map[string]Class{name: ArrayClass})
			arrays[name] = ArrayClass
		}
	}
	if len(arrays) > 1 {
		tries = append(tries, arrays)
	}
	for _, given := range tries {
		p.pending = p.pending[:mark]
		p.loose.given, p.loose.assumed = given, map[string]Class{}
		s, _, err := p.annotated(lo, hi)
		p.loose.given = nil
		if err == nil {
			for name, class := range given {
				p.loose.assumed[name] = class
			}
			return p.loosened(s, lo, hi)
		}
	}
	p.loose.assumed = assumed
	return nil
}

// rereadStatement reads the tokens [lo,hi) once more. A control word keeps its place in
// its structure.
func (p *parser) rereadStatement(lo, hi int, old Stmt) (Stmt, error) {
	s := p.statement(lo, hi)
	p.nested(0)
	if len(p.errs) > 0 {
		return nil, ordered(p.errs)
	}
	if l, ok := s.(*Loose); ok {
		s = l.Stmt
	}
	if c, ok := s.(*Control); ok {
		was := old.(*Control)
		c.open, c.next, c.end = was.open, was.next, was.end
	}
	return s, nil
}

// loosely reads the program of tokens that were read strictly before.
func (p *parser) loosely(around Surroundings) *Program {
	var before map[string]classSet
	var prog *Program
	for pass := 0; ; pass++ {
		earlier := around.scope()
		own := *earlier
		own.parent, own.names = earlier, map[string]binding{}
		q := &parser{src: p.src, toks: p.toks, errs: append(diag.List(nil), p.scanned...), scope: &own, refusals: &diag.List{}, branches: around.Branches, running: around.Running}
		q.loose = &looseness{seen: map[string]classSet{}, before: before}
		for name, class := range around.Names {
			q.loose.seen[name] |= 1 << class
			if dot := strings.LastIndexByte(name, '.'); dot >= 0 {
				q.loose.seen[anySpace+name[dot+1:]] |= 1 << class
			}
		}
		prog = q.program()
		q.refuseDefiners()
		prog.errs, prog.dynamic = q.errs, *q.refusals
		if pass > 0 && sameClasses(before, q.loose.seen) || pass == maxPasses {
			return prog
		}
		before = q.loose.seen
	}
}

// maxPasses is the number of times that a program is read for the classes of its names.
const maxPasses = 4

func sameClasses(a, b map[string]classSet) bool {
	if len(a) != len(b) {
		return false
	}
	for name, s := range a {
		if b[name] != s {
			return false
		}
	}
	return true
}

// definers are the tokens that may give names values which the text does not show.
var definers = map[string]bool{"⍎": true, "⎕FX": true, "⎕NS": true, "⎕FIX": true, "⎕CY": true, "⎕EX": true, "⎕SHADOW": true, "⎕JSON": true, "⎕EA": true, "⎕EC": true, "⎕VSET": true, "⎕CS": true, "⎕TRAP": true, "⎕PATH": true, "⎕OR": true}

// definesNames reports whether the text may define names that no assignment shows.
func (p *parser) definesNames() bool {
	for i, t := range p.toks {
		if t.kind == tSystem && definers[quadName(p.text(i))] || t.kind == tGlyph && p.text(i) == "⍎" {
			return true
		}
	}
	return false
}

// Dynamic returns the reasons for which a program is not compiled, each where it is.
func (prog *Program) Dynamic() diag.List { return prog.dynamic }

// refuse notes a reason for which the program is not compiled; the first reading is
// given up for a loose one.
func (p *parser) refuse(e *diag.Error) {
	if p.loose == nil {
		p.loosen = true
	}
	if p.refusals != nil && len(*p.refusals) < maxErrors {
		*p.refusals = append(*p.refusals, e)
	}
}

// refuseDefiners notes that the names which a text defines are not known, where nothing
// else was noted.
func (p *parser) refuseDefiners() {
	for i, t := range p.toks {
		if len(*p.refusals) == 0 && (t.kind == tSystem && definers[quadName(p.text(i))] || t.kind == tGlyph && p.text(i) == "⍎") {
			p.refuse(diag.Errorf(diag.NotCompiled, p.span(i, i+1), "the names that %s may define are not known when compiling", quadName(p.text(i))))
		}
	}
}
