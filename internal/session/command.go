package session

import (
	"context"
	"fmt"
	"os"
	"sort"
	"strconv"
	"strings"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/internal/driver"
	"github.com/tailor-lang/tailor/tail"
	"github.com/tailor-lang/tailor/tail/eval"
)

// command is a row of the table of commands.
type command struct {
	name  string // with its sign: ]type, )vars
	args  string
	doc   string
	run   func(s *Session, ctx context.Context, arg string) error
	alias bool // another spelling, left out of the list
}

var commands []command

func init() {
	commands = []command{
		{name: "]help", args: "[NAME]", doc: "what a glyph, each, operators or ⎕CSV is", run: (*Session).help},
		{name: "]keys", doc: "the keys that type glyphs", run: (*Session).keysCommand},
		{name: "]type", args: "EXPR", doc: "the type of an expression, without running it", run: (*Session).typeOf},
		{name: "]shape", args: "EXPR", doc: "the shape of an expression's value", run: (*Session).shapeOf},
		{name: "]ast", args: "LINE", doc: "the syntax tree", run: stage("ast")},
		{name: "]tail", args: "LINE", doc: "the optimised TAIL program; of f: of an example", run: stage("tail")},
		{name: "]laila", args: "LINE", doc: "the loop program", run: stage("laila")},
		{name: "]c", args: "LINE", doc: "the C program", run: stage("c")},
		{name: "]cl", args: "LINE", doc: "the OpenCL kernels", run: stage("opencl")},
		{name: "]time", args: "LINE", doc: "how long a line takes: the best of some runs", run: (*Session).time},
		{name: "]target", args: "[eval|c|omp|opencl]", doc: "what runs the lines", run: (*Session).setTarget},
		{name: "]box", args: "[on|off] [-style=min|mid|max]", doc: "frames around values", run: (*Session).setBox},
		{name: "]rows", args: "[N]", doc: "how many lines of a value are shown; 0 for all", run: (*Session).setRows},
		{name: "]vars", doc: "the arrays of the session, with their types", run: (*Session).vars},
		{name: "]fns", doc: "the functions and operators of the session", run: (*Session).fns},
		{name: "]load", args: "FILE", doc: "run the statements of a file and keep what it defines", run: (*Session).loadCommand},
		{name: "]r", doc: "load the last file again", run: (*Session).reload},
		{name: "]save", args: "FILE", doc: "write the definitions of the session to a file", run: (*Session).save},
		{name: "]undo", doc: "take back the last line that defined something", run: (*Session).undoCommand},
		{name: "]clear", doc: "forget everything", run: (*Session).clear},
		{name: "]off", doc: "leave; also Ctrl-D", run: leave},
		{name: ")vars", run: (*Session).vars, alias: true},
		{name: ")fns", run: (*Session).fns, alias: true},
		{name: ")clear", run: (*Session).clear, alias: true},
		{name: ")off", run: leave, alias: true},
		{name: ":t", run: (*Session).typeOf, alias: true},
		{name: ":type", run: (*Session).typeOf, alias: true},
		{name: ":q", run: leave, alias: true},
		{name: ":help", run: (*Session).help, alias: true},
		{name: ":load", run: (*Session).loadCommand, alias: true},
		{name: "help", run: (*Session).help, alias: true},
		{name: "?", run: (*Session).help, alias: true},
		{name: "quit", run: leave, alias: true},
		{name: "exit", run: leave, alias: true},
	}
}

// plainCommands are commands without a sign, while nothing has their names.
var plainCommands = []string{"help", "?", "quit", "exit"}

func leave(*Session, context.Context, string) error { return ErrLeave }

// command runs a command line.
func (s *Session) command(ctx context.Context, text string) error {
	name, arg, _ := strings.Cut(text, " ")
	for _, c := range commands {
		if c.name == strings.ToLower(name) {
			return c.run(s, ctx, strings.TrimSpace(arg))
		}
	}
	return fmt.Errorf("no command %s; ]help lists them", name)
}

