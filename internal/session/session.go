package session

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/check"
	"github.com/tailor-lang/tailor/infer"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/internal/driver"
	"github.com/tailor-lang/tailor/internal/pictures"
	"github.com/tailor-lang/tailor/interp"
	"github.com/tailor-lang/tailor/interp/value"
	"github.com/tailor-lang/tailor/opencl"
	"github.com/tailor-lang/tailor/tail"
	"github.com/tailor-lang/tailor/tail/eval"
)

// Session is the state between lines.
type Session struct {
	Out   io.Writer
	Color bool // types are dimmed
	Width int  // cells of a line; 0 when unknown, and never more than ⎕PW
	PW    int  // ⎕PW where a line set it, else 0: it follows Width
	Rows  int  // lines that a value may take before it is elided; 0 for no limit
	// Values, when not nil, gets the values that lines display, and Faults the errors
	// of lines: neither is written to Out then. Notes gets what is said of definitions.
	Values func(Shown)
	Faults func(error)
	Notes  func(text string)
	// Pictures, when not nil, gets pictures; else they are written in characters.
	Pictures func(*pictures.Picture)
	// Access says what lines may do outside of the session.
	Access interp.Access

	known     []known
	undo      [][]known
	target    driver.Target
	queue     *opencl.Queue // of the device, once it was the target
	box       boxStyle
	loaded    string            // the file of the last ]load
	displayed []tail.Type       // what the statements of the line display
	strands   []*tail.TupleType // those that the line can display with frames
	drawing   *drawing          // the strand that is being displayed with frames
	failed    bool              // the last line
	verdicts  map[string]string // on annotations of the line that are not proved
	machine   *interp.Interp    // with all that is known, or nil
	given     []*array.Array    // the parameters of the line, by place
	evaluates bool              // the evaluator runs the line
	shows     int               // values that the evaluator has shown of the line
	timer     timer
	memory    memory // of arrays that compiled lines share
}

// known is a definition of an earlier line.
type known struct {
	infer.Known
	class  apl.Class
	source string // of a function or an operator
	// worked is the last line in which the function was used and typed.
	worked string
	// dynamic is the value of an array as the interpreter has it, where it has no
	// other form, or one that it was made from.
	dynamic *value.Array
}

// New returns a session that writes to out.
func New(out io.Writer) *Session { return &Session{Out: out, target: driver.Eval} }

// ErrLeave is returned by Execute when the session is to end.
var ErrLeave = errors.New("leave the session")

// Execute runs a line: a command, or statements of APL. Errors are shown; the
// error that is returned is ErrLeave or nil.
func (s *Session) Execute(ctx context.Context, line string) error {
	s.failed = false
	text := strings.TrimSpace(line)
	switch {
	case text == "":
		return nil
	case s.isCommand(text):
		err := s.command(ctx, text)
		if errors.Is(err, ErrLeave) {
			return err
		}
		s.report(err)
	default:
		s.report(s.statements(ctx, line))
	}
	return nil
}

// isCommand reports whether a line is a command, and no APL.
func (s *Session) isCommand(text string) bool {
	if commandSign(text) {
		return true
	}
	return slices.Contains(plainCommands, text) && !slices.ContainsFunc(s.known, func(k known) bool { return k.Name == text })
}

// report shows an error.
func (s *Session) report(err error) {
	if err == nil {
		return
	}
	s.failed = true
	if s.Faults != nil {
		s.Faults(err)
		return
	}
	var text faultText
	if errors.As(err, &text) {
		fmt.Fprint(s.Out, string(text))
		return
	}
	if errors.Is(err, eval.ErrInterrupted) {
		fmt.Fprintln(s.Out, "interrupted")
		return
	}
	driver.Report(s.Out, err)
}

// classes returns what the parser needs to know of earlier lines.
func (s *Session) classes() map[string]apl.Class {
	m := map[string]apl.Class{}
	for _, k := range s.known {
		m[k.Name] = k.class
		for member, class := range interp.Members(k.dynamic) {
			m[k.Name+"."+member] = class
		}
	}
	return m
}

