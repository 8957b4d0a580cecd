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
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/interp/prim"
	"github.com/tailor-lang/tailor/interp/value"
)

// Statements that run for long are compiled while they are interpreted, with those around
// them that need nothing but arrays: a run begins behind the last statement of the program,
// or of the body of a function with a header, that has no compiled form. When the compiled
// form is there before the statement is done, it runs in its place from the beginning of the
// run: what is compiled has no effects, and gets the values that the variables had there.
// Control structures that follow are compiled as a whole. In a body what was compiled is
// kept, for the next turn or call.

// longTime is the time from which on a statement of a program is worth to be compiled, and longBody
// that of a body: what was worth it there was mostly seen before the program ran, and compiling
// takes about half as long.
const (
	longTime = 20 * time.Millisecond
	longBody = 2 * time.Second
)

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
	frame   *Frame      // of the program, or of a call of a function with a header
	rest    []apl.Stmt  // of the program or the body, from the first one on
	body    []part      // of these, as many as are compiled together
	undo    [][]binding // of each that has run, the values of what it assigned before
	state   prim.Context
	due     synchronised.Bool
	tried   bool
	active  int  // Interp.active where it began
	scalars bool // those that it reads are arguments, too, and no constants
	f       Compiled
	args    []*V
	// params are the names of the arguments, of types, and captured what functions refer to.
	params   []string
	types    []ArgType
	captured []capturedName
	modified []string // those of which the statements assign parts, outside of loops
	// assigned are the names that get the results of f, and shown the statements that
	// display others, in order; both leave out what nothing needs.
	assigned []string
	shown    []int
}

// place is what is known of a statement that runs.
type place struct {
	plain    bool
	assigned []string // its names
	modified []string // those of which it assigns a part
	runs     int
	spent    time.Duration
	tries    int        // to compile a stretch that begins there
	kept     []*stretch // compiled ones that begin there
}

// coldRuns is the number of runs after which a statement of a body that takes less than coldTime
// is interpreted as it is, and maxCopied that of the elements of an array that is kept where a
// part of it is assigned, so that it is copied.
const (
	coldRuns  = 64
	coldTime  = 20 * time.Microsecond
	maxCopied = 1 << 10
)

// placeOf returns what is known of a statement.
func (in *Interp) placeOf(s apl.Stmt) *place {
	p := in.places[s]
	if p == nil {
		p = &place{plain: in.plainStatement(s)}
		if p.plain {
			p.assigned = assignedNames(s)
			for _, n := range apl.FreeNames(s).Free {
				if n.Modified {
					p.modified = append(p.modified, n.Ident)
				}
			}
		}
		in.places[s] = p
	}
	return p
}

// at returns the stretch that goes on with a plain statement: that of the statements before,
// or one that begins here.
func (in *Interp) at(f *Frame, body []apl.Stmt) *stretch {
	st := in.earlier
	if st != nil && (st.frame != f || st.state.Origin != in.state.Origin || !in.usual()) { // a function changed them
		st = nil
	}
	if st == nil || len(st.undo) == maxStretch || len(st.undo) == len(st.rest) || &st.rest[len(st.undo)] != &body[0] {
		st = &stretch{frame: f, rest: body}
	}
	st.state, st.active = in.state, in.active
	if st.f == nil || len(st.undo) >= len(st.body) { // else what is being compiled goes on with this one
		st.body, st.f, st.tried = nil, nil, false
	}
	in.earlier = st
	return st
}

