package structured

import (
	"reflect"
	"strings"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/array"
)

// withoutSpaces returns a body in which the names of scripts of namespaces are names of the program,
// with their paths before them:
//
//	:Namespace stack             stack.items←⍬
//	items←⍬                      stack.push←{stack.items,←⍵}
//	push←{items,←⍵}
//	:EndNamespace
//
// It reports false where a namespace is more than the place of its names: a value, one that is made
// while the program runs, or one in which texts are read.
func withoutSpaces(body []apl.Stmt) ([]apl.Stmt, origins, bool) {
	s := &spaces{known: set{}}
	s.find(body, "")
	if len(s.known) == 0 {
		return body, nil, true
	}
	visit(body, s.fixed)
	of := origins{}
	body = s.joined(body, "", origin{value: 1, set: assignsSystem(body...), of: of})
	return body, of, !s.bad
}

// spaces are the namespaces of a program.
type spaces struct {
	known set // their paths: "stack."
	bad   bool
}

func (s *spaces) find(body []apl.Stmt, path string) {
	for _, x := range body {
		if n, ok := x.(*apl.NamespaceDef); ok {
			inner := path + n.Name.Ident + "."
			s.known[inner] = true
			s.find(n.Body, inner)
		}
	}
}

// byText are the functions whose arguments name names.
var byText = set{execute: true, "⎕NS": true, "⎕EX": true, "⎕FX": true, "⎕NL": true, "⎕CS": true, "⎕CR": true, "⎕NR": true, "⎕VR": true, "⎕OR": true, "⎕AT": true, "⎕ED": true}

// fixed requires that a node names no names but those that it has.
func (s *spaces) fixed(n apl.Node) {
	switch n := n.(type) {
	case *apl.Prim:
		s.bad = s.bad || byText[n.Glyph]
	case *apl.Control:
		s.bad = s.bad || n.Word == apl.With
	case *apl.NamespaceLit:
		s.bad = true
	case *apl.Dop: // it is read again from its text
		s.bad = s.bad || len(apl.FreeNames(n).Free) > 0
	}
}

// joined are the statements of a namespace as those of the program.
func (s *spaces) joined(body []apl.Stmt, path string, io origin) []apl.Stmt {
	var all []apl.Stmt
	for _, x := range body {
		if n, ok := x.(*apl.NamespaceDef); ok {
			all = append(all, s.joined(n.Body, path+n.Name.Ident+".", io)...)
			if io.set {
				all = append(all, io.stmt(n.Name.At))
			}
			continue
		}
		e, plain := x.(*apl.ExprStmt)
		s.bad = s.bad || path != "" && apl.DefinedName(x) == "" && !(plain && e.Silent)
		p := &spacePath{s, path, io.set && path != ""}
		now, _ := rewrite(reflect.ValueOf(&x).Elem(), p.node)
		if x = now.Interface().(apl.Stmt); io.set {
			var ok bool
			x, ok = io.stated(x, path)
			s.bad = s.bad || !ok
		}
		all = append(all, x)
	}
	return all
}

// spacePath gives names their paths.
type spacePath struct {
	*spaces
	path  string
	apart bool // it has an index origin that the functions of the program have not
}

func (p *spacePath) node(n apl.Node) apl.Node {
	switch n := n.(type) {
	case *apl.Var:
		p.bad = p.bad || p.known[p.path+n.Ident+"."] || strings.HasPrefix(n.Ident, "#") || n.Ident == "⎕THIS"
		return &apl.Var{At: n.At, Ident: p.whole(n.Ident)}
	case *apl.FuncName:
		return &apl.FuncName{At: n.At, Ident: p.whole(n.Ident)}
	case *apl.OpName:
		return &apl.OpName{At: n.At, Ident: p.whole(n.Ident)}
	case *apl.Name:
		return &apl.Name{At: n.At, Ident: p.whole(n.Ident)}
	case *apl.Member:
		return &apl.Var{At: n.At, Ident: p.member(n.X, n.Name)}
	case *apl.MemberFunc:
		return &apl.FuncName{At: n.At, Ident: p.member(n.X, n.Name)}
	case *apl.MemberOp:
		return &apl.OpName{At: n.At, Ident: p.member(n.X, n.Name)}
	case *apl.NameTarget:
		return &apl.NameTarget{At: n.At, Ident: p.whole(n.Ident)}
	case *apl.IndexTarget:
		return &apl.IndexTarget{At: n.At, Ident: p.whole(n.Ident), Items: p.items(n.Items)}
	case *apl.MemberTarget:
		name := p.member(n.X, n.Name)
		if n.Items == nil {
			return &apl.NameTarget{At: n.At, Ident: name}
		}
		return &apl.IndexTarget{At: n.At, Ident: name, Items: p.items(n.Items)}
	case *apl.Monadic:
		return p.class(n)
	case *apl.Dop:
		return n
	}
	return nil
}

func (p *spacePath) items(items []apl.Expr) []apl.Expr {
	now, _ := rewrite(reflect.ValueOf(items), p.node)
	return now.Interface().([]apl.Expr)
}

// class is ⎕NC'name' where the name has a path, nil for another call.
func (p *spacePath) class(n *apl.Monadic) apl.Node {
	f, ok := n.F.(*apl.Prim)
	if !ok || f.Glyph != "⎕NC" {
		return nil
	}
	text, quoted := n.Y.(*apl.Literal)
	if !quoted || text.Value.Elem != array.Char || len(text.Value.Shape) > 1 || !apl.IsName(string(text.Value.Chars)) {
		p.bad = true
		return n
	}
	whole := array.VectorChar([]rune(p.whole(string(text.Value.Chars))))
	return &apl.Monadic{At: n.At, F: n.F, Y: &apl.Literal{At: text.At, Value: whole}}
}

// whole returns a name of the namespace with its path.
func (p *spacePath) whole(name string) string {
	for _, special := range []string{"⍺", "⍵", "∇", "⎕", "⍞"} {
		if strings.HasPrefix(name, special) {
			return name
		}
	}
	return p.path + name
}

// member returns the name of X.name.
func (p *spacePath) member(x apl.Expr, name string) string {
	of, ok := p.space(x)
	if !ok || !apl.IsName(name) || p.apart && of == "" {
		p.bad = true
	}
	return of + name
}

// space returns the path of the namespace that x refers to, "" for that of the program.
func (p *spacePath) space(x apl.Expr) (string, bool) {
	switch x := x.(type) {
	case *apl.Var:
		switch x.Ident {
		case "#":
			return "", true
		case "##":
			return outerSpace(p.path)
		}
		of := p.path + x.Ident + "."
		return of, p.known[of]
	case *apl.Member:
		of, ok := p.space(x.X)
		if x.Name == "##" && ok {
			return outerSpace(of)
		}
		of += x.Name + "."
		return of, ok && p.known[of]
	case *apl.Paren:
		return p.space(x.X)
	}
	return "", false
}

// outerSpace returns the path of the namespace around one.
func outerSpace(path string) (string, bool) {
	inner := strings.TrimSuffix(path, ".")
	return path[:strings.LastIndex(inner, ".")+1], path != ""
}
