package gradual

import (
	"fmt"
	"io"
	"strings"

	"github.com/tailor-lang/tailor/interp"
)

// Report writes a line for each compiled function that was called: where it is, the
// types of its arguments, and how often it was called in the evaluator and as C.
func (c *Compiler) Report(w io.Writer) {
	for _, f := range c.log {
		var routes []string
		for level, name := range []string{evaluated: "evaluated", quick: "compiled, -O1", optimised: "compiled, -O3"} {
			if n := f.calls[level]; n > 0 {
				routes = append(routes, fmt.Sprintf("%d %s", n, name))
			}
		}
		if len(routes) > 0 {
			fmt.Fprintf(w, "calls      %s: %s\n", Title(f.unit), strings.Join(routes, ", "))
		}
	}
}

// maxTitle is how much of a function's source a title has.
const maxTitle = 30

// Title names a unit by its place, the beginning of its source and the types of its
// arguments; statements on several lines by these.
func Title(u *interp.Unit) string {
	if more := strings.Count(u.Where.Text(), "\n"); u.Once && more > 0 {
		return strings.TrimSpace(fmt.Sprintf("%s to line %d %s", u.Where, u.Where.Line()+more, typesText(u)))
	}
	text := []rune(strings.Join(strings.Fields(u.Where.Text()), " "))
	if len(text) > maxTitle {
		text = append(text[:maxTitle-1], '…')
	}
	return strings.TrimSpace(fmt.Sprintf("%s %s%s %s", u.Where, string(text), u.Form, typesText(u)))
}

// typeText writes a type as annotations do.
func typeText(t interp.ArgType) string { return typeOf(t).String() }
