package cgen

import (
	"fmt"
	"maps"
	"math"
	"strconv"
	"strings"

	"github.com/tailor-lang/tailor/internal/formulas"
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
)

// Target is a flavour of C.
type Target uint8

// The targets. The zero value is "unset".
const (
	NoTarget   Target = iota
	Sequential        // one thread
	OpenMP            // big outermost nests are shared among threads
)

// Options say what to emit.
type Options struct {
	Target Target
	// Entry is the name of the C function that runs the program. Without it
	// the file has a main function. With it, every name of file scope begins
	// with it, so that several programs can share a translation unit.
	Entry string
	// Reproducible cuts the reductions and scans of a sequential program into
	// the same blocks as those of OpenMP, so that sums of doubles are the same.
	Reproducible bool
	// ShareAll shares nests of any size among threads; for tests.
	ShareAll bool
	// Tested is the program that runs where doubles overflow, as the one to be
	// written, which is Sticky, does not test for that; nil where they cannot.
	Tested *ir.Program
	// Facts are what is known of the program; nil where nothing is.
	Facts *facts.Base
	// Notes, where it is not nil, is filled with what was decided.
	Notes *Notes
	// NoInclude leaves out the #include of tailor.h.
	NoInclude bool
	// Profile writes code that counts what the lines of the source cost. The run-time is
	// then compiled with TAILOR_PROFILE.
	Profile bool
	// Progress writes code that says on a terminal how far loops are. The run-time is then
	// compiled with TAILOR_PROGRESS.
	Progress bool
	// Export is the name of the C function by which the program's entry is called from
	// outside, in place of a main function; see entry.go. The run-time is then compiled
	// with TAILOR_LIBRARY.
	Export string
}

// Emit returns the C source of p.
func Emit(p *ir.Program, o Options) (string, error) {
	if o.Target == NoTarget {
		panic("internal error: target is unset")
	}
	return newEmitter(p, o).program(), nil
}

func newEmitter(p *ir.Program, o Options) *emitter {
	if o.Facts == nil {
		o.Facts = facts.NewBase()
	}
	base := *o.Facts
	base.Ranges = maps.Clone(base.Ranges)
	return &emitter{opt: o, base: &base, prog: p, globals: newNames(nil), funcs: map[*ir.Func]string{}, consts: map[*ir.Buf]string{}, places: map[string]string{}, launched: map[*ir.Kernel]string{}, computing: map[string]string{}}
}

// emitter writes one file.
type emitter struct {
	opt       Options
	prog      *ir.Program
	base      *facts.Base // opt.Facts, and the indices of loops that are open
	globals   *names
	funcs     map[*ir.Func]string
	consts    map[*ir.Buf]string
	places    map[string]string // constants that hold excerpts of the source
	kernels   map[string]string // functions for tiles of inner products, by their text
	launched  map[*ir.Kernel]string
	computing map[string]string // functions of the device, by the names that it gave them
	// threaded are the functions that are called where threads share the work.
	threaded map[*ir.Func]bool
	deep     map[*ir.Func]bool // those with a parameter for the number of active recursive calls
	other    string            // the main function of the program with tests for overflow, or ""
	head     strings.Builder   // constants
	text     strings.Builder   // functions
}

// The comments around the copy of a program that tests for overflow, and the size, in
// bytes, from which it is not optimised: it seldom runs.
const (
	testedMark = "/* The same with tests for overflow of doubles. */"
	testedEnd  = "/* End of tests. */"
	longTested = 24 << 10
)

// Weight returns the bytes of a C source without the copy that tests for overflow.
func Weight(source string) int {
	from, to := strings.Index(source, testedMark), strings.Index(source, testedEnd)
	if from < 0 || to < from {
		return len(source)
	}
	return len(source) - (to - from)
}

