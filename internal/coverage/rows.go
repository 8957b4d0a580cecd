package coverage

import (
	"strings"

	"github.com/tailor-lang/tailor/apl"
)

// Status says how far a form is compiled.
type Status uint8

// The statuses. The zero value is "unset".
const (
	NoStatus Status = iota
	Compiled        // evaluator and C agree on its cases
	Partial         // the same, but some uses are refused
	Refused         // never compiled
)

func (s Status) String() string { return [...]string{"unset", "yes", "in part", "no"}[s] }

// Row is a form of the language.
type Row struct {
	Key    string // what uses calls it
	Form   string // as users write it
	Name   string
	Status Status
	Cases  int // how many cases use it that are compiled
	// Interpreted is the number of cases that the interpreter runs.
	Interpreted int
	Refusal     []Refusal
	Nested      Nested
}

// Refusal is a program that is refused, and what the message says.
type Refusal struct {
	Source  string
	Message string // a part of the message
	What    string // what is missing, in the page
}

// Section is a part of the page.
type Section struct {
	Title string
	Rows  []Row
}

// Functions returns the rows of the function glyphs with one argument and
// those with two.
func Functions() (monadic, dyadic []Row) {
	for _, g := range apl.Glyphs {
		if g.Class != apl.FunctionGlyph && g.Class != apl.HybridGlyph {
			continue
		}
		if g.Monadic != "" {
			monadic = append(monadic, Row{Key: "1" + g.Glyph, Form: g.Glyph + "y", Name: g.Monadic})
		}
		if g.Dyadic != "" {
			dyadic = append(dyadic, Row{Key: "2" + g.Glyph, Form: "x" + g.Glyph + "y", Name: g.Dyadic})
		}
	}
	return monadic, dyadic
}

// operators lists the uses of operators in the order of the table of glyphs.
var operators = []Row{
	{Key: "f/", Form: "f/", Name: "reduce"},
	{Key: "f\\", Form: "f\\", Name: "scan"},
	{Key: "f⌿", Form: "f⌿", Name: "reduce first"},
	{Key: "f⍀", Form: "f⍀", Name: "scan first"},
	{Key: "f¨", Form: "f¨", Name: "each"},
	{Key: "f⍨", Form: "f⍨", Name: "commute"},
	{Key: "a⍨", Form: "a⍨", Name: "constant"},
	{Key: "f⌸", Form: "f⌸", Name: "key"},
	{Key: "f&", Form: "f&", Name: "spawn"},
	{Key: "a⌶", Form: "a⌶", Name: "i-beam"},
	{Key: "f⍣g", Form: "f⍣g f⍣a", Name: "power operator"},
	{Key: "f.g", Form: "f.g", Name: "inner product"},
	{Key: "∘.f", Form: "∘.f", Name: "outer product"},
	{Key: "f∘g", Form: "f∘g", Name: "beside"},
	{Key: "a∘f", Form: "a∘f f∘a", Name: "bind"},
	{Key: "f⍤g", Form: "f⍤g", Name: "atop"},
	{Key: "f⍤a", Form: "f⍤a", Name: "rank"},
	{Key: "f⍥g", Form: "f⍥g", Name: "over"},
	{Key: "f⍛g", Form: "f⍛g", Name: "behind"},
	{Key: "f@a", Form: "f@a f@g", Name: "at"},
	{Key: "f⍠a", Form: "f⍠a", Name: "variant"},
	{Key: "f⌺a", Form: "f⌺a", Name: "stencil"},
}

var windows = []Row{
	{Key: "n/", Form: "n f/y", Name: "n-wise reduce"},
	{Key: "n⌿", Form: "n f⌿y", Name: "n-wise reduce first"},
	{Key: "n[/", Form: "n f/[k]y", Name: "n-wise reduce along an axis"},
}

