package cgen

import (
	"fmt"
	"strings"

	"github.com/tailor-lang/tailor/laila/ir"
)

// body writes the body of one function.
type body struct {
	*emitter
	fn       *ir.Func
	names    *names
	vars     map[*ir.Var]string
	bufs     map[*ir.Buf]string
	survey   *survey
	depth    int
	active   string // how many calls of recursive functions are active
	parallel bool   // inside loops that are shared among threads
	vector   bool   // inside a loop that should become vector code
	blends   bool   // inside one of few iterations, of which a choice by what stays would make two
	inNest   bool   // inside a nest
	loops    int    // how many loops the statement that is written is in
	// outermost reports that the nest which is written is in no other one.
	outermost bool
	said      string // the last comment
	profiled  profiled
	reached   int // the line of the last comment, where progress is shown
	device    *device
	holding   *holding // what holds the faults of the loop that threads share
	// hoisted are the results: they are declared at the head of the function.
	hoistedVars map[*ir.Var]bool
	hoistedBufs map[*ir.Buf]bool
	limitNames  map[uint64]string // the variables of limits, by the bits of their values
}

// line writes one line of code.
func (b *body) line(format string, args ...any) {
	b.text.WriteString(strings.Repeat("  ", b.depth))
	fmt.Fprintf(&b.text, format, args...)
	b.text.WriteByte('\n')
}

// varName returns the C name of v, which must have been declared.
func (b *body) varName(v *ir.Var) string {
	name, ok := b.vars[v]
	if !ok {
		panic(fmt.Sprintf("internal error: variable %s is used before it is declared in %s", v.Name, b.fn.Name))
	}
	return name
}

// declareVar gives v a name; a variable declared in two branches keeps it.
func (b *body) declareVar(v *ir.Var) string {
	if b.vars[v] == "" {
		b.vars[v] = b.names.fresh(v.Name)
	}
	return b.vars[v]
}

func (b *body) bufName(s *ir.Buf) string {
	if name, ok := b.consts[s]; ok {
		return name
	}
	name, ok := b.bufs[s]
	if !ok {
		panic(fmt.Sprintf("internal error: buffer %s is used before it is declared in %s", s.Name, b.fn.Name))
	}
	return name
}

func (b *body) declareBuf(s *ir.Buf) string {
	if b.bufs[s] == "" {
		b.bufs[s] = b.names.fresh(s.Name)
	}
	return b.bufs[s]
}

// function writes the definition of f.
func (e *emitter) function(f *ir.Func) {
	b := e.newBody(f)
	b.line("%s {", b.signature())
	b.depth++
	b.silence()
	b.hoist()
	b.limits()
	if e.opt.Profile {
		b.beginFunction()
	}
	b.stmts(f.Body)
	if n := len(f.Body); n == 0 || !isReturn(f.Body[n-1]) {
		b.leave(true)
	}
	b.depth--
	b.line("}")
}

func isReturn(s ir.Stmt) bool {
	_, ok := s.(*ir.Return)
	return ok
}

func (e *emitter) newBody(f *ir.Func) *body {
	return &body{
		emitter: e, fn: f, device: e.deviceOf(f), names: newNames(e.globals), survey: surveyOf(f),
		vars: map[*ir.Var]string{}, bufs: map[*ir.Buf]string{},
		hoistedVars: map[*ir.Var]bool{}, hoistedBufs: map[*ir.Buf]bool{}, limitNames: map[uint64]string{},
	}
}

// piece is one C value of an array: its storage, an extent, or its scalar.
type piece struct {
	buf *ir.Buf
	v   *ir.Var
}

// pieces returns the values that stand for arrays in C, in order. Extents that
// are not variables, or were listed before, have no piece.
func pieces(arrays []ir.Array) []piece {
	var all []piece
	seen := map[*ir.Var]bool{}
	for _, a := range arrays {
		if a.Buf == nil {
			all = append(all, piece{v: a.Scalar})
			seen[a.Scalar] = true
			continue
		}
		all = append(all, piece{buf: a.Buf})
		for _, d := range a.Dims {
			if u, ok := d.(*ir.Use); ok && !seen[u.Var] {
				seen[u.Var] = true
				all = append(all, piece{v: u.Var})
			}
		}
	}
	return all
}

func (b *body) results() []piece { return pieces(b.fn.Results) }

// resultType declares the structure that f returns.
func (e *emitter) resultType(f *ir.Func) {
	fields := newNames(nil)
	fmt.Fprintf(&e.text, "typedef struct {\n")
	for _, p := range pieces(f.Results) {
		if p.buf != nil {
			fmt.Fprintf(&e.text, "  %s *%s;\n", ctype(p.buf.Elem), fields.fresh(p.buf.Name))
		} else {
			fmt.Fprintf(&e.text, "  %s %s;\n", ctype(p.v.Kind), fields.fresh(p.v.Name))
		}
	}
	fmt.Fprintf(&e.text, "} %s_result;\n\n", e.funcs[f])
}