// keysCommand lists the keyboard.
func (s *Session) keysCommand(context.Context, string) error {
	column := 0
	for _, g := range apl.Glyphs {
		if g.Key == "" || g.Key == g.Glyph {
			continue
		}
		fmt.Fprintf(s.Out, "%c%s %s  ", DefaultPrefix, g.Key, g.Glyph)
		if column++; column%10 == 0 {
			fmt.Fprintln(s.Out)
		}
	}
	fmt.Fprintf(s.Out, "\nNames and Tab: rho Tab is ⍴. Overstrikes and Tab: O| Tab is ⌽.\n")
	return nil
}

// typeOf shows the type of an expression.
func (s *Session) typeOf(_ context.Context, arg string) error {
	for _, k := range s.known {
		if k.Name == arg && k.class != apl.ArrayClass {
			fmt.Fprintln(s.Out, s.scheme(k))
			return nil
		}
	}
	_, p, assigned, err := s.typed(resultName + "←" + arg)
	if dynamic(err) {
		fmt.Fprintln(s.Out, "dynamic")
		return nil
	}
	if err != nil {
		return err
	}
	t, err := s.result(p)
	if err != nil {
		return err
	}
	for _, k := range assigned {
		if _, nested := k.Type.(*tail.TupleType); nested && k.Name == resultName {
			fmt.Fprintln(s.Out, describeType(k.Type))
			return nil
		}
	}
	fmt.Fprintln(s.Out, t)
	return nil
}

// resultName is the name that stands for the value of an expression.
const resultName = "⍙result"

// result returns the type of the one component of p's value.
func (s *Session) result(p *tail.Program) (tail.Type, error) {
	t := p.Main.Type().(*tail.TupleType)
	if len(t.Elems) == 0 {
		return nil, fmt.Errorf("the line has no value")
	}
	if len(t.Elems) > 1 {
		return t, nil // a strand
	}
	return t.Elems[0], nil
}

// shapeOf shows the shape of an expression's value.
func (s *Session) shapeOf(ctx context.Context, arg string) error {
	_, p, _, err := s.typed(resultName + "←" + arg)
	if err != nil {
		return err
	}
	values, err := eval.Values(p, s.environment(ctx))
	if err != nil {
		return err
	}
	if len(values) == 0 {
		return fmt.Errorf("the line has no value")
	}
	if values[0].Rank() == 0 {
		fmt.Fprintln(s.Out, "a scalar has the empty shape")
		return nil
	}
	fmt.Fprintln(s.Out, shape(values[0]))
	return nil
}

// stage returns the command that shows a line in one of the compiler's stages.
func stage(name string) func(*Session, context.Context, string) error {
	return func(s *Session, _ context.Context, arg string) error {
		line, example, err := s.exampled(arg)
		if err != nil {
			return err
		}
		tree, p, _, err := s.typed(line)
		if err != nil {
			return err
		}
		if example {
			hideArguments(p)
		}
		if name == "ast" {
			return apl.Dump(s.Out, tree)
		}
		if name != "tail" {
			p.Main = atEnd(p.Main, func(*tail.Tuple) tail.Expr { return &tail.Tuple{} })
		}
		text, err := driver.FromTyped(p, driver.Options{Target: driver.C}).Text(name, false)
		if err != nil {
			return err
		}
		fmt.Fprint(s.Out, text)
		return nil
	}
}

// setTarget changes what runs the lines.
func (s *Session) setTarget(_ context.Context, arg string) error {
	switch t := driver.Target(arg); t {
	case "":
	case driver.Eval:
		s.target = t
	case driver.C, driver.OpenMP:
		if _, err := driver.FindCompiler(); err != nil {
			return err
		}
		s.target = t
	case driver.OpenCL:
		if s.queue == nil {
			q, err := driver.Device(false, false)
			if err != nil {
				return err
			}
			s.queue = q
		}
		s.target = t
	default:
		return fmt.Errorf("no target %s: eval, c, omp or opencl", arg)
	}
	fmt.Fprintln(s.Out, "target", s.target)
	return nil
}

// setRows changes how many lines of a value are shown.
func (s *Session) setRows(_ context.Context, arg string) error {
	if arg != "" {
		n, err := strconv.Atoi(arg)
		if err != nil || n < 0 {
			return fmt.Errorf("]rows takes a number of lines, 0 for all, not %s", arg)
		}
		s.Rows = n
	}
	fmt.Fprintln(s.Out, "rows", s.Rows)
	return nil
}

