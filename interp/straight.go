package interp

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	synchronised "sync/atomic"
	"time"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/interp/prim"
)

// Statements of the program that run for long are compiled while they are interpreted, with
// those around them that need nothing but arrays: a run begins behind the last statement
// that has no compiled form. When the compiled form is there before the statement is done, it
// runs in its place from the beginning of the run: what is compiled has no effects, and gets
// the values that the variables had there.

// longTime is the time from which on a statement is worth to be compiled.
const longTime = 20 * time.Millisecond

// maxStretch is the number of statements that are compiled together, and maxKept that of the
// elements of a variable whose value is kept when it is assigned another one.
const (
	maxStretch = 64
	maxKept    = 1 << 20
	maxTries   = 8 // of where a stretch begins and ends
)

// errAbandoned ends the interpretation of a statement that has a compiled form.
var errAbandoned = errors.New("the statement is compiled")

// stretch is statements in a row that may be compiled together.
type stretch struct {
	rest    []apl.Stmt  // of the program, from the first one on
	body    []apl.Stmt  // of these, as many as are compiled together
	undo    [][]binding // of each that has run, the values of what it assigned before
	state   prim.Context
	due     synchronised.Bool
	tried   bool
	scalars bool // those that it reads are arguments, too, and no constants
	f       Compiled
	args    []*V
	// assigned are the names that get the results of f, and shown the statements that
	// display others, in order; both leave out what nothing needs.
	assigned []string
	shown    []int
}

// at returns the stretch that goes on with a statement: that of the statements before, or one
// that begins here. It is nil where the statement has no compiled form.
func (in *Interp) at(body []apl.Stmt) *stretch {
	st := in.earlier
	if in.earlier = nil; !in.plainStatement(body[0]) {
		return nil
	}
	if st != nil && (st.state.Origin != in.state.Origin || !in.usual()) { // a function changed them
		st = nil
	}
	if st == nil || len(st.undo) == maxStretch || len(st.undo) == len(st.rest) || &st.rest[len(st.undo)] != &body[0] {
		st = &stretch{rest: body}
	}
	st.state, st.body, st.f, st.tried = in.state, nil, nil, false
	in.earlier = st
	return st
}

// statement runs the first statement of a program's rest, or more of them by a compiled
// form. It returns their number.
func (in *Interp) statement(f *Frame, body []apl.Stmt) (n int, err error) {
	if in.compiler == nil || f != in.global || in.watching {
		return 1, in.topLevel(f, body[0])
	}
	st := in.at(body)
	if st == nil {
		return 1, in.topLevel(f, body[0])
	}
	before := in.assignedBy(body[0])
	defer func() { in.ran(st, n, before, err) }() // st may become another one
	if _, ok := body[0].(*apl.ExprStmt); !ok {
		return 1, in.topLevel(f, body[0])
	}
	ahead, ok := in.compiler.Ahead(body[0].Span().Start)
	if ok {
		st = in.foreseenStretch(body, ahead)
	}
	if in.env.Eager || ok {
		in.compileStretch(st, before)
		if in.env.Eager || st.f != nil && st.f.Level() >= 2 {
			if n, ok, err := in.finishStretch(st); ok {
				return n, err
			}
		}
		st.f = nil
	}
	if in.env.Eager {
		return 1, in.topLevel(f, body[0])
	}
	timer := time.AfterFunc(longTime, func() { st.due.Store(true) })
	defer timer.Stop()
	in.stretch, in.interpreted = st, before
	err = in.topLevel(f, body[0])
	in.stretch = nil
	if err != errAbandoned {
		return 1, err
	}
	in.depth, in.current, in.state = 0, nil, st.state
	in.exchange(before)
	if n, ok, err := in.finishStretch(st); ok {
		return n, err
	}
	return 1, in.topLevel(f, body[0])
}