// program returns the file: constants, prototypes, functions, main.
func (e *emitter) program() string {
	e.functions()
	testedText, testedHead := "", ""
	if tested := e.opt.Tested; tested != nil {
		o := e.opt
		o.Tested, o.Notes, o.Facts = nil, nil, nil
		t := newEmitter(tested, o)
		t.globals = e.globals
		t.functions()
		testedHead = t.head.String()
		level := "O1"
		if t.text.Len() > longTested {
			level = "O0"
		}
		testedText = fmt.Sprintf("\n%s\n#pragma GCC push_options\n#pragma GCC optimize(\"%s\")\n%s#pragma GCC pop_options\n%s\n",
			testedMark, level, t.text.String(), testedEnd)
		e.other = t.funcs[tested.Main]
	}
	entry := e.entry()
	before := e.preamble() + e.head.String() + testedHead
	e.opt.Notes.finish(strings.Count(before, "\n"))
	return before + e.text.String() + testedText + entry
}

// functions writes the functions and the constants that they mention.
func (e *emitter) functions() {
	funcs := reachable(e.prog)
	e.threaded, e.deep = threaded(funcs), deepFuncs(funcs)
	used := usedBufs(funcs)
	for _, c := range e.prog.Consts {
		if used[c.Buf] {
			e.consts[c.Buf] = e.global(c.Buf.Name)
		}
	}
	for _, f := range funcs {
		if f == e.prog.Main {
			e.funcs[f] = e.global("program")
		} else {
			e.funcs[f] = e.global(f.Name)
		}
	}
	e.prototypes(funcs)
	for _, f := range funcs {
		e.text.WriteString("\n")
		e.function(f)
	}
	mentioned := identifiers(e.text.String())
	for _, c := range e.prog.Consts {
		if mentioned[e.consts[c.Buf]] {
			e.constant(c)
		}
	}
}

// preamble returns the lines before the constants.
func (e *emitter) preamble() string {
	var b strings.Builder
	if e.prog.Source != nil && e.prog.Source.Name != "" {
		fmt.Fprintf(&b, "/* Compiled by Tailor from %s. */\n", commentText(e.prog.Source.Name))
	}
	if !e.opt.NoInclude {
		if e.prog.CT != 0 {
			b.WriteString("#define TL_CT tl_ct\n")
		}
		b.WriteString("#include \"tailor.h\"\n")
		if e.prog.Device != nil {
			b.WriteString("#include \"opencl.h\"\n")
		}
		b.WriteString("\n")
	}
	return b.String()
}

// prototypes declares the result types, and the functions that are called
// before their definition.
func (e *emitter) prototypes(funcs []*ir.Func) {
	for _, f := range funcs {
		if len(pieces(f.Results)) > 1 {
			e.resultType(f)
		}
	}
	for _, f := range funcs {
		if f.Recursive {
			fmt.Fprintf(&e.text, "%s;\n", e.newBody(f).signature())
		}
	}
}

// global returns a fresh name of file scope.
func (e *emitter) global(stem string) string {
	if e.opt.Entry != "" {
		return e.globals.fresh(e.opt.Entry + "_" + stem)
	}
	return e.globals.fresh("f_" + stem)
}

// entry returns the function that runs the program.
func (e *emitter) entry() string {
	call := e.funcs[e.prog.Main] + "()"
	if e.other != "" {
		call = fmt.Sprintf("tl_run(%s, %s)", e.funcs[e.prog.Main], e.other)
	}
	if e.opt.Export != "" {
		return e.export()
	}
	start, finish := "", ""
	if e.prog.Device != nil {
		start, finish = fmt.Sprintf("  tl_cl_start(&%s);\n", e.deviceProgram()), "  tl_cl_finish();\n"
	}
	if e.prog.CT != 0 {
		start = fmt.Sprintf("  tl_ct = %s;\n", strconv.FormatFloat(e.prog.CT, 'g', -1, 64)) + start
	}
	if e.opt.Progress {
		start = "  tl_progress_begin();\n" + start
	}
	if e.opt.Profile {
		start = fmt.Sprintf("  tl_profile_begin(%d);\n", e.lines()) + start
	}
	if e.opt.Entry != "" {
		return fmt.Sprintf("\nvoid %s(void);\nvoid %s(void) {\n%s  %s;\n%s}\n", e.opt.Entry, e.opt.Entry, start, call, finish)
	}
	return fmt.Sprintf(`
int main(int argc, char **argv) {
  tl_init(argc, argv);
%s  do {
    double start = tl_now();
    %s;
  %s  tl_report_time(start);
  } while (tl_again());
  return tl_finish();
}
`, start, call, finish)
}