// statement runs the first statement of the rest of a program, or of the body of a function
// with a header, or more of them by a compiled form. It returns their number.
func (in *Interp) statement(f *Frame, body []apl.Stmt) (n int, err error) {
	s := body[0]
	if in.compiler == nil || f != in.global && f.trad == nil || in.watching {
		return 1, in.topLevel(f, s)
	}
	if l, ok := s.(*apl.Loose); ok {
		if s, err = in.reading(f, l); err != nil {
			return 1, err
		}
	}
	p := in.placeOf(s)
	if !p.plain || f.trad != nil && p.runs >= coldRuns && p.spent/time.Duration(p.runs) < coldTime {
		in.earlier = nil
		return 1, in.topLevel(f, s)
	}
	if n, ok, err := in.keptStretch(f, p); ok {
		return n, err
	}
	p.runs++
	start := time.Now()
	defer func() { p.spent += time.Since(start) }()
	if f.trad != nil && copies(f, p.modified) {
		in.earlier = nil
		return 1, in.topLevel(f, s)
	}
	st, before := in.at(f, body), f.before(p.assigned)
	defer func() { in.ran(st, n, before, err) }() // st may become another one
	if _, ok := s.(*apl.ExprStmt); !ok {
		return 1, in.topLevel(f, s)
	}
	ahead, ok := in.ahead(s)
	if ok {
		st = in.foreseenStretch(f, body, ahead)
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
		return 1, in.topLevel(f, s)
	}
	long := longTime
	if f.trad != nil {
		long = longBody
	}
	timer := time.AfterFunc(long-p.spent, func() { st.due.Store(true) })
	outer, interpreted := in.stretch, in.interpreted
	in.stretch, in.interpreted = st, before
	err = in.topLevel(f, s)
	timer.Stop()
	in.stretch, in.interpreted = outer, interpreted
	if err != errAbandoned {
		return 1, err
	}
	in.depth, in.current, in.state = 0, nil, st.state
	if f.trad != nil {
		in.depth, in.current = f.trad.depth, f
	}
	f.exchange(before)
	if n, ok, err := in.finishStretch(st); ok {
		return n, err
	}
	return 1, in.topLevel(f, s)
}

// copies reports whether one of some names is a large array: where a part is assigned, it
// would be copied if it were kept.
func copies(f *Frame, names []string) bool {
	return slices.ContainsFunc(names, func(name string) bool {
		a, ok := f.scope(name).held(name).(*V)
		return ok && a.Len() > maxCopied
	})
}

// ahead returns the statements that were compiled before the program runs and begin with one.
func (in *Interp) ahead(s apl.Stmt) (Stretch, bool) {
	if in.program == nil || s.Span().Src != in.program.Source {
		return Stretch{}, false
	}
	return in.compiler.Ahead(s.Span().Start)
}

// keptStretch runs a compiled stretch that begins at a place, if there is one for what the
// names mean now. It returns the number of its statements.
func (in *Interp) keptStretch(f *Frame, p *place) (n int, ok bool, err error) {
	for i, st := range p.kept {
		if st.f.Level() < 2 || copies(f, st.modified) || !in.fitsStretch(st, f) {
			continue
		}
		st.frame, st.state = f, in.state
		if n, ok, err = in.finishStretch(st); !ok {
			p.kept = slices.Delete(p.kept, i, i+1)
		}
		return n, ok, err
	}
	return 0, false, nil
}

// fitsStretch reports whether a compiled stretch is for what the names of a frame mean, and
// gives it the arguments.
func (in *Interp) fitsStretch(st *stretch, f *Frame) bool {
	if st.state.Origin != in.state.Origin || !in.usual() || !sameNames(st.captured, f) {
		return false
	}
	args, ok := f.arrays(st.params)
	if !ok {
		return false
	}
	args = append(args, value.Integers(nil))
	for i, t := range st.types {
		if !t.has(args[i]) {
			return false
		}
	}
	st.args = args
	return true
}

