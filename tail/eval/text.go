package eval

import (
	"errors"
	"io"
	"os"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/data"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/internal/display"
	"github.com/tailor-lang/tailor/tail"
)

// Formatting, printing, and files.

// precision returns the print precision of an application of print, printbare
// or format: its own, or that of the program.
func (s *site) precision() int {
	if own := s.Precision(); own > 0 {
		return own
	}
	return s.m.env.PP
}

var textOps = map[tail.Op]builtin{
	tail.OpFormat: {run: func(s *site, a []*array.Array) *array.Array {
		return display.FormatArray(a[0], s.precision())
	}, alias: true},
	tail.OpFormatBy: {run: formatBy},
	tail.OpPicture: {run: func(s *site, a []*array.Array) *array.Array {
		return display.Picture(a[0].Chars, a[1:], s.precision())
	}, alias: true},
	tail.OpPrint: {run: func(s *site, a []*array.Array) *array.Array {
		if show := s.m.env.Display; show != nil {
			show(a[0], s.precision())
			return a[0]
		}
		s.m.check(display.Write(s.m.env.Stdout, a[0], s.precision()))
		return a[0]
	}, alias: true},
	tail.OpPrintBare: {run: func(s *site, a []*array.Array) *array.Array {
		_, err := io.WriteString(s.m.env.Stdout, display.FormatBare(a[0], s.precision()))
		s.m.check(err)
		return a[0]
	}, alias: true},
	tail.OpReadText:    {run: readText},
	tail.OpWriteText:   {run: writeText},
	tail.OpReadCSV:     {run: readCSV},
	tail.OpCSVText:     {run: func(s *site, a []*array.Array) *array.Array { return array.VectorChar(data.CSVText(a[0])) }},
	tail.OpReadNpy:     {run: readNpy},
	tail.OpWriteNpy:    {run: writeNpy},
	tail.OpParseNumber: {run: parseNumber},
}

// check stops the evaluation where output failed.
func (m *machine) check(err error) {
	if err != nil {
		panic(stop{err})
	}
}

// checkFile reports what is wrong with a file as the fault that its kind says,
// at the function.
func (s *site) checkFile(err error) {
	if err == nil {
		return
	}
	var wrong *data.Error
	if !errors.As(err, &wrong) {
		raiseAt(s.Where, tail.FaultFile, err.Error())
	}
	switch wrong.Code.Kind() {
	case diag.Domain:
		raiseAt(s.Where, tail.FaultFormat, wrong.Message)
	case diag.Type:
		raiseAt(s.Where, tail.FaultAnnotation, wrong.Message)
	}
	raiseAt(s.Where, tail.FaultFile, wrong.Message)
}

// commit is called before a file is written.
func (s *site) commit() {
	if s.m.env.Commit != nil {
		s.m.check(s.m.env.Commit())
	}
}

// opening returns the name of a file that is going to be read. One that is not
// regular, such as a pipe, can be read only once.
func (s *site) opening(a *array.Array) string {
	name := string(a.Chars)
	if s.m.env.Commit != nil {
		if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
			s.commit()
		}
	}
	return name
}

func readText(s *site, a []*array.Array) *array.Array {
	text, err := data.ReadText(s.opening(a[0]))
	s.checkFile(err)
	return array.VectorChar(text)
}

func writeText(s *site, a []*array.Array) *array.Array {
	s.commit()
	n, err := data.WriteText(a[0].Chars, string(a[1].Chars), a[2].Ints[0] != 0)
	s.checkFile(err)
	return array.ScalarInt(n)
}

func readCSV(s *site, a []*array.Array) *array.Array {
	r, err := data.ReadCSV(s.opening(a[0]), s.Ty.(*tail.Array).Elem)
	s.checkFile(err)
	return r
}

func readNpy(s *site, a []*array.Array) *array.Array {
	t := s.Ty.(*tail.Array)
	r, err := data.ReadNpy(s.opening(a[0]), t.Elem, t.Dims())
	s.checkFile(err)
	return r
}

func writeNpy(s *site, a []*array.Array) *array.Array {
	s.commit()
	n, err := data.WriteNpy(a[0], string(a[1].Chars))
	s.checkFile(err)
	return array.ScalarInt(n)
}

func parseNumber(s *site, a []*array.Array) *array.Array {
	x, err := data.ParseNumber(a[0].Chars)
	s.checkFile(err)
	return array.ScalarDouble(x)
}

func formatBy(s *site, a []*array.Array) *array.Array {
	r := display.FormatBy(a[0].Ints, a[1])
	if r == nil {
		raise(s.Apply, tail.FaultTakeLength, a[0].Len(), a[1].Shape)
	}
	return r
}