// foreseenStretch returns the statements that were compiled before the program runs.
func (in *Interp) foreseenStretch(body []apl.Stmt, s Stretch) *stretch {
	st := &stretch{rest: body, state: in.state, scalars: s.Scalars}
	for n, x := range body {
		if x.Span().End == s.To {
			st.body = body[:n+1]
		}
	}
	in.earlier = st
	return st
}

// ran notes that n statements of a stretch have run, of which the first one assigned names
// that had other values before.
func (in *Interp) ran(st *stretch, n int, before []binding, err error) {
	st.due.Store(false)
	if err != nil || n > 1 || slices.ContainsFunc(before, func(b binding) bool { return large(b.value) }) {
		in.earlier = nil
		return
	}
	st.undo = append(st.undo, before)
}

// large reports whether an array is not kept only because a statement may be run again.
func large(v any) bool {
	a, ok := v.(*V)
	return ok && a.Len() > maxKept
}

// assignedBy returns what a statement assigns with the values before.
func (in *Interp) assignedBy(s apl.Stmt) (before []binding) {
	for _, name := range assignedNames(s) {
		before = append(before, binding{name, in.global.own(name)})
	}
	return before
}

// exchange gives global names the values of bindings, which get those that they have.
func (in *Interp) exchange(names []binding) {
	for i, b := range names {
		old := in.global.own(b.name)
		if old == b.value {
			continue
		}
		in.global.set(b.name, b.value)
		names[i].value = old
	}
}

// assignedNames returns the names that a statement gives a value, or another one.
func assignedNames(s apl.Stmt) []string {
	names := apl.FreeNames(s)
	all := slices.Clone(names.Locals)
	for _, n := range names.Free {
		if n.Modified && !slices.Contains(all, n.Ident) {
			all = append(all, n.Ident)
		}
	}
	return all
}

// abandons reports whether the statement that runs has a compiled form by now. From the
// time on when it has taken long, one is made.
func (in *Interp) abandons() bool {
	st := in.stretch
	if st == nil || !st.due.Load() {
		return false
	}
	if !st.tried {
		if in.state.Origin != st.state.Origin || !in.usual() { // inside a function that changes them
			return false
		}
		in.compileStretch(st, in.interpreted)
	}
	if st.f == nil {
		in.stretch = nil
		return false
	}
	return st.f.Level() >= 2
}

// compileStretch compiles the statements around the one that is to run now, which assigns
// names that had other values before. Where one of them has no compiled form, those on the
// side of it where that statement is are tried.
func (in *Interp) compileStretch(st *stretch, before []binding) {
	st.tried = true
	if st.body == nil {
		in.beginStretch(st, 0)
	}
	for try := 0; try < maxTries && in.usual(); try++ {
		u, places, err := in.stretchBefore(st, before)
		if err == nil {
			if st.f, err = in.compiler.Compile(u); err == nil {
				return
			}
		}
		now := len(st.undo)
		switch i := places.of(err); {
		case i < 0 && now > 0:
			in.beginStretch(st, now)
		case i < 0 && len(st.body) > 1:
			st.body = st.body[:len(st.body)/2]
		case i < 0 || i == now:
			in.earlier = nil
			return
		case i < now:
			in.beginStretch(st, i+1)
		default:
			st.body = st.body[:i]
		}
	}
}

// beginStretch makes a stretch begin later.
func (in *Interp) beginStretch(st *stretch, i int) {
	st.rest, st.undo = st.rest[i:], st.undo[i:]
	st.body = st.rest[:in.plainStatements(st.rest)]
}

// stretchBefore makes the unit of a stretch with the values that the names had before it.
func (in *Interp) stretchBefore(st *stretch, before []binding) (*Unit, stretchPlaces, error) {
	undo := append(slices.Clip(st.undo), before)
	for _, names := range slices.Backward(undo) {
		in.exchange(names)
	}
	defer func() {
		for _, names := range undo {
			in.exchange(names)
		}
	}()
	return in.stretchUnit(st, in.complete)
}