// definitions returns what inference needs to know of earlier lines.
func (s *Session) definitions() []infer.Known {
	all := make([]infer.Known, 0, len(s.known))
	for _, k := range s.known {
		if _, ok := k.Stmt.(*apl.Tradfn); ok {
			continue
		}
		if k.class != apl.ArrayClass || k.Value != nil || k.Items != nil || k.Stmt != nil {
			all = append(all, k.Known)
		}
	}
	return all
}

// typed parses and types a line, in which what is known is constant.
func (s *Session) typed(text string) (tree *apl.Program, p *tail.Program, assigned []infer.Known, err error) {
	return s.typedBy(text, func(tree *apl.Program, o infer.Options) (*tail.Program, []infer.Known, error) {
		return infer.Line(tree, s.definitions(), o)
	})
}

// typing types the statements of a line.
type typing func(tree *apl.Program, o infer.Options) (*tail.Program, []infer.Known, error)

// typedBy parses a line, and types it in some way.
func (s *Session) typedBy(text string, by typing) (tree *apl.Program, p *tail.Program, assigned []infer.Known, err error) {
	tree, err = apl.ParseWith(diag.NewSource("", text), s.classes())
	if err != nil {
		return nil, nil, nil, err
	}
	if s.mentionsDynamic(tree, map[string]bool{}) {
		return tree, nil, nil, errDynamic
	}
	s.displayed, s.strands, s.drawing = nil, nil, nil
	o := infer.Options{Displayed: func(t tail.Type) { s.displayed = append(s.displayed, t) }}
	if s.target == driver.Eval {
		switch {
		case s.box != noBox:
			o = infer.Options{Announced: s.announceStrand}
		case s.Values != nil:
			o.Announced, o.Shaped = s.announceStrand, true
		}
	}
	if o.Proved, err = s.judged(tree); err != nil {
		return tree, nil, nil, err
	}
	p, assigned, err = by(tree, o)
	return tree, p, assigned, err
}

// judged checks the annotations of a line and returns those that are proved. One
// that is refuted is an error. The verdicts on others are kept, to be shown.
func (s *Session) judged(tree *apl.Program) (map[*apl.Annotation]bool, error) {
	s.verdicts = map[string]string{}
	if !check.Annotated(tree) {
		return nil, nil
	}
	checked := check.Line(tree, s.definitions(), infer.Options{})
	for _, r := range checked.Reports {
		if r.Verdict() != infer.Proved {
			s.verdicts[r.Name] = check.Describe(r)
		}
	}
	return checked.Proved(), checked.Errors.Err()
}

// statements runs a line of APL. Nothing is kept of a line that fails.
func (s *Session) statements(ctx context.Context, text string) error {
	tree, p, assigned, err := s.typedBy(text, s.line)
	if tree != nil && dynamic(err) {
		return s.interpreted(ctx, tree, shown{})
	}
	if err != nil {
		return err
	}
	if s.confined() && driver.UsesFiles(p) {
		return s.interpreted(ctx, tree, shown{})
	}
	return s.runLine(ctx, tree, p, text, assigned)
}

// confined reports whether lines may not use every file. The interpreter then runs
// those that use any: it asks Access.
func (s *Session) confined() bool { return s.Access.Dir != "" || s.Access.Nothing != "" }

// runLine runs a line that is typed, and keeps what it defines. Where integers
// overflow, or ⍎ meets more than a number, the interpreter runs it again from its
// beginning, unless it writes files; what has been shown is not shown again.
func (s *Session) runLine(ctx context.Context, tree *apl.Program, p *tail.Program, text string, assigned []infer.Known) error {
	repeats := !driver.WritesFiles(p)
	count := &driver.Counter{Writer: s.Out}
	s.Out, s.shows = count, 0
	values, err := s.run(ctx, p)
	s.Out = count.Writer
	if repeats && goesOn(err) {
		return s.interpreted(ctx, tree, shown{values: s.shows, bytes: count.Bytes})
	}
	if err != nil && repeats && !s.evaluates {
		return s.withCalls(ctx, text, err)
	}
	if err != nil {
		return err
	}
	s.keep(tree, text, assigned, values)
	return nil
}

