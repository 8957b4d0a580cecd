package library

import (
	"embed"
	"fmt"
	"go/format"
	"io/fs"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"text/template"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/cgen"
	"github.com/tailor-lang/tailor/laila/ir"
)

//go:embed templates
var folder embed.FS

// templates are the files that a library comes with.
var templates = sync.OnceValue(func() *template.Template {
	sub, err := fs.Sub(folder, "templates")
	if err != nil {
		panic("internal error: " + err.Error())
	}
	return template.Must(template.New("").Funcs(template.FuncMap{
		"upper": strings.ToUpper,
		"list":  func(all ...any) []any { return all },
		"quote": strconv.Quote,
		"lines": func(text string) []string {
			if text == "" {
				return nil
			}
			return strings.Split(text, "\n")
		},
		"comment": func(text string) string { return strings.ReplaceAll(text, "*/", "* /") },
		"runes":   func(text string) string { return strings.ReplaceAll(text, "'", "''") },
	}).ParseFS(sub, "*"))
})

// File is a file of a library beside the shared object.
type File struct{ Name, Text string }

// Files returns the sources by which the library is called. Object is the name of the
// shared object.
func (l *Library) Files() ([]File, error) {
	var files []File
	for _, t := range []string{"header.h", "module.py", "stub.pyi", "package.go", "namespace.na"} {
		text, err := l.render(t)
		if err != nil {
			return nil, err
		}
		if t == "package.go" {
			source, err := format.Source([]byte(text))
			if err != nil {
				return nil, fmt.Errorf("internal error: %w", err)
			}
			text = string(source)
		}
		files = append(files, File{l.Prefix + t[strings.LastIndexByte(t, '.'):], text})
	}
	return files, nil
}

func (l *Library) render(name string) (string, error) {
	var b strings.Builder
	err := templates().ExecuteTemplate(&b, name+".tmpl", l)
	return b.String(), err
}

// Runtime returns the header of the run-time's part, for the glue.
func (l *Library) Runtime() string { return cgen.RunTime()["embed.h"] }

// InWords returns the number of words of the arguments.
func (i *Instance) InWords() int {
	n := 0
	for _, s := range i.Args {
		n += s.Words()
	}
	return n
}

// AllWords returns the number of words of the arguments and results.
func (i *Instance) AllWords() int {
	n := i.InWords()
	for _, s := range i.Results {
		n += s.Words()
	}
	return n
}

// At returns the first word of result k.
func (i *Instance) At(k int) int {
	n := i.InWords()
	for _, s := range i.Results[:k] {
		n += s.Words()
	}
	return n
}

// End returns the word behind result k, and ArgAt and ArgEnd the words of argument k.
func (i *Instance) End(k int) int { return i.At(k) + i.Results[k].Words() }

func (i *Instance) ArgAt(k int) int {
	n := 0
	for _, s := range i.Args[:k] {
		n += s.Words()
	}
	return n
}

func (i *Instance) ArgEnd(k int) int { return i.ArgAt(k) + i.Args[k].Words() }

// PyResult returns the type of the result of a function in a stub.
func (f *Function) PyResult() string {
	var all []string
	for _, i := range f.Instances {
		var each []string
		for _, s := range i.Results {
			each = append(each, s.PyType())
		}
		text := strings.Join(each, ", ")
		if len(each) > 1 {
			text = "tuple[" + text + "]"
		}
		if !slices.Contains(all, text) {
			all = append(all, text)
		}
	}
	return strings.Join(all, " | ")
}

// Words returns the number of words of an argument or result.
func (s Slot) Words() int {
	switch {
	case s.Rank > 0:
		return 1 + s.Rank
	case s.Elem == array.Complex:
		return 2
	}
	return 1
}

// Axes returns the numbers of the axes.
func (s Slot) Axes() []int {
	axes := make([]int, s.Rank)
	for i := range axes {
		axes[i] = i
	}
	return axes
}

// Few reports whether the extents are arguments of their own in C.
func (s Slot) Few() bool { return s.Rank <= 2 }

// CType returns the type of elements in C; complex has one of the library.
func (s Slot) CType(prefix string) string {
	switch s.Elem {
	case array.Bool:
		return "bool"
	case array.Int:
		return "int64_t"
	case array.Double:
		return "double"
	case array.Complex:
		return prefix + "_complex"
	}
	return prefix + "_char"
}

// Tag returns the constant of the element type as the header ends it.
func (s Slot) Tag() string { return strings.ToUpper(s.Elem.String()) }

// StoredTag returns the run-time's constant for how elements are stored.
func (s Slot) StoredTag() string {
	return map[ir.Kind]string{ir.U8: "TL_BOOL", ir.I8: "TL_I8", ir.I16: "TL_I16", ir.I32: "TL_I32", ir.I64: "TL_I64",
		ir.F64: "TL_F64", ir.C32: "TL_CHAR", ir.C64: "TL_C64", ir.C8: "TL_BYTE"}[s.Stored]
}

