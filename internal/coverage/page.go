package coverage

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/internal/conform"
	"github.com/tailor-lang/tailor/internal/diag"
)

// Sections returns the rows of the page with their statuses; compiled is
// testdata/expr, and interpreted testdata/interp.
func Sections(compiled, interpreted string) ([]Section, error) {
	counts, err := count(compiled)
	if err != nil {
		return nil, err
	}
	more, err := count(interpreted)
	if err != nil {
		return nil, err
	}
	monadic, dyadic := Functions()
	all := []Section{
		{"Functions with one argument", monadic},
		{"Functions with two arguments", dyadic},
		{"Operators", operators},
		{"N-wise reduction", windows},
		{"Axes in brackets", axes},
		{"Syntax", syntax},
		{"System names", systemNames()},
	}
	for _, s := range all {
		for i := range s.Rows {
			r := &s.Rows[i]
			r.Cases, r.Refusal = counts[r.Key], limits[r.Key]
			r.Interpreted = r.Cases + more[r.Key]
			if elsewhere[r.Key] {
				r.Interpreted++
			}
			switch {
			case refused[r.Key] || r.Status == Refused:
				r.Status, r.Cases = Refused, 0
			case len(r.Refusal) > 0:
				r.Status = Partial
			default:
				r.Status = Compiled
			}
		}
	}
	return all, nil
}

// count says how many cases that give a result use each form.
func count(folder string) (map[string]int, error) {
	names, err := filepath.Glob(filepath.Join(folder, "*.txt"))
	if err != nil {
		return nil, err
	}
	counts := map[string]int{}
	for _, name := range names {
		cases, err := conform.Expressions(name)
		if err != nil {
			return nil, err
		}
		for _, c := range cases {
			if c.Fault != "" {
				continue
			}
			p, err := apl.Parse(diag.NewSource(name, c.Source))
			if err != nil && p == nil {
				return nil, fmt.Errorf("%s:%d: %w", name, c.Line, err)
			}
			for key := range uses(p) {
				counts[key]++
			}
		}
	}
	return counts, nil
}

// sums are the numbers of rows: compiled, in part, interpreted only, and refused.
type sums struct{ rows, compiled, partial, interpreted, refused int }

// tally counts the rows of some sections by status.
func tally(sections ...Section) (n sums) {
	for _, s := range sections {
		for _, r := range s.Rows {
			n.rows++
			switch {
			case r.Status == Compiled:
				n.compiled++
			case r.Status == Partial:
				n.partial++
			case r.Interpreted > 0:
				n.interpreted++
			default:
				n.refused++
			}
		}
	}
	return n
}

func sentence(what string, n sums) string {
	return fmt.Sprintf("%d %s: %d compiled, %d in part, %d only interpreted, %d refused by name", n.rows, what,
		n.compiled, n.partial, n.interpreted, n.refused)
}

// Summary is the count, a line for the README.
func Summary(all []Section) string {
	return sentence("uses of the function glyphs", tally(all[0], all[1])) + "; " +
		sentence("operators", tally(all[2])) + "."
}

// Page writes docs/coverage.md.
func Page(all []Section) string {
	var b strings.Builder
	b.WriteString("# What is compiled, interpreted and refused\n\n")
	b.WriteString("This page is made from the table of glyphs and the tests: `go test ./internal/coverage -update`.\n")
	b.WriteString("*Compiled* means that the cases under testdata/expr that use the form give Dyalog's answer through the\n")
	b.WriteString("evaluator, the optimiser and C, on simple arrays; *in part* says what is not compiled, with the message of\n")
	b.WriteString("`--static`. *Interpreted* means that cases, under testdata/interp too, give Dyalog's answer through the\n")
	b.WriteString("interpreter, which runs programs that are not compiled. *Refused* is what neither does. The denominator is Dyalog's table of\n")
	b.WriteString("primitives.\n\n")
	b.WriteString("*Nested* says the same of nested arguments of which only the run knows the lengths: vectors of numbers, texts,\n")
	b.WriteString("vectors of vectors, and a matrix of vectors, `a`, `t`, `b` and `m` below, alone and beside simple and nested left\n")
	b.WriteString("arguments. Numbers are those of the uses that are compiled and of those that the interpreter runs.\n\n")
	fmt.Fprintf(&b, "```apl\n%s```\n\n", nestedSource("", nestedArguments...))
	b.WriteString(Summary(all) + "\n")
	for _, s := range all {
		n := tally(s)
		fmt.Fprintf(&b, "\n## %s\n\n%s.\n\n| form | name | compiled | nested | interpreted | refused | limits of what is compiled |\n|---|---|---|---|---|---|---|\n", s.Title, sentence("forms", n))
		for _, r := range s.Rows {
			runs, no := "no", "by name"
			if r.Interpreted > 0 {
				runs, no = "yes", ""
			} else if r.Status != Refused {
				no = ""
			}
			fmt.Fprintf(&b, "| `%s` | %s | %v | %v | %s | %s | %s |\n", cell(r.Form), cell(r.Name), r.Status, r.Nested, runs, no, limitsOf(r))
		}
	}
	fmt.Fprintf(&b, bitwise, "`")
	return b.String()
}

// cell escapes what would end a cell of a table.
func cell(s string) string { return strings.ReplaceAll(s, "|", "\\|") }

func limitsOf(r Row) string {
	var parts []string
	for _, l := range r.Refusal {
		text := fmt.Sprintf("`%s`: %s", cell(l.Source), l.Message)
		if l.What != "" {
			text = l.What + " (" + text + ")"
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, "; ")
}

const bitwise = `
## Bitwise operations

Integers have no bitwise functions in APL. The usual spelling through digits to base 2 is compiled to machine
operations, for any number of digits up to 62 that is known when compiling:

` + "```" + `apl
bits←30⍴2
and←{2⊥(bits⊤⍺)∧bits⊤⍵}
or ←{2⊥(bits⊤⍺)∨bits⊤⍵}
xor←{2⊥(bits⊤⍺)≠bits⊤⍵}
not←{(¯1+2*30)xor ⍵}
` + "```" + `

The arguments are scalars, as under ¨, or arrays whose extents are known to be equal: %[1]s12 and¨x%[1]s is a loop with
one instruction an element. The digits of a negative integer are those of two's complement. Shifts are %[1]s⍺×2*n%[1]s and
%[1]s⌊⍺÷2*n%[1]s.
`