// setBox changes the frames around values.
func (s *Session) setBox(_ context.Context, arg string) error {
	style := s.box
	for _, word := range strings.Fields(arg) {
		switch word {
		case "on":
			style = max(style, minBox)
		case "off":
			style = noBox
		case "-style=min":
			style = minBox
		case "-style=mid":
			style = midBox
		case "-style=max":
			style = maxBox
		default:
			return fmt.Errorf("]box takes on or off and -style=min, mid or max, not %s", word)
		}
	}
	s.box = style
	fmt.Fprintln(s.Out, [...]string{"Is OFF", "Is ON -style=min", "Is ON -style=mid", "Is ON -style=max"}[style])
	return nil
}

// vars lists the arrays.
func (s *Session) vars(context.Context, string) error {
	for _, k := range s.sorted() {
		switch {
		case k.Value != nil:
			fmt.Fprintf(s.Out, "%-12s %s\n", k.Name, describe(k.Value))
		case k.Items != nil:
			fmt.Fprintf(s.Out, "%-12s %s\n", k.Name, describeType(k.Items.Type()))
		case k.dynamic != nil:
			fmt.Fprintf(s.Out, "%-12s %s\n", k.Name, describeDynamic(k.dynamic))
		}
	}
	return nil
}

// fns lists the functions and operators.
func (s *Session) fns(context.Context, string) error {
	for _, k := range s.sorted() {
		if k.class != apl.ArrayClass {
			line, _, _ := strings.Cut(k.source, "\n")
			fmt.Fprintf(s.Out, "%-12s %s\n", k.Name, line)
		}
	}
	return nil
}

func (s *Session) sorted() []known {
	all := append([]known{}, s.known...)
	sort.SliceStable(all, func(i, j int) bool { return all[i].Name < all[j].Name })
	return all
}

func (s *Session) loadCommand(ctx context.Context, arg string) error {
	if arg == "" {
		return fmt.Errorf("]load needs a file")
	}
	return s.load(ctx, arg)
}

func (s *Session) reload(ctx context.Context, _ string) error {
	if s.loaded == "" {
		return fmt.Errorf("nothing has been loaded; ]load FILE first")
	}
	return s.load(ctx, s.loaded)
}

// save writes the definitions as a program.
func (s *Session) save(_ context.Context, arg string) error {
	if arg == "" {
		return fmt.Errorf("]save needs a file")
	}
	if err := s.Access.May(arg, true); err != nil {
		return err
	}
	var b strings.Builder
	for _, k := range s.known {
		switch {
		case k.Value != nil:
			fmt.Fprintf(&b, "%s←%s\n", k.Name, spell(k.Value))
		case k.dynamic != nil:
			text, ok := spellDynamic(k.dynamic)
			if !ok {
				return fmt.Errorf("%s cannot be saved: it is, or holds, an empty nested array or a namespace", k.Name)
			}
			fmt.Fprintf(&b, "%s←%s\n", k.Name, text)
		case k.Items != nil && k.Items.HoldsColumns():
			return fmt.Errorf("%s cannot be saved: it is a nested array of a number of items that was not known", k.Name)
		case k.Items != nil:
			fmt.Fprintf(&b, "%s←%s\n", k.Name, spellItems(k.Items))
		default:
			b.WriteString(k.source + "\n")
		}
	}
	if err := os.WriteFile(arg, []byte(b.String()), 0o644); err != nil {
		return fmt.Errorf("cannot write %s", arg)
	}
	fmt.Fprintf(s.Out, "%d definitions in %s\n", len(s.known), arg)
	return nil
}

// undoCommand restores what was known before the last line that changed it.
func (s *Session) undoCommand(context.Context, string) error {
	if len(s.undo) == 0 {
		return fmt.Errorf("nothing to undo")
	}
	s.known, s.undo, s.machine = s.undo[len(s.undo)-1], s.undo[:len(s.undo)-1], nil
	fmt.Fprintln(s.Out, "undone")
	return nil
}

func (s *Session) clear(context.Context, string) error {
	s.undo = append(s.undo, s.known)
	s.known, s.machine = nil, nil
	fmt.Fprintln(s.Out, "clear ws")
	return nil
}
