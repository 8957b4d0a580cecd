package session

import (
	"fmt"
	"strings"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/tail"
)

// exampled returns the line to show in a stage of the compiler: where it is the name
// of a function, its last call, or one with arguments that its annotation allows.
func (s *Session) exampled(line string) (call string, example bool, err error) {
	for _, k := range s.known {
		if k.Name != line || k.class != apl.FunctionClass {
			continue
		}
		call := k.worked
		if call == "" {
			call = annotatedCall(k)
		}
		if call == "" {
			return "", false, fmt.Errorf("%s has neither been called nor an annotation; give arguments: %s 1 2 3", line, line)
		}
		s.Note("of  " + strings.TrimSpace(call))
		return call, true, nil
	}
	return line, false, nil
}

// hideArguments makes constants to which functions of p are applied unknown to the
// compiler, but for their types: what is shown is the function, not its value.
func hideArguments(p *tail.Program) {
	place := 0
	tail.Walk(p.Main, func(e tail.Expr) bool {
		if c, ok := e.(*tail.Call); ok {
			for i, a := range c.Args {
				if l, ok := a.(*tail.Lit); ok {
					hidden := parameter(l.Value, place).(*tail.Apply)
					hidden.Ty = l.Ty.Plain()
					c.Args[i] = hidden
					place++
				}
			}
		}
		return true
	})
}

// annotatedCall returns a call of a function with arguments of the types of its
// annotation, or "".
func annotatedCall(k known) string {
	def, ok := k.Stmt.(*apl.FuncDef)
	if !ok {
		return ""
	}
	note := def.Note
	if f, ok := def.F.(*apl.Dfn); ok && note == nil {
		note = f.Note
	}
	if note == nil {
		return ""
	}
	ty, err := tail.ParseAnnotation(note.Text)
	if err != nil {
		return ""
	}
	var args []string
	for {
		f, ok := ty.(*tail.FuncType)
		if !ok {
			break
		}
		for _, p := range f.Params {
			a, ok := p.(*tail.Array)
			if !ok {
				return ""
			}
			args = append(args, "("+spell(exampleOf(a))+")")
		}
		ty = f.Result
	}
	switch len(args) {
	case 1:
		return k.Name + " " + args[0]
	case 2:
		return args[0] + " " + k.Name + " " + args[1]
	}
	return ""
}

// exampleExtent stands for variables of sizes.
const exampleExtent = 3

// exampleOf returns an array of a type: numbers from 1 on, or letters; ranks and
// element types that are variables are 1 and int.
func exampleOf(t *tail.Array) *array.Array {
	rank := 1
	if n, ok := t.Rank.IsConst(); ok {
		rank = int(n)
	}
	shape := make([]int, rank)
	for i := range shape {
		shape[i] = exampleExtent
		if _, ok := t.Rank.IsConst(); ok && !t.Extent(i).Any {
			shape[i] = max(exampleSize(t.Extent(i)), 0)
		}
	}
	elem := t.Elem
	if elem == array.NoElem {
		elem = array.Int
	}
	a := array.New(elem, shape...)
	for i := range a.Len() {
		switch elem {
		case array.Bool:
			a.Bools[i] = byte(1 - i%2)
		case array.Int:
			a.Ints[i] = int64(i + 1)
		case array.Double:
			a.Doubles[i] = float64(i) + 1.5
		case array.Char:
			a.Chars[i] = rune('a' + i%26)
		case array.Complex:
			a.Complexes[i] = complex(float64(i+1), 1)
		}
	}
	return a
}

// exampleSize returns a size in which all variables are the same.
func exampleSize(s tail.Size) int {
	n := s.Const
	for _, t := range s.Terms {
		n += t.Coef * exampleExtent
	}
	return int(n)
}