// plainStatements returns the number of statements at the beginning that are expressions
// whose values are assigned or displayed in any case, or define functions.
func (in *Interp) plainStatements(body []apl.Stmt) int {
	for n, s := range body {
		if n == maxStretch || !in.plainStatement(s) {
			return n
		}
	}
	return len(body)
}

func (in *Interp) plainStatement(s apl.Stmt) bool {
	switch s := s.(type) {
	case *apl.ExprStmt:
		return s.Note == nil && plainTargets(s) && (s.Silent || !shyExpr(s.X))
	case *apl.FuncDef:
		return s.Note == nil && !endsShy(s) && !strings.Contains(s.Name.Ident, ".")
	}
	return false
}

// systemTarget finds assignments of system variables, of parts of them and by functions.
var systemTarget = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`[⎕⍞]\w*(\[[^\]]*\])?[^⋄\n]?←`)
})

// shownBy returns the expression of which a statement displays the value, or nil.
func shownBy(s *apl.ExprStmt) apl.Expr {
	if !s.Silent {
		return s.X
	}
	if a, ok := s.X.(*apl.Assign); ok && a.F == nil {
		if t, ok := a.Target.(*apl.NameTarget); ok && t.Ident == "⎕" {
			return a.Y
		}
	}
	return nil
}

// plainTargets reports whether a statement assigns variables only, but that it may
// display its value by ⎕←.
func plainTargets(s *apl.ExprStmt) bool {
	text := source(s)
	if x := shownBy(s); x != nil && s.Silent {
		text = source(x)
	}
	return !systemTarget().MatchString(text) && !strings.Contains(text, hiddenName)
}

// stretchPlaces are the beginnings of statements in the text of a unit, and the names of its
// results.
type stretchPlaces struct {
	begins  []int
	results []string
	assign  map[string]int // the last statement that assigns a name
}

// of returns the number of the statement for which a unit cannot be compiled, -1 where that is
// not known.
func (p *stretchPlaces) of(err error) int {
	var unfit *Unfit
	if !errors.As(err, &unfit) {
		return -1
	}
	if i := unfit.Result; i >= 0 && i < len(p.results) {
		return p.assign[p.results[i]]
	}
	i, found := slices.BinarySearch(p.begins, unfit.At)
	if !found {
		i--
	}
	return i
}

// words finds the names in a text, and what is no name but may mention one.
var words = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`⍎|⎕?[\p{L}_∆⍙][\p{L}\p{N}_∆⍙]*`) })

// plainSystem are system names that mention no others.
const plainSystem = " ⎕A ⎕AI ⎕AV ⎕C ⎕CSV ⎕CT ⎕D ⎕DCT ⎕DIV ⎕DL ⎕DMX ⎕DR ⎕FMT ⎕FR ⎕IO ⎕JSON ⎕ML ⎕MAP ⎕NGET ⎕NPUT ⎕PP ⎕PW ⎕R ⎕RL ⎕S ⎕SIGNAL ⎕TS ⎕UCS ⎕VFI "

// wordsOutside returns the names that a program mentions outside of some expressions in a row: in
// another statement, or in a function that is defined between them. ok is false where it may
// mention any.
func wordsOutside(p *apl.Program, body []apl.Stmt) (names map[string]bool, ok bool) {
	text := p.Source.Text
	parts := []string{text[:body[0].Span().Start], text[body[len(body)-1].Span().End:]}
	for _, s := range body {
		if def, ok := s.(*apl.FuncDef); ok {
			parts = append(parts, source(def))
		}
	}
	names = map[string]bool{}
	for _, part := range parts {
		for _, word := range words().FindAllString(part, -1) {
			if word == "⍎" || strings.HasPrefix(word, "⎕") && !strings.Contains(plainSystem, " "+strings.ToUpper(word)+" ") {
				return nil, false
			}
			names[word] = true
		}
	}
	return names, true
}

