package interp

import (
	"fmt"
	"sort"
	"strings"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/interp/prim"
	"github.com/tailor-lang/tailor/interp/value"
)

// nameClass is ⎕NC of a name, of the rows of a matrix or the items of a vector, which
// have classes with a decimal.
func nameClass(in *Interp, f *Frame, x, y *V) (*V, error) {
	f = in.home(f)
	if x != nil {
		return nil, prim.Errorf(diag.WrongValence, "⎕NC takes one argument")
	}
	switch {
	case y.Kind == value.Mixed:
		return collect(y.Shape, y.Len(), func(i int) (*V, error) {
			name, err := prim.TextOf(y.Item(i), "a name")
			return value.Number(in.classNumber(f, name)), err
		})
	case y.Rank() == 2:
		return collect(y.Shape[:1], y.Shape[0], func(i int) (*V, error) {
			name, err := prim.TextOf(y.Major(i), "a name")
			return value.Integer(int(in.classNumber(f, name))), err
		})
	}
	name, err := prim.TextOf(y, "a name")
	return value.Integer(int(in.classNumber(f, name))), err
}

// classNumber returns the class of a name and, as a decimal, what kind it is of.
func (in *Interp) classNumber(f *Frame, name string) float64 {
	name = strings.TrimSpace(name)
	if v := in.held(f, name); v != nil {
		return classNumberOf(v)
	}
	if s := apl.LookupSystem(name); s != nil {
		return systemClasses[s.Class]
	}
	if !validPath(name) && name != "⍺" && name != "⍵" {
		return -1
	}
	return 0
}

// systemClasses are the classes of system names.
var systemClasses = map[apl.Class]float64{apl.ArrayClass: 2.1, apl.FunctionClass: 3.3, apl.DyadicOperator: 4.3}

// validPath reports whether a text is a name, or names with dots between them.
func validPath(path string) bool {
	for i, part := range strings.Split(path, ".") {
		if !apl.IsName(part) && (i > 0 || part != "#" && part != "⎕SE") && part != "##" {
			return false
		}
	}
	return true
}

func classNumberOf(v any) float64 {
	switch v := v.(type) {
	case *V:
		if _, ok := v.Ref.(*value.Namespace); ok {
			return 9.1
		}
		return 2.1
	case *tradfn, *niladic:
		return 3.1
	case *closure:
		return 3.2
	case Function:
		return 3.3
	case *tradOp:
		return 4.1
	case *dop:
		return 4.2
	case Operator:
		return 4.3
	}
	return 0
}

// listNames is ⎕NL: the names of some classes, which begin with one of some letters.
func listNames(in *Interp, f *Frame, x, y *V) (*V, error) {
	f = in.home(f)
	if y.Kind > value.Double {
		return nil, prim.Errorf(diag.WrongDomain, "⎕NL needs classes of names")
	}
	letters := ""
	if x != nil {
		var err error
		if letters, err = prim.TextOf(x, "the letters of ⎕NL"); err != nil {
			return nil, err
		}
	}
	var names []string
	vector := false
	for name := range f.classes() {
		v := in.held(f, name)
		if v == nil || x != nil && !strings.ContainsRune(letters, []rune(name)[0]) {
			continue
		}
		class, listed := classNumberOf(v), false
		for i := range y.Len() {
			k := y.Item(i).Double(0)
			vector = vector || k < 0
			k = max(k, -k)
			listed = listed || k == class || k == float64(int(class))
		}
		if listed {
			names = append(names, name)
		}
	}
	for i := range y.Len() {
		vector = vector || y.Item(i).Double(0) < 0
	}
	sort.Strings(names)
	if vector {
		return value.Texts(names), nil
	}
	return textMatrix(names), nil
}

// textMatrix returns texts as the rows of a matrix.
func textMatrix(lines []string) *V {
	width := 0
	for _, l := range lines {
		width = max(width, len([]rune(l)))
	}
	out := make([]rune, 0, width*len(lines))
	for _, l := range lines {
		r := []rune(l)
		out = append(append(out, r...), []rune(strings.Repeat(" ", width-len(r)))...)
	}
	return &V{Kind: value.Char, Shape: []int{len(lines), width}, Chars: out}
}

