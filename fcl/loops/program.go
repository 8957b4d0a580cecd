package loops

import (
	"fmt"
	"strings"

	"github.com/tailor-lang/tailor/fcl/lib"
	"github.com/tailor-lang/tailor/fcl/syntax"
	"github.com/tailor-lang/tailor/fcl/types"
	"github.com/tailor-lang/tailor/internal/diag"
)

// Program puts functions together, with those that they use: a program of FCL. Runtime is the text of what
// stands for functions of the run-time.
func Program(list []Text, runtime string) string {
	code := runtime
	for _, t := range list {
		code += t.Text
	}
	if code == "" {
		return "-- no kernel of this program is written in FCL\n" + comments(list)
	}
	scalars := lib.Excerpt(Scalars, lib.Names(code))
	library := lib.Excerpt(lib.Source, lib.Names(code+scalars))
	types := signatures(list, scalars)
	var b strings.Builder
	for _, t := range list {
		b.WriteString(t.Comment + types[t.Name] + t.Text + "\n")
	}
	if runtime != "" {
		b.WriteString("-- Grades and searches.\n\n" + runtime)
	}
	if scalars != "" {
		b.WriteString("-- Functions of numbers.\n\n" + scalars + "\n")
	}
	if library != "" {
		b.WriteString("-- The functions of the library.\n\n" + library)
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}

func comments(list []Text) (text string) {
	for _, t := range list {
		text += "\n" + t.Comment
	}
	return text
}

// signatures returns the types of functions, for arguments of the types that these have.
func signatures(list []Text, scalars string) map[string]string {
	text := scalars
	for _, t := range list {
		text += t.Text
	}
	tree, err := syntax.Parse(diag.NewSource("kernels", text))
	must(err)
	scope, err := types.NewScope(lib.Scope(), tree)
	must(err)
	info, all := types.NewInfo(), map[string]string{}
	for _, t := range list {
		g := scope.Globals[t.Name]
		if g == nil {
			continue
		}
		must(types.Infer(g, info))
		var args []types.Type
		for _, p := range t.Params {
			args = append(args, p.Type())
		}
		use, bad := types.Instantiate(g, args)
		if bad >= 0 {
			panic(fmt.Sprintf("internal error: argument %d of a kernel has another type: %s\n%s", bad, g.Scheme, t.Text))
		}
		all[t.Name] = arrows("sig " + t.Name + " : " + types.Text(types.Substitution{Use: use}.Type(g.Scheme.Type)))
	}
	return all
}

// arrows writes a signature, on several lines where it is long.
func arrows(text string) string {
	parts, line, lines := strings.Split(text, " -> "), "", ""
	for i, p := range parts {
		if i > 0 {
			p = " -> " + p
		}
		if len(line)+len(p) > width {
			lines, line = lines+line+"\n ", ""
		}
		line += p
	}
	return lines + line + "\n"
}

// Type is the type of FCL of a parameter.
func (p Param) Type() types.Type {
	switch {
	case p.Buf != nil:
		return &types.Pull{Elem: TypeOf(p.Buf.Elem)}
	case p.Var != nil:
		return TypeOf(p.Var.Kind)
	}
	return types.Int
}

func must(err error) {
	if err == nil {
		return
	}
	text := err.Error()
	if e, ok := err.(*diag.Error); ok {
		text = e.Render()
	}
	panic("internal error: a kernel is no FCL: " + text)
}
