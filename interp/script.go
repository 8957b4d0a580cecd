package interp

import (
	"os"
	"strings"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/interp/prim"
	"github.com/tailor-lang/tailor/interp/value"
)

// unnamedSpace is the name of a :Namespace that has none while its script is read.
const unnamedSpace = "⍙unnamed"

// fixScript is ⎕FIX: it makes the namespace of a script, which is named only with 1 on
// the left, or with 2 the functions and namespaces of one.
func fixScript(in *Interp, f *Frame, x, y *V) (*V, error) {
	kind := 1
	if x != nil {
		var err error
		if kind, err = prim.Whole(x); err != nil || kind < 0 || kind > 2 {
			return nil, prim.Errorf(diag.WrongDomain, "the left argument of ⎕FIX is 0, 1 or 2")
		}
	}
	lines, err := in.script(y)
	if err != nil {
		return nil, err
	}
	home := f.home()
	prog, err := apl.ParseIn(diag.NewSource(fixSource, strings.Join(lines, "\n")), apl.Surroundings{Names: home.classes()})
	if kind == 2 && (err != nil || !onlyDefinitions(prog)) { // one function without ∇
		name, err := fix(in, home, nil, value.Texts(lines))
		if err != nil || name.Kind != value.Char {
			return nil, prim.Errorf(diag.WrongDomain, "there were errors processing the script")
		}
		return value.Vector(name), nil
	}
	if err != nil {
		return nil, prim.Errorf(diag.WrongDomain, "there were errors processing the script: %s", asFault(err).Message)
	}
	in.hide = true
	if kind == 2 {
		return in.fixAll(home, prog)
	}
	r, err := in.fixOne(home, prog, kind == 1)
	in.hide = true
	return r, err
}

// script returns the lines of a script, or of the file of one.
func (in *Interp) script(y *V) ([]string, error) {
	if y.Kind == value.Mixed {
		lines, err := linesOf(y)
		for i, l := range lines { // :Namespace without a name
			if strings.EqualFold(strings.TrimSpace(l), ":Namespace") {
				lines[i] = ":Namespace " + unnamedSpace
				break
			}
		}
		return lines, err
	}
	name, err := prim.TextOf(y, "the script of ⎕FIX")
	if err != nil {
		return nil, err
	}
	file, ok := strings.CutPrefix(name, "file://")
	if !ok {
		return nil, prim.Errorf(diag.WrongDomain, "the script of ⎕FIX is lines, or file:// and the name of a file")
	}
	if err := in.may(file, false); err != nil {
		return nil, err
	}
	b, err := os.ReadFile(file)
	if err != nil {
		return nil, prim.Errorf(diag.FileOrTool, "%s", err)
	}
	return strings.Split(strings.TrimRight(strings.ReplaceAll(string(b), "\r\n", "\n"), "\n"), "\n"), nil
}

// onlyDefinitions reports whether a program only defines functions, operators and
// namespaces.
func onlyDefinitions(p *apl.Program) bool {
	for _, s := range p.Body {
		if apl.DefinedName(s) == "" {
			return false
		}
	}
	return len(p.Body) > 0
}

// fixAll runs the definitions of a script and returns their names.
func (in *Interp) fixAll(home *Frame, p *apl.Program) (*V, error) {
	var names []string
	for _, s := range p.Body {
		if err := in.topLevel(home, s); err != nil {
			return nil, err
		}
		names = append(names, apl.DefinedName(s))
	}
	in.hide = true
	return value.Texts(names), nil
}

// fixOne runs the script of one namespace and returns a reference to it.
func (in *Interp) fixOne(home *Frame, p *apl.Program, named bool) (*V, error) {
	if len(p.Body) != 1 {
		return nil, prim.Errorf(diag.WrongDomain, "⎕FIX needs the script of one namespace")
	}
	s := p.Body[0]
	if l, ok := s.(*apl.Loose); ok {
		s = l.Stmt
	}
	def, ok := s.(*apl.NamespaceDef)
	if !ok {
		return nil, prim.Errorf(diag.WrongDomain, "⎕FIX needs the script of a namespace")
	}
	name := def.Name.Ident
	before := home.own(name)
	if err := in.namespace(home, def); err != nil {
		return nil, err
	}
	r, _ := home.own(name).(*V)
	if name == unnamedSpace {
		named = false
		n := r.Ref.(*value.Namespace)
		n.Title, n.Source[0] = "", ":Namespace"
	}
	if !named {
		home.set(name, before)
	}
	return r, nil
}

// scriptOf is ⎕SRC.
func scriptOf(_ *Interp, _ *Frame, x, y *V) (*V, error) {
	n, ok := y.Ref.(*value.Namespace)
	if x != nil || !ok || n.Source == nil {
		return nil, prim.Errorf(diag.WrongDomain, "⎕SRC needs a reference to a namespace that has a script")
	}
	return value.Texts(n.Source), nil
}

// displayForm is ⎕DF: it sets what is displayed for the current namespace.
func displayForm(in *Interp, f *Frame, x, y *V) (*V, error) {
	if x != nil {
		return nil, prim.Errorf(diag.WrongValence, "⎕DF takes one argument")
	}
	n := in.this(f)
	old := value.Reference(value.TheNull)
	if n.Form != nil {
		old = n.Form
	}
	in.hide = true
	if y.Ref == any(value.TheNull) {
		n.Form = nil
		return old, nil
	}
	if y.Kind != value.Char && y.Len() > 0 {
		return nil, prim.Errorf(diag.WrongDomain, "the display of a namespace is no text")
	}
	n.Form = y
	return old, nil
}