// expunge is ⎕EX.
func expunge(in *Interp, f *Frame, x, y *V) (*V, error) {
	if x != nil {
		return nil, prim.Errorf(diag.WrongValence, "⎕EX takes one argument")
	}
	names, err := nameList(y)
	if err != nil {
		return nil, err
	}
	out := make([]byte, len(names))
	for i, name := range names {
		if !validPath(name) {
			continue
		}
		if in.held(f, name) == nil {
			out[i] = 1
		} else if !strings.Contains(name, ".") {
			_, where := f.lookup(name)
			where.set(name, nil)
			where.disarm(name)
			out[i] = 1
		} else if in.setPath(f, name, nil) {
			out[i] = 1
		}
	}
	in.hide = true
	if y.Kind != value.Mixed && y.Rank() < 2 && len(out) == 1 {
		return value.Truth(out[0] == 1), nil
	}
	return value.Booleans(out), nil
}

// fix is ⎕FX: it defines a function from its lines. The result is its name, or the
// number of the line with the first error.
func fix(in *Interp, f *Frame, x, y *V) (*V, error) {
	if x != nil {
		return nil, prim.Errorf(diag.WrongValence, "⎕FX takes one argument")
	}
	lines, err := linesOf(y)
	if err != nil {
		return nil, err
	}
	if len(lines) == 0 {
		lines = []string{""} // its first line is no header
	}
	source, head := strings.Join(lines, "\n"), strings.TrimSpace(lines[0])
	name, body, _ := strings.Cut(head, "←")
	if !strings.HasPrefix(strings.TrimSpace(body), "{") || strings.ContainsAny(name, " {(") {
		if !strings.HasPrefix(head, "∇") {
			source = "∇" + source
		}
		if last := strings.TrimSpace(lines[len(lines)-1]); last != "∇" || len(lines) < 2 {
			source += "\n∇"
		}
	}
	around := surroundings(f)
	around.Dfn = false
	prog, err := apl.ParseIn(diag.NewSource("⎕FX", source), around)
	if err == nil && len(prog.Body) == 1 {
		switch s := prog.Body[0].(type) {
		case *apl.Tradfn:
			in.fixed(f, s)
			in.hide = true
			return value.Text(s.Header.Name.Ident), nil
		case *apl.FuncDef, *apl.OperatorDef, *apl.Loose:
			if err := in.topLevel(f, s); err != nil {
				return nil, err
			}
			in.hide = true
			return value.Text(strings.TrimSpace(name)), nil
		}
	}
	line := 1
	if e := asFault(err); err != nil && e.Span.Valid() {
		line, _ = e.Span.Src.Position(e.Span.Start)
	}
	return value.Integer(line - 1 + in.state.Origin), nil
}

// linesOf returns the lines that a matrix, a vector of texts or a text holds.
func linesOf(y *V) ([]string, error) {
	var out []string
	switch {
	case y.Ref != nil:
		if form, ok := y.Ref.(*functionForm); ok {
			return form.lines, nil
		}
	case y.Kind == value.Mixed:
		for _, v := range y.AllItems() {
			s, err := prim.TextOf(v, "a line")
			if err != nil {
				return nil, err
			}
			out = append(out, s)
		}
		return out, nil
	case y.Rank() == 2 && y.Kind == value.Char:
		for i := range y.Shape[0] {
			out = append(out, strings.TrimRight(string(y.Major(i).Chars), " "))
		}
		return out, nil
	}
	s, err := prim.TextOf(y, "the definition")
	return strings.FieldsFunc(s, func(r rune) bool { return r == '\n' || r == '\r' }), err
}

// sourceLines returns the lines of a function or an operator, nil if it has none.
func (in *Interp) sourceLines(name string, v any) []string {
	var node apl.Node
	switch v := v.(type) {
	case *niladic, *tradfn, *tradOp:
		if t := traditional(v); t.lock&lockSource == 0 {
			return tradLines(t.node)
		}
		return nil
	case *closure:
		node = v.node
		if v.op != nil {
			return nil
		}
	case *dop:
		node = v.node
	case Function:
		if d, ok := in.sources[v]; ok {
			return []string{name + "←" + d.f.Span().Text()}
		}
		if p, ok := v.(*primitive); ok {
			return []string{name + "←" + p.glyph}
		}
		return nil
	default:
		return nil
	}
	return strings.Split(name+"←"+node.Span().Text(), "\n")
}

