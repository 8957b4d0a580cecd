package host

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tailor-lang/tailor/fcl/compile"
	"github.com/tailor-lang/tailor/fcl/kernel"
	"github.com/tailor-lang/tailor/fcl/types"
)

// Text returns the C of a program. options are those that its kernels are compiled with.
func Text(p *compile.Plan, options string) string {
	w := &writer{plan: p}
	source := ""
	if len(p.Kernels) > 0 {
		source = kernel.Text(p.Kernels)
	}
	body := &writer{plan: p, indent: 1}
	body.inputs()
	body.line("do {")
	body.indent++
	body.line("double start = tl_now();")
	body.list(p.Host)
	body.line("tl_plan_check();")
	body.line("double shown = tl_now();")
	body.result(p.Result)
	body.line(`tl_plan_text("\n");`)
	body.line("tl_since_outside(shown);")
	body.line("tl_report_time(start);")
	body.indent--
	body.line("} while (tl_again());")

	w.line("#include \"openclplan.h\"\n")
	w.strings("kernels", source)
	w.sites()
	w.declarations()
	doubles := strings.Contains(source, "double")
	w.line("static const tl_cl_program device = {.source = kernels, .options = %s, .narrow = %d};\n", quoted(options), truth(!doubles))
	w.line("static void program(void);\n")
	w.line("int main(int argc, char **argv) {")
	w.line("  tl_init(argc, argv);")
	w.line("  tl_plan_start(&device, sites, argc, argv, %d);", len(p.Inputs))
	w.line("  program();")
	w.line("  tl_cl_finish();")
	w.line("  return tl_finish();")
	w.line("}\n")
	w.line("#define char signed char") // as in OpenCL C
	w.WriteString(kernel.HostRuntime(body.String()))
	w.line("\nstatic void program(void) {")
	w.WriteString(body.String())
	w.line("}")
	return w.String()
}

// Function returns the C of a function that runs a plan: its inputs are arrays, and numbers. The result
// is an array, which is the caller's.
func Function(p *compile.Plan, name string) string {
	w := &writer{plan: p}
	w.line("static tl_plan_array %s(const tl_plan_array *given, const int64_t *numbers) {", name)
	w.indent++
	made := w.declarations()
	arrays, numbers := 0, 0
	for _, in := range p.Inputs {
		if in.Array != nil {
			w.line("%s.memory = given[%d].memory;", in.Array.Name, arrays)
			w.line("const long %s = %s.n = given[%[3]d].n;", in.Len.Name, in.Array.Name, arrays)
			arrays++
		} else {
			w.line("long %s = numbers[%d];", in.Var.Name, numbers)
			numbers++
		}
	}
	w.line("(void)given, (void)numbers;")
	w.list(p.Host)
	result := p.Result.(*compile.Pull)
	stored := result.Stored.(*kernel.Array)
	w.line("tl_plan_array result = %s;", stored.Name)
	w.line("result.n = %s;", text(result.N))
	w.line("%s.memory = NULL;", stored.Name)
	for _, a := range made {
		if !slices.ContainsFunc(p.Inputs, func(in *compile.Input) bool { return in.Array == a }) {
			w.line("tl_plan_free(&%s);", a.Name)
		}
	}
	w.line("return result;")
	w.indent--
	w.line("}")
	return w.String()
}

type writer struct {
	strings.Builder
	plan   *compile.Plan
	indent int
}

func (w *writer) line(format string, args ...any) {
	w.WriteString(strings.Repeat("  ", w.indent))
	fmt.Fprintf(w, format+"\n", args...)
}

func truth(b bool) int {
	if b {
		return 1
	}
	return 0
}

// quoted returns a text as a literal of C.
func quoted(s string) string {
	var b strings.Builder
	for _, c := range []byte(s) {
		switch {
		case c == '\n':
			b.WriteString(`\n`)
		case c == '"' || c == '\\' || c == '?' || c < ' ' || c > '~':
			fmt.Fprintf(&b, `\%03o`, c)
		default:
			b.WriteByte(c)
		}
	}
	return `"` + b.String() + `"`
}