// GoType returns the type of elements in Go.
func (s Slot) GoType() string {
	return map[array.Elem]string{array.Bool: "bool", array.Int: "int64", array.Double: "float64", array.Complex: "complex128", array.Char: "rune"}[s.Elem]
}

// GoArray returns the type of an argument or result in Go.
func (s Slot) GoArray() string {
	switch s.Rank {
	case 0:
		return s.GoType()
	case 1:
		return "[]" + s.GoType()
	}
	return "Array[" + s.GoType() + "]"
}

// DType returns the type of elements for NumPy.
func (s Slot) DType() string {
	return map[array.Elem]string{array.Bool: "?", array.Int: "i8", array.Double: "f8", array.Complex: "c16", array.Char: "U1"}[s.Elem]
}

// PyType returns the type of an argument or result in a stub.
func (s Slot) PyType() string {
	scalar := map[array.Elem]string{array.Bool: "bool", array.Int: "int", array.Double: "float", array.Complex: "complex", array.Char: "str"}[s.Elem]
	if s.Rank == 0 || s.Elem == array.Char && s.Rank == 1 {
		return scalar
	}
	return "NDArray[np." + map[array.Elem]string{array.Bool: "bool_", array.Int: "int64", array.Double: "float64", array.Complex: "complex128", array.Char: "str_"}[s.Elem] + "]"
}

// NAType returns the type of elements in the strings of ⎕NA.
func (s Slot) NAType() string {
	return map[array.Elem]string{array.Bool: "I1", array.Int: "I8", array.Double: "F8", array.Complex: "J16", array.Char: "C4"}[s.Elem]
}

// Arrays returns the constants of the glue: the arrays that functions refer to.
func (l *Library) Arrays() []Constant {
	var all []Constant
	for _, i := range l.Instances {
		for k, a := range i.Captured {
			if a.Rank() > 0 {
				all = append(all, Constant{fmt.Sprintf("captured_%d_%d", i.Number, k), a})
			}
		}
	}
	return all
}

// CapturedSlots returns the types and ranks of what an instance is given behind its
// arguments.
func (i *Instance) CapturedSlots() (slots []Slot) {
	stored := map[array.Elem]ir.Kind{array.Bool: ir.U8, array.Int: ir.I64, array.Double: ir.F64, array.Complex: ir.C64, array.Char: ir.C32}
	for _, a := range i.Captured {
		slots = append(slots, Slot{Elem: a.Elem, Rank: a.Rank(), Stored: stored[a.Elem]})
	}
	return slots
}

// Constant is an array in C.
type Constant struct {
	Name  string
	Array *array.Array
}

// CType returns the type of the elements.
func (c Constant) CType() string {
	return map[array.Elem]string{array.Bool: "uint8_t", array.Int: "int64_t", array.Double: "double", array.Complex: "double", array.Char: "uint32_t"}[c.Array.Elem]
}

// Elements returns the elements as an initialiser.
func (c Constant) Elements() string {
	var b strings.Builder
	put := func(text string) {
		if b.Len() > 0 {
			b.WriteString(", ")
		}
		b.WriteString(text)
	}
	for i := range c.Array.Len() {
		switch c.Array.Elem {
		case array.Bool, array.Int:
			put(intText(c.Array.Int(i)))
		case array.Double:
			put(doubleText(c.Array.Doubles[i]))
		case array.Complex:
			put(doubleText(real(c.Array.Complexes[i])))
			put(doubleText(imag(c.Array.Complexes[i])))
		case array.Char:
			put(strconv.Itoa(int(c.Array.Chars[i])))
		}
	}
	if b.Len() == 0 {
		return "0"
	}
	return b.String()
}

func intText(n int64) string {
	if n == math.MinInt64 {
		return "INT64_MIN"
	}
	return fmt.Sprintf("INT64_C(%d)", n)
}

func doubleText(x float64) string {
	switch {
	case math.IsInf(x, 1):
		return "__builtin_inf()"
	case math.IsInf(x, -1):
		return "-__builtin_inf()"
	}
	return strconv.FormatFloat(x, 'x', -1, 64)
}

// Words returns what an instance is given behind its arguments, as initialisers.
func (i *Instance) Words() []string {
	var words []string
	for k, a := range i.Captured {
		if a.Rank() > 0 {
			words = append(words, fmt.Sprintf("{.pointer = captured_%d_%d}", i.Number, k))
			for _, n := range a.Shape {
				words = append(words, fmt.Sprintf("{.word = %d}", n))
			}
			continue
		}
		c := Constant{Array: a}
		for _, e := range strings.Split(c.Elements(), ", ") {
			if a.Elem == array.Double || a.Elem == array.Complex {
				words = append(words, fmt.Sprintf("{.number = %s}", e))
			} else {
				words = append(words, fmt.Sprintf("{.word = %s}", e))
			}
		}
	}
	return words
}