// environment returns what the evaluator sees during a line.
func (s *Session) environment(ctx context.Context) *eval.Env {
	env := &eval.Env{Stdout: s.Out, Interrupt: ctx.Done(), Calls: true}
	env.Display = func(a *array.Array, pp int) {
		s.shows++
		out := s.Out
		if count, ok := out.(*driver.Counter); ok {
			s.Out = count.Writer
		}
		s.show(a, pp)
		s.Out = out
	}
	return env
}

// keep remembers what a line defined.
func (s *Session) keep(tree *apl.Program, text string, assigned []infer.Known, values []*array.Array) {
	before := append([]known{}, s.known...)
	changed := false
	s.machine = nil
	for _, k := range assigned {
		values = k.Items.Fill(values)
		if k.Items.Of == nil {
			k.Value, k.Items = k.Items.Array, nil
		}
		s.define(known{Known: k, class: apl.ArrayClass})
		changed = true
	}
	schemes := s.dependents(tree)
	for _, stmt := range tree.Body {
		if k, ok := definition(stmt); ok {
			s.define(k)
			changed = true
			s.announce(k)
		}
	}
	s.noteUses(tree, text)
	if changed {
		s.undo = append(s.undo, before)
		s.announceDependents(schemes)
		s.recheck(before)
	}
}

// dependents returns how the functions that mention what a line defines are
// typed before it.
func (s *Session) dependents(tree *apl.Program) map[string]string {
	schemes := map[string]string{}
	for _, stmt := range tree.Body {
		d, ok := definition(stmt)
		if !ok {
			continue
		}
		for _, k := range s.known {
			if k.class == apl.FunctionClass && k.Name != d.Name && mentions(k.source, d.Name) {
				schemes[k.Name] = s.scheme(k)
			}
		}
	}
	return schemes
}

// announceDependents shows the types of functions that a line changed.
func (s *Session) announceDependents(before map[string]string) {
	for _, k := range s.known {
		if old, ok := before[k.Name]; ok {
			if now := s.scheme(k); now != old {
				s.Note(fmt.Sprintf("%s : %s   (was %s)", k.Name, now, old))
			}
		}
	}
}

// definition returns what a statement leaves behind besides values of arrays.
func definition(stmt apl.Stmt) (known, bool) {
	switch d := stmt.(type) {
	case *apl.FuncDef:
		return known{Known: infer.Known{Name: d.Name.Ident, Stmt: d}, class: apl.FunctionClass, source: d.Span().Text()}, true
	case *apl.Tradfn:
		name := d.Header.Name.Ident
		return known{Known: infer.Known{Name: name, Stmt: d}, class: d.Header.Class(), source: d.Span().Text()}, true
	case *apl.OperatorDef:
		class := apl.MonadicOperator
		if op, ok := d.Op.(*apl.Dop); ok && op.DyadicOperator {
			class = apl.DyadicOperator
		}
		return known{Known: infer.Known{Name: d.Name.Ident, Stmt: d}, class: class, source: d.Span().Text()}, true
	case *apl.ExprStmt:
		if a, ok := d.X.(*apl.Assign); ok {
			if t, ok := a.Target.(*apl.NameTarget); ok && strings.HasPrefix(t.Ident, "⎕") && len(t.Ident) > len("⎕") && t.Ident != "⎕PW" {
				return known{Known: infer.Known{Name: t.Ident, Stmt: d}, class: apl.ArrayClass, source: d.Span().Text()}, true
			}
		}
	}
	return known{}, false
}

// define adds a definition; one of the same name keeps its place.
func (s *Session) define(k known) {
	kept := append([]known{}, s.known...)
	for i := range kept {
		if kept[i].Name == k.Name {
			k.worked = kept[i].worked
			kept[i] = k
			s.known = kept
			return
		}
	}
	s.known = append(kept, k)
}