// strings writes the lines of a text as an array, which NULL ends.
func (w *writer) strings(name, text string) {
	w.line("static const char *const %s[] = {", name)
	for line := range strings.Lines(text) {
		w.line("  %s,", quoted(line))
	}
	w.line("  NULL};\n")
}

// sites writes where faults can happen.
func (w *writer) sites() {
	w.line("static const tl_plan_site sites[] = {")
	for _, s := range w.plan.Sites {
		e := s.Fault("")
		w.line("  {{%s, %s}, %s, %s, %s},", quoted(s.At.Lead()), quoted(e.Details()), quoted(s.Code.Kind().String()), quoted(e.Shown().String()), quoted(s.Op))
	}
	w.line("  {{0}}};\n")
}

// declarations writes the arrays, which it returns, and the kernels.
func (w *writer) declarations() (made []*kernel.Array) {
	declared := map[*kernel.Array]bool{}
	declare := func(a *kernel.Array) {
		if !declared[a] {
			declared[a] = true
			if a.Space != kernel.Scratch {
				made = append(made, a)
			}
			w.line("static tl_plan_array %s = {.name = %s, .elem = %d, .room = %d};", a.Name, quoted(a.Name), a.Elem, a.Room)
		}
	}
	for _, in := range w.plan.Inputs {
		if in.Array != nil {
			declare(in.Array)
		}
	}
	kernel.Walk(w.plan.Host, func(s kernel.Stmt) {
		if a, ok := s.(*kernel.Alloc); ok {
			declare(a.Array)
		}
	})
	for _, k := range w.plan.Kernels {
		for _, a := range k.Arrays {
			declare(a)
		}
		w.line("static tl_plan_kernel %s = {.name = %s, .groups = %d, .group = %d, .once = %d};", k.Name, quoted(k.Name), truth(k.Groups), k.Group, truth(k.Once))
	}
	w.line("")
	return made
}

// inputs writes how the arguments are read.
func (w *writer) inputs() {
	for i, in := range w.plan.Inputs {
		switch {
		case in.Array != nil:
			w.line("long %s = tl_plan_vector(%d, &%s);", in.Len.Name, i+1, in.Array.Name)
		case in.Var != nil:
			w.line("%s %s = tl_plan_%s(%d, %d);", kernel.CType(in.Var.Of), in.Var.Name, number(in.Var.Of), i+1, in.Var.Of)
		}
	}
}

// number is the run-time library's name for the numbers of a type.
func number(t types.Scalar) string {
	if t.IsFloat() {
		return "double"
	}
	return "integer"
}

func (w *writer) list(list []kernel.Stmt) {
	for _, s := range list {
		w.stmt(s)
	}
}

func (w *writer) block(head string, list []kernel.Stmt) {
	w.line("%s {", head)
	w.indent++
	w.list(list)
	w.indent--
	w.line("}")
}

func (w *writer) stmt(s kernel.Stmt) {
	switch s := s.(type) {
	case *kernel.Decl:
		if s.Init == nil {
			w.line("%s %s;", kernel.CType(s.Var.Of), s.Var.Name)
			return
		}
		w.line("%s %s = %s;", kernel.CType(s.Var.Of), s.Var.Name, text(s.Init))
	case *kernel.Assign:
		w.line("%s = %s;", s.Var.Name, text(s.Value))
	case *kernel.Alloc:
		w.line("tl_plan_alloc(&%s, %s);", s.Array.Name, text(s.Array.Len))
	case *kernel.Swap:
		w.line("tl_plan_swap(&%s, &%s);", s.A.Name, s.B.Name)
	case *kernel.For:
		w.block(fmt.Sprintf("for (long %[1]s = %[2]s; %[1]s < (%[3]s); %[1]s++)", s.Var.Name, text(s.From), text(s.N)), s.Body)
	case *kernel.If:
		w.block("if ("+text(s.Cond)+")", s.Then)
		if len(s.Else) > 0 {
			w.block("else", s.Else)
		}
	case *kernel.Loop:
		w.block("for (;;)", s.Body)
	case *kernel.Break:
		w.line("if (!(%s)) break;", text(s.Unless))
	case *kernel.Launch:
		w.launch(s.Kernel)
	default:
		panic(fmt.Sprintf("host: statement %T", s))
	}
}