// identifiers returns the set of identifiers and numbers in a C text.
func identifiers(text string) map[string]bool {
	set := map[string]bool{}
	for _, word := range strings.FieldsFunc(text, func(r rune) bool {
		return r != '_' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	}) {
		set[word] = true
	}
	return set
}

// constant writes the storage of a constant array.
func (e *emitter) constant(c *ir.Const) {
	fmt.Fprintf(&e.head, "static const %s %s[] = {", ctype(c.Buf.Elem), e.consts[c.Buf])
	n := max(len(c.Ints), len(c.Floats))
	if c.Buf.Elem == ir.C64 {
		n /= 2
	}
	for i := 0; i < n; i++ {
		switch {
		case i == 0 && n <= 16:
		case i%16 == 0:
			e.head.WriteString("\n  ")
		default:
			e.head.WriteString(" ")
		}
		switch c.Buf.Elem {
		case ir.F64:
			e.head.WriteString(formulas.Double(c.Floats[i]))
		case ir.C64:
			fmt.Fprintf(&e.head, "TL_Z(%s, %s)", formulas.Double(c.Floats[2*i]), formulas.Double(c.Floats[2*i+1]))
		default:
			e.head.WriteString(intLiteral(c.Ints[i]))
		}
		if i < n-1 {
			e.head.WriteString(",")
		}
	}
	if n == 0 {
		e.head.WriteString("0")
	}
	e.head.WriteString("};\n")
}

// ctype returns the C type of elements of a kind.
func ctype(k ir.Kind) string {
	switch k {
	case ir.U8:
		return "uint8_t"
	case ir.I8:
		return "int8_t"
	case ir.I16:
		return "int16_t"
	case ir.I32:
		return "int32_t"
	case ir.I64:
		return "int64_t"
	case ir.F64:
		return "double"
	case ir.C8:
		return "uint8_t"
	case ir.C32:
		return "uint32_t"
	case ir.C64:
		return "tl_c64"
	}
	panic("internal error: kind is unset")
}

// elemTag returns the run-time's name of a kind.
func elemTag(k ir.Kind) string {
	switch k {
	case ir.U8:
		return "TL_BOOL"
	case ir.I8:
		return "TL_I8"
	case ir.I16:
		return "TL_I16"
	case ir.I32:
		return "TL_I32"
	case ir.I64:
		return "TL_I64"
	case ir.F64:
		return "TL_F64"
	case ir.C32:
		return "TL_CHAR"
	case ir.C64:
		return "TL_C64"
	case ir.C8:
		return "TL_BYTE"
	}
	panic("internal error: kind is unset")
}

// intLiteral returns a literal of type int where the value fits, else int64_t.
func intLiteral(v int64) string {
	switch {
	case v == math.MinInt64:
		return "INT64_MIN"
	case v > math.MaxInt32 || v < -math.MaxInt32:
		return fmt.Sprintf("INT64_C(%d)", v)
	}
	return fmt.Sprint(v)
}

// stringLiteral returns a C string literal of the bytes of s.
func stringLiteral(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c == '\n':
			b.WriteString(`\n`)
		case c == '?' || c < ' ' || c == 0x7f:
			fmt.Fprintf(&b, `\%03o`, c)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// commentText makes s safe inside a C comment.
func commentText(s string) string {
	s = strings.ReplaceAll(s, "*/", "* /")
	s = strings.ReplaceAll(s, "/*", "/ *")
	return strings.Map(func(r rune) rune {
		if r < ' ' {
			return ' '
		}
		return r
	}, s)
}