// announce shows that a function or an operator was defined.
func (s *Session) announce(k known) {
	switch k.class {
	case apl.FunctionClass:
		if verdict := s.verdicts[k.Name]; verdict != "" {
			s.Note(verdict)
			return
		}
		s.Note(fmt.Sprintf("%s : %s", k.Name, s.scheme(k)))
	case apl.MonadicOperator, apl.DyadicOperator:
		s.Note(k.Name + " : operator")
	}
}

// scheme describes a function: by its types where they are known without a
// call, else by how it is called.
func (s *Session) scheme(k known) string {
	def, ok := k.Stmt.(*apl.FuncDef)
	if !ok {
		if k.class == apl.FunctionClass {
			return "dynamic function"
		}
		return "operator"
	}
	if s.mentionsDynamic(def, map[string]bool{}) {
		return "dynamic function"
	}
	if text := check.Scheme(s.definitions(), def); text != "" {
		return text
	}
	if f, ok := def.F.(*apl.Dfn); ok {
		if f.Dyadic {
			return "dyadic function"
		}
		return "monadic function"
	}
	return "function"
}

// Note writes a line of what is not a value.
func (s *Session) Note(text string) {
	if s.Notes != nil {
		s.Notes(text)
		return
	}
	if s.Color {
		text = "\x1b[2m" + text + "\x1b[0m"
	}
	fmt.Fprintln(s.Out, text)
}

// noteUses remembers the line for every function that it mentions.
func (s *Session) noteUses(tree *apl.Program, text string) {
	for _, stmt := range tree.Body {
		if _, defines := definition(stmt); defines {
			return
		}
	}
	for i, k := range s.known {
		if k.class != apl.ArrayClass && mentions(text, k.Name) {
			s.known[i].worked = text
		}
	}
}

// mentions reports whether name occurs in text as a word.
func mentions(text, name string) bool {
	for rest := text; ; {
		i := strings.Index(rest, name)
		if i < 0 {
			return false
		}
		before, after := lastRune(rest[:i]), firstRune(rest[i+len(name):])
		if !wordRune(before) && !wordRune(after) {
			return true
		}
		rest = rest[i+len(name):]
	}
}

// recheck types again what worked before the last line, and says what it broke.
func (s *Session) recheck(before []known) {
	tried := map[string]bool{}
	for _, k := range before {
		if k.worked == "" || tried[k.worked] {
			continue
		}
		tried[k.worked] = true
		if _, _, _, err := s.typed(k.worked); err != nil && !dynamic(err) {
			fmt.Fprintf(s.Out, "%s no longer works as in  %s\n", k.Name, strings.TrimSpace(k.worked))
			driver.Report(s.Out, err)
			s.forgetUse(k.worked)
		}
	}
}

func (s *Session) forgetUse(line string) {
	for i := range s.known {
		if s.known[i].worked == line {
			s.known[i].worked = ""
		}
	}
}

// load runs the statements of a file. What it defines is kept.
func (s *Session) load(ctx context.Context, file string) error {
	if err := s.Access.May(file, false); err != nil {
		return err
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("cannot read %s: %w", file, errors.Unwrap(err))
	}
	tree, err := apl.ParseWith(diag.NewSource(file, string(text)), s.classes())
	if err != nil {
		return err
	}
	proved, err := s.judged(tree)
	if err != nil && !dynamic(err) {
		return err
	}
	p, assigned, err := s.line(tree, infer.Options{Proved: proved})
	if dynamic(err) || s.mentionsDynamic(tree, map[string]bool{}) {
		s.loaded = file
		return s.interpreted(ctx, tree, shown{})
	}
	if err != nil {
		return err
	}
	if s.confined() && driver.UsesFiles(p) {
		err = s.interpreted(ctx, tree, shown{})
	} else {
		err = s.runLine(ctx, tree, p, string(text), assigned)
	}
	if err == nil {
		s.loaded = file
	}
	return err
}
