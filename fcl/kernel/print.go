package kernel

import (
	"cmp"
	"embed"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/tailor-lang/tailor/fcl/types"
)

//go:embed rt/*.cl
var runtime embed.FS

// part is a file under rt, and what a program that needs it has in it; T, U and names in
// capital letters are replaced.
type part struct {
	file    string
	needs   []string
	replace map[string]string
}

// parts are the files in order.
var parts = []part{
	{"fault", []string{"fcl_check(", "fcl_size(", "fcl_fit(", "fcl_same(", "fcl_div_", "fcl_mod_"}, nil},
	{"check", []string{"fcl_check("}, nil},
	{"size", []string{"fcl_size("}, nil},
	{"fit", []string{"fcl_fit("}, nil},
	{"same", []string{"fcl_same("}, nil},
	{"divide", []string{"fcl_div_char(", "fcl_mod_char("}, forType("char")},
	{"divide", []string{"fcl_div_short(", "fcl_mod_short("}, forType("short")},
	{"divide", []string{"fcl_div_int(", "fcl_mod_int("}, forType("int")},
	{"divide", []string{"fcl_div_long(", "fcl_mod_long("}, forType("long")},
	{"extreme", []string{"fcl_min_float(", "fcl_max_float("}, forType("float")},
	{"extreme", []string{"fcl_min_double(", "fcl_max_double("}, forType("double")},
}

// forType returns the replacements for a type.
func forType(t string) map[string]string {
	return map[string]string{
		"T": t, "U": "u" + t, "DIVIDE": "fcl_div_" + t, "REMAINDER": "fcl_mod_" + t,
		"MINIMUM": "fcl_min_" + t, "MAXIMUM": "fcl_max_" + t,
	}
}

