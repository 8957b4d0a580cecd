package tail

import (
	"io"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/display"
)

// Formatting and printing.

var textOps = map[Op]builtin{
	OpFormat: {run: func(s *site, a []*array.Array) *array.Array {
		return display.FormatArray(a[0], s.m.env.PP)
	}, alias: true},
	OpPrint: {run: func(s *site, a []*array.Array) *array.Array {
		s.m.check(display.Write(s.m.env.Stdout, a[0], s.m.env.PP))
		return a[0]
	}, alias: true},
	OpPrintBare: {run: func(s *site, a []*array.Array) *array.Array {
		text := display.Format(a[0], s.m.env.PP)
		_, err := io.WriteString(s.m.env.Stdout, text[:max(0, len(text)-1)])
		s.m.check(err)
		return a[0]
	}, alias: true},
}

// check stops the evaluation where output failed.
func (m *machine) check(err error) {
	if err != nil {
		panic(stop{err})
	}
}
