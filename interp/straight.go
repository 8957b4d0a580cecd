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

// Statements of the program that run for long are compiled, with those that follow them
// and need nothing but arrays, while they are interpreted. When the compiled form is
// there before they are done, it runs in their place from the beginning: what is
// compiled has no effects, and the variables get back the values that they had.

// longTime is the time from which on a statement is worth to be compiled.
const longTime = 20 * time.Millisecond

// maxStretch is the number of statements that are compiled together.
const maxStretch = 64

// errAbandoned ends the interpretation of a statement that has a compiled form.
var errAbandoned = errors.New("the statement is compiled")

// stretch is statements in a row of which the first one is being interpreted.
type stretch struct {
	body     []apl.Stmt
	before   []binding // the values of what the first one assigns
	state    prim.Context
	due      synchronised.Bool
	tried    bool
	f        Compiled
	args     []*V
	assigned []string
	shown    []*apl.ExprStmt // of which the values are displayed, in order
}

// statement runs the first statement of a program's rest, or more of them by a compiled
// form. It returns their number.
func (in *Interp) statement(f *Frame, body []apl.Stmt) (n int, err error) {
	s, ok := body[0].(*apl.ExprStmt)
	if in.compiler == nil || !ok || f != in.global || in.watching {
		return 1, in.topLevel(f, body[0])
	}
	st := &stretch{body: body, state: in.state, before: in.assignedBy(s)}
	if in.env.Eager {
		in.compileStretch(st)
		if n, ok, err := in.finishStretch(st); ok {
			return n, err
		}
		return 1, in.topLevel(in.global, s)
	}
	timer := time.AfterFunc(longTime, func() { st.due.Store(true) })
	defer timer.Stop()
	in.stretch = st
	err = in.topLevel(in.global, s)
	in.stretch = nil
	if err != errAbandoned {
		return 1, err
	}
	in.depth, in.current, in.state = 0, nil, st.state
	in.exchange(st.before)
	if n, ok, err := in.finishStretch(st); ok {
		return n, err
	}
	return 1, in.topLevel(in.global, s)
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
		in.exchange(st.before)
		in.compileStretch(st)
		in.exchange(st.before)
	}
	if st.f == nil {
		in.stretch = nil
		return false
	}
	return st.f.Level() >= 2
}

// compileStretch compiles as many statements as go together, of which the first one has
// to be one.
func (in *Interp) compileStretch(st *stretch) {
	st.tried = true
	if !in.usual() {
		return
	}
	for n := in.plainStatements(st.body); n > 0; n /= 2 {
		u, err := in.stretchUnit(st, n)
		if err != nil {
			continue
		}
		if st.f = in.compiler.Compile(u); st.f != nil {
			st.body = st.body[:n]
			return
		}
	}
}

// plainStatements returns the number of statements at the beginning that are expressions
// whose values are assigned or displayed in any case.
func (in *Interp) plainStatements(body []apl.Stmt) int {
	for n, s := range body {
		x, ok := s.(*apl.ExprStmt)
		if !ok || x.Note != nil || n == maxStretch || !plainTargets(x) || !x.Silent && shyExpr(x.X) {
			return n
		}
	}
	return len(body)
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

// stretchUnit makes the unit of the first n statements.
func (in *Interp) stretchUnit(st *stretch, n int) (*Unit, error) {
	var text strings.Builder
	st.assigned, st.shown, st.args = nil, nil, nil
	for _, s := range st.body[:n] {
		s := s.(*apl.ExprStmt)
		if x := shownBy(s); x != nil {
			st.shown = append(st.shown, s)
			fmt.Fprintf(&text, "%sd%d←%s\n", hiddenName, len(st.shown), source(x))
			continue
		}
		fmt.Fprintf(&text, "%s\n", source(s))
	}
	for _, s := range st.body[:n] {
		for _, name := range assignedNames(s) {
			if strings.Contains(name, ".") {
				return nil, errNoUnit
			}
			if name != "⎕" && !slices.Contains(st.assigned, name) {
				st.assigned = append(st.assigned, name)
			}
		}
	}
	results := strings.Join(st.assigned, " ")
	for i := range st.shown {
		results += fmt.Sprintf(" %sd%d", hiddenName, i+1)
	}
	f := in.global
	params, err := arraysOf("{"+text.String()+results+" ⍬}", f)
	if err != nil {
		return nil, err
	}
	params = slices.DeleteFunc(params, func(name string) bool { // scalars that stay are constants
		a, _ := f.lookup(name)
		return a.(*V).Rank() == 0 && !slices.Contains(st.assigned, name)
	})
	target := ""
	if len(params) > 0 {
		target = "(" + strings.Join(params, " ") + " " + hiddenName + "z)←⍵\n"
	}
	span := st.body[0].Span()
	span.End = st.body[n-1].Span().End
	m, err := in.entryUnit(span, entryName+"←{"+target+text.String()+results+" ⍬}", f, st.assigned)
	if err != nil {
		return nil, err
	}
	m.unit.Once = true
	if m.unit.Args, st.args, err = argTypes(f, params, nil); err != nil {
		return nil, err
	}
	return m.unit, nil
}

// finishStretch runs the compiled form of statements, assigns and displays their values.
// ok is false where it has no answer.
func (in *Interp) finishStretch(st *stretch) (n int, ok bool, err error) {
	if st.f == nil {
		return 0, false, nil
	}
	results, ok := st.f.CallAll(st.args)
	if !ok {
		return 0, false, nil
	}
	for i, name := range st.assigned {
		in.global.set(name, results[i])
	}
	for i, s := range st.shown {
		if err := in.print(results[len(st.assigned)+i], s.X); err != nil {
			return len(st.body), true, err
		}
	}
	in.shy = false
	return len(st.body), true, nil
}