func (w *writer) launch(k *kernel.Kernel) {
	var args []string
	for _, a := range k.Arrays {
		if a.Space == kernel.Scratch {
			args = append(args, fmt.Sprintf("{.kind = TL_PLAN_SCRATCH, .array = &%s, .n = %s}", a.Name, text(a.Len)))
			continue
		}
		args = append(args, fmt.Sprintf("{.kind = TL_PLAN_ARRAY, .array = &%s}", a.Name))
	}
	for _, s := range k.Slots {
		args = append(args, fmt.Sprintf("{.kind = %s, .n = %s}", map[bool]string{false: "TL_PLAN_LOCAL", true: "TL_PLAN_SUB"}[s.Sub], text(s.Bytes)))
	}
	for _, v := range k.Scalars {
		field := "n"
		if v.Of.IsFloat() {
			field = "d"
		}
		args = append(args, fmt.Sprintf("{.kind = %d, .%s = %s}", v.Of, field, v.Name))
	}
	list := "NULL"
	if len(args) > 0 {
		list = "(const tl_plan_arg[]){" + strings.Join(args, ", ") + "}"
	}
	w.line("tl_plan_launch(&%s, %s, %d, %s);", k.Name, text(k.N), len(args), list)
}

// text returns the C of an expression; elements of arrays are read from the device.
func text(e kernel.Expr) string { return kernel.Text1(read(e)) }

// read replaces elements of arrays by calls that read them.
func read(e kernel.Expr) kernel.Expr {
	switch e := e.(type) {
	case *kernel.Load:
		return &kernel.Var{Name: fmt.Sprintf("tl_plan_%s_at(&%s, %s)", number(e.Array.Elem), e.Array.Name, text(e.Index)), Of: e.Array.Elem}
	case *kernel.Cond:
		return &kernel.Cond{C: read(e.C), A: read(e.A), B: read(e.B)}
	case *kernel.Op:
		args := make([]kernel.Expr, len(e.Args))
		for i, a := range e.Args {
			args[i] = read(a)
		}
		return &kernel.Op{Name: e.Name, Of: e.Of, Args: args, Site: e.Site}
	}
	return e
}

// result writes how a result is printed.
func (w *writer) result(r compile.Result) {
	_, several := r.([]compile.Result)
	if p, ok := r.(*compile.Pull); ok {
		_, one := p.Stored.(*kernel.Array)
		several = !one
	}
	w.line("tl_plan_single(%d);", truth(!several))
	w.show(r)
}

func (w *writer) show(r compile.Result) {
	switch r := r.(type) {
	case kernel.Expr:
		field := "%s, 0"
		if r.Type().IsFloat() {
			field = "0, %s"
		}
		w.line("tl_plan_show_number(%d, "+field+");", r.Type(), text(r))
	case *compile.Pull:
		format, arrays := columns(r.Stored)
		w.line("tl_plan_show(%s, %s, %d, (const tl_plan_array *const[]){%s});", quoted(format), text(r.N), len(arrays), strings.Join(arrays, ", "))
	case []compile.Result:
		w.line(`tl_plan_text("(");`)
		for i, item := range r {
			if i > 0 {
				w.line(`tl_plan_text(", ");`)
			}
			w.show(item)
		}
		w.line(`tl_plan_text(")");`)
	default:
		panic(fmt.Sprintf("host: result %T", r))
	}
}

// columns returns how an element looks, with a % for each scalar, and the arrays that hold these.
func columns(m compile.Memory) (format string, arrays []string) {
	if a, ok := m.(*kernel.Array); ok {
		return "%", []string{"&" + a.Name}
	}
	var parts []string
	for _, item := range m.([]compile.Memory) {
		f, inner := columns(item)
		parts = append(parts, f)
		arrays = append(arrays, inner...)
	}
	return "(" + strings.Join(parts, ", ") + ")", arrays
}