// tradLines returns the header and the lines of a definition.
func tradLines(t *apl.Tradfn) []string {
	text := strings.TrimSpace(strings.TrimPrefix(t.Span().Text(), "∇"))
	text = strings.TrimSuffix(text, "∇")
	lines := strings.Split(text, "\n")
	lines = lines[:min(len(lines), t.Lines()+1)]
	for i, l := range lines {
		lines[i] = strings.TrimRight(l, " \t\r")
	}
	return lines
}

func linesNamed(in *Interp, f *Frame, y *V) ([]string, any, error) {
	if form, ok := y.Ref.(*functionForm); ok {
		return form.lines, form.of, nil
	}
	name, err := prim.TextOf(y, "a name")
	if err != nil {
		return nil, nil, err
	}
	name = strings.TrimSpace(name)
	v := in.held(f, name)
	return in.sourceLines(name, v), v, nil
}

// canonical is ⎕CR, nestedLines ⎕NR and numbered ⎕VR: the source of a function as a
// matrix, as a vector of lines, and as a text with the numbers of the lines.
func canonical(in *Interp, f *Frame, _, y *V) (*V, error) {
	lines, _, err := linesNamed(in, f, y)
	return textMatrix(lines), err
}

func nestedLines(in *Interp, f *Frame, _, y *V) (*V, error) {
	lines, _, err := linesNamed(in, f, y)
	return value.Texts(lines), err
}

func numbered(in *Interp, f *Frame, _, y *V) (*V, error) {
	lines, v, err := linesNamed(in, f, y)
	if err != nil || len(lines) == 0 {
		return value.Text(""), err
	}
	return value.Text(strings.ReplaceAll(numberedLines(lines, v), "\n", "\r")), nil
}

// numberedLines returns the lines of a function with their numbers. Lines are indented
// as they are against the outermost ones; comments and labels stand one column before.
func numberedLines(lines []string, v any) string {
	_, dfn := v.(*closure)
	if _, dop := v.(*dop); dop {
		dfn = true
	}
	outermost := -1
	for _, l := range lines[1:] {
		if k := indentation(l); k < len(l) && (dfn || !aside(l)) && (outermost < 0 || k < outermost) {
			outermost = k
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "     ∇ %s\n", strings.TrimLeft(lines[0], " "))
	for i, l := range lines[1:] {
		column := 3 + max(indentation(l)-outermost, 0)
		if !dfn && aside(l) {
			column = 2
		}
		fmt.Fprintf(&b, "%-4s%*s%s\n", fmt.Sprintf("[%d]", i+1), column, "", strings.TrimLeft(l, " \t"))
	}
	b.WriteString("     ∇")
	return b.String()
}

// indentation returns the number of blanks at the start of a line.
func indentation(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) }

// aside reports whether a line of a definition is a comment or starts with a label.
func aside(line string) bool {
	line = strings.TrimLeft(line, " \t")
	name, behind, colon := strings.Cut(line, ":")
	return strings.HasPrefix(line, "⍝") || colon && apl.IsName(name) && !strings.HasPrefix(behind, ":")
}

// attempt is ⎕EA: the value of one text, or of another one where that fails.
func attempt(in *Interp, f *Frame, x, y *V) (*V, error) {
	if x == nil {
		return nil, prim.Errorf(diag.NoLeftArgument, "⎕EA needs a left argument")
	}
	r, err := in.tried(f, y)
	if err == nil || final(err) {
		in.hide = in.shy
		return r, err
	}
	in.last, in.reported = asFault(err), asFault(err)
	code, err := prim.TextOf(x, "the left argument of ⎕EA")
	if err != nil {
		return nil, err
	}
	r, err = in.execute(f, code)
	in.hide = in.shy
	return r, err
}

// tried runs a text whose errors the caller takes care of.
func (in *Interp) tried(f *Frame, y *V) (*V, error) {
	code, err := prim.TextOf(y, "the text to execute")
	if err != nil {
		return nil, err
	}
	depth, current := in.depth, in.current
	r, err := within(func() (*V, error) { return in.execute(f, code) })
	if err != nil {
		in.depth, in.current = depth, current
	}
	return r, err
}