var word = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\b[A-Z]+\b`) })

// Text returns the OpenCL C of kernels, with what they need of the run-time under rt.
func Text(kernels []*Kernel) string {
	w := &printer{}
	for _, k := range kernels {
		w.kernel(k)
	}
	text := w.String()
	head := "#pragma OPENCL FP_CONTRACT OFF\n"
	if strings.Contains(text, "double") {
		head += "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
	}
	if strings.Contains(text, "sub_group") {
		head += "#pragma OPENCL EXTENSION cl_khr_subgroups : enable\n"
	}
	return head + runtimeFor(text, parts) + "\n" + text
}

// HostRuntime returns what the expressions of a text of the host need of the run-time under
// rt; the host has a fcl_fault of its own.
func HostRuntime(text string) string { return runtimeFor(text, parts[1:]) }

// runtimeFor returns those parts that a text needs.
func runtimeFor(text string, parts []part) string {
	made := ""
	for _, p := range parts {
		if !slices.ContainsFunc(p.needs, func(s string) bool { return strings.Contains(text, s) }) {
			continue
		}
		b, err := runtime.ReadFile("rt/" + p.file + ".cl")
		if err != nil {
			panic(err)
		}
		made += "\n" + word().ReplaceAllStringFunc(string(b), func(s string) string {
			if r := p.replace[s]; r != "" {
				return r
			}
			return s
		})
	}
	return made
}

// HostText returns the statements of the host as text, indented.
func HostText(list []Stmt) string {
	w := &printer{indent: 1}
	w.list(nil, list)
	return w.String()
}

// work says how much a launch has to do.
func (k *Kernel) work() string {
	if k.Groups {
		return Text1(k.N) + " groups"
	}
	return Text1(k.N) + " items"
}

// String returns the text of one kernel.
func (k *Kernel) String() string {
	w := &printer{}
	if k.Around != nil {
		w.unit = "  "
	}
	w.kernel(k)
	return w.String()
}

type printer struct {
	strings.Builder
	indent int
	unit   string // of indentation; a tab where it is empty
}

func (w *printer) line(format string, args ...any) {
	w.WriteString(strings.Repeat(cmp.Or(w.unit, "\t"), w.indent))
	fmt.Fprintf(w, format, args...)
	w.WriteString("\n")
}

// CType returns the name of a type in variables, and stored that in arrays.
func CType(s types.Scalar) string {
	return [...]string{types.Bool: "bool", types.I8: "char", types.I16: "short", types.I32: "int", types.I64: "long", types.F32: "float", types.F64: "double"}[s]
}

func stored(s types.Scalar) string {
	if s == types.Bool {
		return "uchar"
	}
	return CType(s)
}

func unsigned(s types.Scalar) string { return "u" + CType(s) }

func (w *printer) kernel(k *Kernel) {
	if k.Around != nil {
		w.around(k)
		return
	}
	w.line("__kernel void %s(%s)", k.Name, strings.Join(append([]string{"__global long *fault"}, k.params()...), ", "))
	w.line("{")
	w.indent++
	w.fixed(k)
	w.list(k, k.Body)
	w.indent--
	w.line("}\n")
}

// around prints a kernel with code of another compiler.
func (w *printer) around(k *Kernel) {
	params := append(append(slices.Clone(k.Around.First), k.params()...), k.Around.Last...)
	w.line("__kernel __attribute__((reqd_work_group_size(%d, 1, 1))) void %s(", k.Group, k.Name)
	w.line("    %s) {", strings.Join(params, ",\n    "))
	w.indent++
	w.fixed(k)
	w.lines(k.Around.Enter)
	w.list(k, k.Body)
	w.lines(k.Around.End)
	w.indent--
	w.line("}")
}

// fixed declares local memory.
func (w *printer) fixed(k *Kernel) {
	for _, s := range k.Fixed {
		bytes, _ := value(s.Bytes)
		of := cmp.Or(s.elem, types.I64)
		w.line("__local %s %s[%d];", stored(of), s.Name, bytes/int64(of.Size()))
	}
}

// lines prints lines of another compiler.
func (w *printer) lines(text string) {
	for line := range strings.Lines(text) {
		w.line("%s", strings.TrimRight(line, "\n"))
	}
}

// params returns the parameters of a kernel, without that for faults.
func (k *Kernel) params() []string {
	var params []string
	for _, a := range k.Arrays {
		kind := "__global const"
		if k.writes(a) {
			kind = "__global"
		}
		params = append(params, fmt.Sprintf("%s %s *restrict %s", kind, stored(a.Elem), a.Name))
	}
	for _, s := range k.Slots {
		params = append(params, "__local uchar *"+s.Name) // other work-items write there: no restrict
	}
	for _, v := range k.Scalars {
		params = append(params, passed(v.Of)+" "+v.Name)
	}
	return params
}

// passed returns the type of a parameter: whole numbers are passed as long.
func passed(s types.Scalar) string {
	if s.IsFloat() {
		return CType(s)
	}
	return "long"
}

func (w *printer) list(k *Kernel, list []Stmt) {
	for _, s := range list {
		w.stmt(k, s)
	}
}

func (w *printer) block(k *Kernel, list []Stmt) {
	w.indent++
	w.list(k, list)
	w.indent--
}

func (w *printer) stmt(k *Kernel, s Stmt) {
	switch s := s.(type) {
	case *Decl:
		if s.Init == nil {
			w.line("%s %s;", CType(s.Var.Of), s.Var.Name)
			return
		}
		if s.Var.short() {
			w.line("int %s = %s;", s.Var.Name, Text1(inInt(s.Init)))
			return
		}
		w.line("%s %s = %s;", CType(s.Var.Of), s.Var.Name, Text1(s.Init))
	case *Assign:
		w.line("%s = %s;", s.Var.Name, Text1(s.Value))
	case *Store:
		w.line("%s = %s;", element(s.Array, s.Index), Text1(s.Value))
	case *Exchange:
		w.exchange(s)
	case *Alloc:
		w.alloc(k, s.Array)
	case *Swap:
		w.swap(s)
	case *For:
		w.line("for (%[4]s %[1]s = %[2]s; %[1]s < %[3]s; %[1]s++) {", s.Var.Name, Text1(s.From), operand(s.N, 6), w.registers(k, s))
		w.block(k, s.Body)
		w.line("}")
	case *Each:
		w.each(k, s)
	case *If:
		w.conditional(k, s)
	case *Loop:
		w.line("for (;;) {")
		w.block(k, s.Body)
		w.line("}")
	case *Break:
		w.line("if (!(%s))", Text1(s.Unless))
		w.indent++
		w.line("break;")
		w.indent--
	case *Barrier:
		if s.Sub {
			w.line("sub_group_barrier(CLK_LOCAL_MEM_FENCE);")
			return
		}
		w.line("barrier(CLK_LOCAL_MEM_FENCE);")
	case *Launch:
		w.line("%s(%s)", s.Kernel.Name, s.Kernel.work())
	case *Foreign:
		w.foreign(s)
	default:
		panic(fmt.Sprintf("kernel: statement %T", s))
	}
}

// registers says how to compile a loop of few iterations over an array in registers, and returns
// the type of its variable. Where a group is one work-item the loop is vector code, and vectors of
// places have few bits; elsewhere, and where the places are those of several axes, it is written out,
// so that the places of elements are constants.
func (w *printer) registers(k *Kernel, s *For) string {
	n, ok := value(s.N)
	reads, writes := arrays(s)
	private := func(a *Array) bool { return a.Space == Private }
	switch {
	case !ok || k == nil || n > maxWritten || !slices.ContainsFunc(append(reads, writes...), private):
	case k.Group > 1 || k.folded(append(reads, writes...)):
		w.line("#pragma unroll")
	case slices.ContainsFunc(writes, private):
		w.line("#pragma clang loop unroll(disable)")
		if s.small() {
			return "int"
		}
	}
	return "long"
}

// folded reports whether some of the arrays in registers hold elements of several axes: a loop over
// one divides its variable.
func (k *Kernel) folded(all []*Array) bool {
	if k.axes == nil {
		k.axes = map[*Array]bool{}
		Walk(k.Body, func(s Stmt) {
			if f, ok := s.(*For); ok && f.divides() {
				_, written := arrays(f)
				for _, a := range written {
					k.axes[a] = a.Space == Private
				}
			}
		})
	}
	return slices.ContainsFunc(all, func(a *Array) bool { return k.axes[a] })
}

// divides reports whether the body of a loop divides the variable.
func (s *For) divides() bool {
	found := false
	Walk(s.Body, func(inner Stmt) {
		for _, e := range exprs(inner) {
			within(e, func(e Expr) {
				op, ok := e.(*Op)
				found = found || ok && op.Name == "/" && op.Args[0] == Expr(s.Var)
			})
		}
	})
	return found
}

// small reports whether a loop of few iterations multiplies its variable by no large number.
func (s *For) small() bool {
	ok := true
	Walk(s.Body, func(inner Stmt) {
		for _, e := range exprs(inner) {
			within(e, func(e Expr) {
				op, product := e.(*Op)
				if !product || op.Name != "*" || !slices.Contains(op.Args, Expr(s.Var)) {
					return
				}
				for _, a := range op.Args {
					c, known := value(a)
					ok = ok && (!known || c < 1<<24 && c > -1<<24)
				}
			})
		}
	})
	return ok
}

// maxWritten is the number of iterations of loops that are written out.
const maxWritten = 128

func (w *printer) foreign(s *Foreign) {
	args, results := make([]string, len(s.Args)), make([]string, len(s.Results))
	for i, a := range s.Args {
		args[i] = operand(a, strongest)
		if isInt(a) {
			args[i] = "(long)" + args[i]
		}
	}
	for i, v := range s.Results {
		results[i] = v.Name
	}
	w.lines(s.Text(args, results))
}

func (w *printer) conditional(k *Kernel, s *If) {
	w.line("if (%s) {", Text1(s.Cond))
	w.block(k, s.Then)
	if len(s.Else) > 0 {
		w.line("} else {")
		w.block(k, s.Else)
	}
	w.line("}")
}

// each prints a parallel loop. It is none where there is a worker for each iteration.
func (w *printer) each(k *Kernel, s *Each) {
	first, step := "get_global_id(0)", "get_global_size(0)"
	once, all := k.Once, false // all: each worker has an iteration
	switch s.By {
	case Items:
		first, step = "get_local_id(0)", "get_local_size(0)"
		once, all = k.Group > 0 && Least(s.N, Int(k.Group)), IsConst(s.N, k.Group)
	case Groups:
		first, step = "get_group_id(0)", "get_num_groups(0)"
		all = true
	case SubGroups:
		first, step = "get_sub_group_id()", "get_num_sub_groups()"
		once = false
	case Lanes:
		first, step = "get_sub_group_local_id()", "get_sub_group_size()"
		once = false
	}
	if !once {
		w.line("for (long %[1]s = %[2]s; %[1]s < %[3]s; %[1]s += %[4]s) {", s.Var.Name, first, operand(s.N, 6), step)
		w.block(k, s.Body)
		w.line("}")
		return
	}
	if all {
		w.line("{")
	} else {
		w.line("if (%s < %s) {", first, operand(s.N, 6))
	}
	w.indent++
	w.line("long %s = %s;", s.Var.Name, first)
	w.list(k, s.Body)
	w.indent--
	w.line("}")
}

func (w *printer) alloc(k *Kernel, a *Array) {
	t := stored(a.Elem)
	switch {
	case a.Space == Private:
		n, _ := value(a.Len)
		if !a.Swapped {
			w.line("%s %s[%d];", t, a.Name, max(n, 1))
			return
		}
		w.line("%s %s_memory[%d], *%s = %s_memory;", t, a.Name, max(n, 1), a.Name, a.Name)
	case a.shared() && a.After != nil:
		w.line("__local %s *%s = %s + %s;", t, a.Name, a.After.Name, operand(Apply("max", a.After.Len, Int(1)), 7))
	case a.Space == Global:
		w.line("%s %s[%s];", t, a.Name, Text1(a.Len))
	case a.Space == SubLocal:
		slot := k.Objects[a.Object]
		w.line("__local %s *%s = (__local %s *)(%s + get_sub_group_id() * %s);", t, a.Name, t, slot.Name, operand(slot.Bytes, 9))
	case a.Space == Local && a.Name != k.Objects[a.Object].Name:
		w.line("__local %s *%s = (__local %s *)%s;", t, a.Name, t, k.Objects[a.Object].Name)
	}
}

func (w *printer) exchange(s *Exchange) {
	space := map[bool]string{false: "__global", true: "__local"}[s.Array.shared()]
	args := fmt.Sprintf("(volatile %s int *)&%s", space, element(s.Array, s.Index))
	for _, a := range s.Args {
		args += ", " + operand(a, 0)
	}
	w.line("int %s = atomic_%s(%s);", s.Old.Name, s.Op, args)
}

func (w *printer) swap(s *Swap) {
	space := map[Space]string{Local: "__local ", SubLocal: "__local ", Scratch: "__global "}[s.A.Space]
	w.line("{ %[1]s%[2]s *t = %[3]s; %[3]s = %[4]s; %[4]s = t; }", space, stored(s.A.Elem), s.A.Name, s.B.Name)
}