// fieldNames returns the fields of the structure that f returns.
func fieldNames(f *ir.Func) []string {
	fields := newNames(nil)
	var all []string
	for _, p := range pieces(f.Results) {
		if p.buf != nil {
			all = append(all, fields.fresh(p.buf.Name))
		} else {
			all = append(all, fields.fresh(p.v.Name))
		}
	}
	return all
}

// signature returns the head of the function and names its parameters.
func (b *body) signature() string {
	var params []string
	for _, p := range pieces(b.fn.Params) {
		if p.buf != nil {
			constant := "const "
			if p.buf.Owned {
				constant = ""
			}
			params = append(params, fmt.Sprintf("%s%s *restrict %s", constant, ctype(p.buf.Elem), b.declareBuf(p.buf)))
		} else {
			params = append(params, ctype(p.v.Kind)+" "+b.declareVar(p.v))
		}
	}
	if b.active = "0"; b.deep[b.fn] && b.fn != b.prog.Main {
		b.active = b.names.fresh("active")
		params = append(params, "int64_t "+b.active)
	}
	if params == nil {
		params = []string{"void"}
	}
	return fmt.Sprintf("static %s %s(%s)", b.resultText(), b.funcs[b.fn], strings.Join(params, ", "))
}

// resultText returns the C type that the function returns.
func (b *body) resultText() string {
	switch r := b.results(); {
	case len(r) == 0:
		return "void"
	case len(r) > 1:
		return b.funcs[b.fn] + "_result"
	case r[0].buf != nil:
		return ctype(r[0].buf.Elem) + " *"
	default:
		return ctype(r[0].v.Kind)
	}
}

// silence keeps the compiler quiet about parameters that nothing reads.
func (b *body) silence() {
	for _, p := range pieces(b.fn.Params) {
		switch {
		case p.buf != nil && !b.survey.bufs[p.buf]:
			b.line("(void)%s;", b.bufName(p.buf))
		case p.v != nil && !b.survey.read[p.v]:
			b.line("(void)%s;", b.varName(p.v))
		}
	}
	if b.active != "0" {
		b.line("(void)%s;", b.active)
	}
}

// hoist declares the results that are not declared at the outermost level.
func (b *body) hoist() {
	vars, bufs := b.declaredOutermost()
	for _, p := range b.results() {
		switch {
		case p.buf != nil && b.bufs[p.buf] == "" && !bufs[p.buf]:
			b.hoistedBufs[p.buf] = true
			b.line("%s *%s = NULL;", ctype(p.buf.Elem), b.declareBuf(p.buf))
		case p.v != nil && b.vars[p.v] == "" && !vars[p.v]:
			b.hoistedVars[p.v] = true
			b.line("%s %s = 0;", ctype(p.v.Kind), b.declareVar(p.v))
		}
	}
}

// declaredOutermost returns what the function's outermost statements declare;
// nothing, where there is more than the one return at the end.
func (b *body) declaredOutermost() (map[*ir.Var]bool, map[*ir.Buf]bool) {
	vars, bufs, returns := map[*ir.Var]bool{}, map[*ir.Buf]bool{}, 0
	walk(b.fn.Body, func(s ir.Stmt) {
		if isReturn(s) {
			returns++
		}
	})
	if returns > 1 || returns == 1 && !isReturn(b.fn.Body[len(b.fn.Body)-1]) {
		return vars, bufs
	}
	results := func(as []ir.Array) {
		for _, p := range pieces(as) {
			if p.buf != nil {
				bufs[p.buf] = true
			} else {
				vars[p.v] = true
			}
		}
	}
	for _, s := range b.fn.Body {
		switch s := s.(type) {
		case *ir.Decl:
			vars[s.Var] = true
		case *ir.DeclBuf:
			bufs[s.Buf] = true
		case *ir.Call:
			results(s.Results)
		case *ir.Runtime:
			results(s.Results)
		case *ir.Nest:
			for _, p := range s.Pre {
				if d, ok := p.(*ir.Decl); ok && len(s.Dims) == 0 {
					vars[d.Var] = true
				}
			}
		}
	}
	return vars, bufs
}

// leave returns the results. At the end of the function, nothing need be
// written when there are none.
func (b *body) leave(end bool) {
	b.settleAll()
	r := b.results()
	var values []string
	for _, p := range r {
		if p.buf != nil {
			values = append(values, b.bufName(p.buf))
		} else {
			values = append(values, b.varName(p.v))
		}
	}
	switch {
	case len(r) == 0 && end:
	case len(r) == 0:
		b.line("return;")
	case len(r) == 1:
		b.line("return %s;", values[0])
	default:
		b.line("return (%s_result){%s};", b.funcs[b.fn], strings.Join(values, ", "))
	}
}