// controlled is ⎕EC: how a text ended, the number of its error, and its value or the
// message.
func controlled(in *Interp, f *Frame, x, y *V) (*V, error) {
	if x != nil {
		return nil, prim.Errorf(diag.WrongValence, "⎕EC takes one argument")
	}
	r, err := in.tried(f, y)
	code, number := 1, 0
	switch {
	case err != nil && final(err):
		return nil, err
	case err != nil:
		in.last, in.reported = asFault(err), asFault(err)
		code, number, r = 0, in.last.number, value.Texts(in.last.lines())
	case r == nil:
		code, r = 3, value.Zilde()
	case in.shy:
		code = 2
	}
	in.shy = false
	return value.Vector(value.Integer(code), value.Integer(number), r), nil
}

// diagnostics is ⎕DMX: a namespace that describes the last error.
func (in *Interp) diagnostics() *V {
	n := value.NewNamespace("")
	n.Form = &V{Kind: value.Char, Shape: []int{0, 0}}
	e := in.reported
	number, event, message, lines, category, vendor := 0, "", "", []string{}, "", ""
	if e == nil {
		e = &Fault{}
	} else {
		number, event, message, lines = e.number, e.event(), e.message, e.lines()
		category, vendor = "General", "Dyalog"
		if strings.HasPrefix(message, "division by zero") {
			message = "Divide by zero"
		}
		rows := []*V{value.Text("EM"), value.Text(event), value.Text("Message"), value.Text(message)}
		if e.system != 0 || e.fields["OSError"] != nil {
			rows = append(rows, value.Text("OSError"), e.property("OSError", e.systemError()))
		}
		form := value.FromItems([]int{len(rows) / 2, 2}, rows)
		n.Form = textMatrix(strings.Split(prim.Plain(form, in.state.Precision), "\n"))
	}
	for name, v := range map[string]*V{
		"Category": value.Text(category), "DM": value.Texts(lines), "EM": value.Text(event), "EN": value.Integer(number),
		"ENX": value.Integer(0), "HelpURL": value.Text(""), "InternalLocation": value.Vector(value.Text(""), value.Integer(0)),
		"Message": value.Text(message), "OSError": e.systemError(), "Vendor": value.Text(vendor),
	} {
		if name != "Message" && name != "EM" && name != "EN" {
			v = e.property(name, v)
		}
		n.Set(name, v)
	}
	return value.Reference(n)
}

// callers is ⎕SI, ⎕XSI and ⎕LC: the functions that run, innermost first, and their
// lines.
func (in *Interp) callers(name string) *V {
	var names []string
	var at []int64
	for f := in.current; f != nil; f = f.caller {
		title, line := "", 0
		switch {
		case f.trad != nil:
			title, line = f.trad.fn.title(), f.trad.fn.node.LineOf(f.trad.pc)
		case f.self != nil && f.self.name != "":
			title = f.self.name
		default:
			continue
		}
		if name == "⎕XSI" {
			title = in.this(f).Path() + "." + title
		}
		names, at = append(names, title), append(at, int64(line))
	}
	if name == "⎕LC" {
		return value.Integers(at)
	}
	return value.Texts(names)
}

// signalNames are the names that ⎕SIGNAL may give values.
var signalNames = map[string]bool{"EN": true, "EM": true, "Message": true, "Category": true, "Vendor": true, "HelpURL": true, "ENX": true, "OSError": true}

// signalPairs returns the pairs of names and values in an argument of ⎕SIGNAL.
func signalPairs(y *V) ([]*V, error) {
	first := y.Item(0)
	if first.Rank() == 2 && first.Shape[1] == 2 {
		var pairs []*V
		for i := range first.Shape[0] {
			pairs = append(pairs, first.Major(i))
		}
		return pairs, nil
	}
	pairs := first.AllItems()
	if len(pairs) > 0 && pairs[0].Kind == value.Char && y.Rank() > 0 { // not enclosed
		pairs = y.AllItems()
		if pairs[0].Kind == value.Char {
			pairs = []*V{y}
		}
	}
	for _, pair := range pairs {
		if pair.Len() != 2 || pair.Item(0).Kind != value.Char {
			return nil, prim.Errorf(diag.WrongDomain, "⎕SIGNAL needs pairs of names and values")
		}
	}
	return pairs, nil
}