var axes = []Row{
	{Key: "[f/", Form: "f/[k]y", Name: "reduce"},
	{Key: "[f\\", Form: "f\\[k]y", Name: "scan"},
	{Key: "[1⌽", Form: "⌽[k]y ⊖[k]y", Name: "reverse"},
	{Key: "[2⌽", Form: "x⌽[k]y x⊖[k]y", Name: "rotate"},
	{Key: "[1,", Form: ",[k]y", Name: "ravel with axes"},
	{Key: "[2,", Form: "x,[k]y x⍪[k]y", Name: "catenate, laminate"},
	{Key: "[2/", Form: "x/[k]y x⌿[k]y", Name: "replicate"},
	{Key: "[2\\", Form: "x\\[k]y x⍀[k]y", Name: "expand"},
	{Key: "[2↑", Form: "x↑[k]y", Name: "take"},
	{Key: "[2↓", Form: "x↓[k]y", Name: "drop"},
	{Key: "[2⌷", Form: "x⌷[k]y", Name: "index"},
	{Key: "[s", Form: "x+[k]y", Name: "dyadic scalar functions"},
	{Key: "[1↑", Form: "↑[k]y", Name: "mix"},
	{Key: "[1↓", Form: "↓[k]y", Name: "split"},
	{Key: "[1⊂", Form: "⊂[k]y", Name: "enclose"},
	{Key: "[2⊂", Form: "x⊂[k]y x⊆[k]y", Name: "partition"},
}

var syntax = []Row{
	{Key: "strand", Form: "1 2 3 a b", Name: "strands"},
	{Key: "index", Form: "x[i;j]", Name: "bracket index"},
	{Key: "assign", Form: "x←y", Name: "assignment"},
	{Key: "modified", Form: "x f←y", Name: "modified assignment"},
	{Key: "indexed", Form: "x[i]←y", Name: "indexed assignment"},
	{Key: "indexed modified", Form: "x[i]f←y", Name: "modified indexed assignment"},
	{Key: "selective", Form: "(2↑x)←y", Name: "selective assignment"},
	{Key: "multiple", Form: "(a b)←y a b←y", Name: "multiple assignment"},
	{Key: "⎕←", Form: "⎕←y", Name: "display"},
	{Key: "⍞←", Form: "⍞←y", Name: "display without a line end"},
	{Key: "dfn", Form: "{⍺+⍵}", Name: "dfns"},
	{Key: "dop", Form: "{⍺⍺ ⍵} {⍺⍺ ⍵⍵ ⍵}", Name: "user operators"},
	{Key: "guard", Form: "c:y", Name: "guards"},
	{Key: "default", Form: "⍺←y", Name: "default left argument"},
	{Key: "recursion", Form: "∇", Name: "recursion"},
	{Key: "fork", Form: "f g h  A g h", Name: "forks"},
	{Key: "atop", Form: "f g", Name: "atops in trains"},
	{Key: "function", Form: "name←f", Name: "named functions"},
	{Key: "error guard", Form: "n::y", Name: "error guards"},
	{Key: "branch", Form: "→y", Name: "branch"},
	{Key: "control", Form: ":If :For …", Name: "control structures"},
	{Key: "tradfn", Form: "∇ r←f y", Name: "functions in header style"},
	{Key: "namespace", Form: "#.x", Name: "namespaces"},
	{Key: "member", Form: "x.name", Name: "names in namespaces that references name"},
	{Key: "input", Form: "y←⎕ y←⍞", Name: "interactive input"},
}

// systemNames returns the rows of the system names.
func systemNames() []Row {
	var rows []Row
	for _, n := range apl.SystemNames {
		name, never := strings.CutSuffix(n.Doc, "; interpreted")
		r := Row{Key: n.Name, Form: n.Name, Name: name}
		if never {
			r.Status = Refused
		}
		if n.Class == apl.FunctionClass {
			r.Form += " y"
		}
		rows = append(rows, r)
	}
	return rows
}