// foreseenStretch returns the statements that were compiled before the program runs.
func (in *Interp) foreseenStretch(f *Frame, body []apl.Stmt, s Stretch) *stretch {
	st := &stretch{frame: f, rest: body, state: in.state, active: in.active, scalars: s.Scalars}
	all := in.parts(f, body)
	for n, x := range all {
		if x.span.End == s.To {
			st.body = all[:n+1]
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

// before returns what names have as values.
func (f *Frame) before(names []string) (all []binding) {
	for _, name := range names {
		all = append(all, binding{name, f.scope(name).own(name)})
	}
	return all
}

// exchange gives names the values of bindings, which get those that they have.
func (f *Frame) exchange(names []binding) {
	for i, b := range names {
		scope := f.scope(b.name)
		old := scope.own(b.name)
		if old == b.value {
			continue
		}
		scope.set(b.name, b.value)
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
		if in.state.Origin != st.state.Origin || !in.usual() || in.active != st.active { // inside a function that changes them, or hides names
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
		first := in.placeOf(st.body[0].stmt)
		if st.frame.trad != nil {
			if first.tries++; first.tries > maxVersions {
				break
			}
			st.scalars = st.scalars || first.tries > 1
		}
		u, places, err := in.stretchBefore(st, before)
		if err == nil {
			if st.f, err = in.compiler.Compile(u); err == nil {
				in.keep(st, first)
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

// keep keeps a compiled stretch of a body for the next time that it runs.
func (in *Interp) keep(st *stretch, first *place) {
	if st.frame.trad != nil {
		first.kept = append(first.kept, &stretch{body: st.body, state: st.state, f: st.f, params: st.params, types: st.types,
			captured: st.captured, modified: in.modifiedBy(st.body), assigned: st.assigned, shown: st.shown})
	}
}

// modifiedBy returns the names of which the statements of a stretch assign parts.
func (in *Interp) modifiedBy(body []part) (names []string) {
	for _, s := range body {
		if !s.structured() {
			names = append(names, in.placeOf(s.stmt).modified...)
		}
	}
	return names
}

// beginStretch makes a stretch begin later.
func (in *Interp) beginStretch(st *stretch, i int) {
	st.rest, st.undo = st.rest[i:], st.undo[i:]
	st.body = in.parts(st.frame, st.rest)
}

// stretchBefore makes the unit of a stretch with the values that the names had before it.
func (in *Interp) stretchBefore(st *stretch, before []binding) (*Unit, stretchPlaces, error) {
	undo := append(slices.Clip(st.undo), before)
	for _, names := range slices.Backward(undo) {
		st.frame.exchange(names)
	}
	defer func() {
		for _, names := range undo {
			st.frame.exchange(names)
		}
	}()
	return in.stretchUnit(st, in.complete)
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

// wordsOutside returns the names that a program mentions outside of some statements in a row: in
// another statement, or in a function that is defined between them. A header does not mention
// the names that it makes local. ok is false where it may mention any.
func wordsOutside(p *apl.Program, f *Frame, body []part) (names map[string]bool, ok bool) {
	text := p.Source.Text
	if body[0].span.Src != p.Source {
		return nil, false
	}
	names = map[string]bool{}
	parts := []string{text[:body[0].span.Start], text[body[len(body)-1].span.End:]}
	if f.trad != nil && f.trad.fn.title() != "" {
		h := f.trad.fn.node.Header
		parts = []string{text[:h.Where.Start], text[h.Where.End:body[0].span.Start], parts[1]}
		for _, n := range h.Result {
			names[n.Ident] = true
		}
	}
	for _, s := range body {
		if def, ok := s.stmt.(*apl.FuncDef); ok {
			parts = append(parts, source(def))
		}
	}
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
// are what the rest of it mentions, and of the body of a function also what its next turn
// may read; else they are all that the statements assign.
func (in *Interp) stretchUnit(st *stretch, whole *apl.Program) (u *Unit, p stretchPlaces, err error) {
	var text strings.Builder
	f := st.frame
	st.assigned, st.shown, st.args = nil, nil, nil
	p.assign = map[string]int{}
	functions, reads, structure := map[string]bool{}, map[string]bool{}, -1
	for i, s := range st.body {
		p.begins = append(p.begins, text.Len())
		if s.structured() {
			structure = i
		}
		for _, name := range s.read {
			_, before := p.assign[name]
			reads[name] = reads[name] || !before
		}
		if x, ok := s.stmt.(*apl.FuncDef); ok {
			functions[x.Name.Ident] = true
			fmt.Fprintf(&text, "%s\n", source(s.stmt))
			continue
		}
		for _, name := range s.assigned {
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
		if x := s.shown(); x != nil {
			st.shown = append(st.shown, i)
			name := fmt.Sprintf("%sd%d", hiddenName, len(st.shown))
			p.assign[name] = i
			fmt.Fprintf(&text, "%s←%s\n", name, source(x))
			continue
		}
		fmt.Fprintf(&text, "%s\n", s.span.Text())
	}
	all := slices.Clone(st.assigned)
	if whole != nil {
		if names, ok := wordsOutside(whole, f, st.body); ok {
			st.assigned = slices.DeleteFunc(st.assigned, func(name string) bool { return !names[name] && (f.trad == nil || !reads[name]) })
		}
	}
	p.results = slices.Clone(st.assigned)
	for i := range st.shown {
		p.results = append(p.results, fmt.Sprintf("%sd%d", hiddenName, i+1))
	}
	results := strings.Join(p.results, " ") + " ⍬"
	var params []string
	if structure >= 0 {
		params = f.arraysAmong(reads)
	} else if params, err = arraysOf(text.String()+results, f); err != nil {
		return nil, p, err
	}
	params = slices.DeleteFunc(params, func(name string) bool { // scalars that stay are constants
		a, _ := f.lookup(name)
		_, assigned := p.assign[name]
		return a.(*V).SimpleScalar() && !assigned && !st.scalars
	})
	span := diag.Span{Src: st.body[0].span.Src, Start: st.body[0].span.Start, End: st.body[len(st.body)-1].span.End}
	target, head := "", entryName+"←{"
	if structure >= 0 {
		head = ""
	}
	if len(params) > 0 {
		target = "(" + strings.Join(params, " ") + " " + hiddenName + "z)←⍵\n"
		if structure >= 0 {
			target = strings.Replace(target, "⍵", argumentName, 1)
		}
	}
	head += target
	for i := range p.begins {
		p.begins[i] += len(head)
	}
	var m *unitMaker
	if structure >= 0 {
		m, err = in.structuredUnit(span, head+text.String()+results, p.begins[structure], f, all)
	} else {
		m, err = in.entryUnit(span, head+text.String()+results+"}", f, all)
	}
	if err != nil {
		return nil, p, err
	}
	m.unit.Once, m.unit.Scalars = true, st.scalars
	if m.unit.Args, st.args, err = argTypes(f, params, nil); err != nil {
		return nil, p, err
	}
	st.params, st.types, st.captured = params, m.unit.Args, m.capturedFrom(f)
	return m.unit, p, nil
}

// arraysAmong returns those of some names that are arrays, in order.
func (f *Frame) arraysAmong(names map[string]bool) (arrays []string) {
	for name := range names {
		if a, _ := f.lookup(name); names[name] {
			if _, ok := a.(*V); ok {
				arrays = append(arrays, name)
			}
		}
	}
	slices.Sort(arrays)
	return arrays
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
	f, done := st.frame, len(st.undo)
	for i, name := range st.assigned {
		f.scope(name).set(name, results[i])
	}
	for _, s := range st.body[done:] {
		n += s.n
		if def, ok := s.stmt.(*apl.FuncDef); ok {
			if err := in.topLevel(f, def); err != nil {
				return n, true, err
			}
		}
	}
	for i, at := range st.shown {
		if at < done {
			continue
		}
		if err := in.print(results[len(st.assigned)+i], st.body[at].stmt.(*apl.ExprStmt).X); err != nil {
			return n, true, err
		}
	}
	in.shy = false
	return n, true, nil
}