// stretchUnit makes the unit of the statements of a stretch. Of a whole program the results
// are what the rest of it mentions; else they are all that the statements assign.
func (in *Interp) stretchUnit(st *stretch, whole *apl.Program) (u *Unit, p stretchPlaces, err error) {
	var text strings.Builder
	st.assigned, st.shown, st.args = nil, nil, nil
	p.assign = map[string]int{}
	functions := map[string]bool{}
	for i, s := range st.body {
		p.begins = append(p.begins, text.Len())
		if x, ok := s.(*apl.FuncDef); ok {
			functions[x.Name.Ident] = true
			fmt.Fprintf(&text, "%s\n", source(s))
			continue
		}
		s := s.(*apl.ExprStmt)
		for _, name := range assignedNames(s) {
			if strings.Contains(name, ".") || functions[name] {
				return nil, p, &Unfit{At: p.begins[i], Result: -1}
			}
			if name == "⎕" {
				continue
			}
			if p.assign[name] = i; !slices.Contains(st.assigned, name) {
				st.assigned = append(st.assigned, name)
			}
		}
		if x := shownBy(s); x != nil {
			st.shown = append(st.shown, i)
			name := fmt.Sprintf("%sd%d", hiddenName, len(st.shown))
			p.assign[name] = i
			fmt.Fprintf(&text, "%s←%s\n", name, source(x))
			continue
		}
		fmt.Fprintf(&text, "%s\n", source(s))
	}
	all := slices.Clone(st.assigned)
	if whole != nil {
		if names, ok := wordsOutside(whole, st.body); ok {
			st.assigned = slices.DeleteFunc(st.assigned, func(name string) bool { return !names[name] })
		}
	}
	p.results = slices.Clone(st.assigned)
	for i := range st.shown {
		p.results = append(p.results, fmt.Sprintf("%sd%d", hiddenName, i+1))
	}
	results := strings.Join(p.results, " ")
	f := in.global
	params, err := arraysOf(text.String()+results+" ⍬", f)
	if err != nil {
		return nil, p, err
	}
	params = slices.DeleteFunc(params, func(name string) bool { // scalars that stay are constants
		a, _ := f.lookup(name)
		_, assigned := p.assign[name]
		return a.(*V).SimpleScalar() && !assigned && !st.scalars
	})
	target := ""
	if len(params) > 0 {
		target = "(" + strings.Join(params, " ") + " " + hiddenName + "z)←⍵\n"
	}
	span := st.body[0].Span()
	span.End = st.body[len(st.body)-1].Span().End
	head := entryName + "←{" + target
	for i := range p.begins {
		p.begins[i] += len(head)
	}
	m, err := in.entryUnit(span, head+text.String()+results+" ⍬}", f, all)
	if err != nil {
		return nil, p, err
	}
	m.unit.Once, m.unit.Scalars = true, st.scalars
	if m.unit.Args, st.args, err = argTypes(f, params, nil); err != nil {
		return nil, p, err
	}
	return m.unit, p, nil
}

// finishStretch runs the compiled form of statements, assigns and displays their values, but
// for what was displayed. It returns the number of those that had not run. ok is false where
// it has no answer.
func (in *Interp) finishStretch(st *stretch) (n int, ok bool, err error) {
	if st.f == nil {
		return 0, false, nil
	}
	results, ok := st.f.CallAll(st.args)
	if !ok {
		in.earlier = nil // those behind are tried without this one
		return 0, false, nil
	}
	done := len(st.undo)
	n = len(st.body) - done
	for i, name := range st.assigned {
		in.global.set(name, results[i])
	}
	for _, s := range st.body[done:] {
		if def, ok := s.(*apl.FuncDef); ok {
			if err := in.topLevel(in.global, def); err != nil {
				return n, true, err
			}
		}
	}
	for i, place := range st.shown {
		if place < done {
			continue
		}
		if err := in.print(results[len(st.assigned)+i], st.body[place].(*apl.ExprStmt).X); err != nil {
			return n, true, err
		}
	}
	in.shy = false
	return n, true, nil
}
