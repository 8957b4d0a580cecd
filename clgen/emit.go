package clgen

import (
	_ "embed"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/tailor-lang/tailor/fcl/runtime"
	"github.com/tailor-lang/tailor/internal/formulas"
	"github.com/tailor-lang/tailor/laila/ir"
)

//go:embed rt/formulas.cl
var formulaHead string

//go:embed rt/tailor.cl
var deviceFunctions string

//go:embed rt/elementary.cl
var elementaryFunctions string

// The functions that kernels share with programs in C, put together when they are
// asked for first.
var (
	scalarFunctions = sync.OnceValue(func() string {
		return formulaHead + formulas.Text("scalars.h") + "\n" + deviceFunctions + "\n" + formulas.Text("functions.h")
	})
	complexFunctions = sync.OnceValue(func() string {
		return formulas.Text("scalarsz.h") + "\n" + formulas.Text("functionsz.h")
	})
	pairFunctions         = sync.OnceValue(func() string { return "\n" + formulas.Text("pairs.h") })
	gammaFunctions        = sync.OnceValue(func() string { return formulas.Text("gamma.h") })
	complexGammaFunctions = sync.OnceValue(func() string { return formulas.Text("gammaz.h") })
	letterFunctions       = sync.OnceValue(func() string { return "\n" + formulas.Text("cases.h") })
)

// header begins the source; sums and products are rounded apart, as everywhere.
const header = `#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF
#define TL_BITS(x) as_long(x)
#define TL_ULP 0x1p-53
#define TL_WHOLE 0x1p53
#define TL_GREAT 0x1p500
#define TL_SMALL 0x1p-500
#define TL_UP 0x1p600
#define TL_DOWN 0x1p-600
typedef double2 tl_c64;
`

// source returns the OpenCL C of all kernels.
func (pl *planner) source() string {
	var kernels strings.Builder
	names := map[string]int{}
	for _, k := range pl.plan.list {
		k.name = kernelName(k, names)
		pl.findTiles(k)
		pl.findProduct(k)
		pl.findRows(k)
	}
	for _, l := range pl.plan.Levels {
		pl.plan.unfollowed = append(pl.plan.unfollowed, pl.follow(l))
	}
	for _, k := range pl.plan.list {
		kernels.WriteString("\n")
		kernels.WriteString(pl.text(k))
	}
	if len(pl.plan.list) == 0 {
		pl.plan.runtime = &runtime.Set{}
		return ""
	}
	text := kernels.String()
	pl.plan.kernels = strings.TrimPrefix(text, "\n")
	head := header
	if pl.plan.Narrow {
		head = narrowHeader
	}
	if pl.plan.Program.Source != nil {
		head = fmt.Sprintf("/* Compiled by Tailor from %s; schedule: %v. */\n", pl.plan.Program.Source.Name, pl.plan.Schedule) + head
	}
	if pl.plan.Schedule == Chunks && !pl.plan.Narrow {
		head += "#define TL_ALONE\n"
	}
	head += "#define TL_CT " + pl.plan.toleranceText() + "\n\n" + scalarFunctions()
	return head + libraries(text) + pl.plan.runtime.Kernels() + text
}

// toleranceText writes ⎕CT. Floats hold numbers to about 1E¯7, so that none of
// them would equal another with a smaller tolerance.
func (p *Plan) toleranceText() string {
	if p.Narrow {
		return formulas.Double(max(p.Program.Tolerance(), 1e-6)) + "f"
	}
	return formulas.Double(p.Program.Tolerance())
}

// libraries returns the functions that only some kernels need.
func libraries(text string) string {
	calls := func(names ...string) bool {
		return slices.ContainsFunc(names, func(name string) bool { return strings.Contains(text, name+"(") })
	}
	gammaz := calls("tl_factz", "tl_binz", "tl_bad_factz", "tl_bad_binz", "tl_gcdz", "tl_lcmz")
	gamma := gammaz || calls("tl_factd", "tl_bind")
	numbers := strings.Contains(text, "tl_c64") || gammaz || calls("tl_z", "tl_eqz", "tl_neqz")
	head := ""
	for _, part := range []struct {
		needed bool
		text   func() string
	}{
		{calls("tl_exp", "tl_log"), func() string { return elementaryFunctions }},
		{gamma || numbers, pairFunctions},
		{gamma, gammaFunctions},
		{numbers, complexFunctions},
		{gammaz, complexGammaFunctions},
		{calls("tl_upperc", "tl_lowerc", "tl_foldc"), letterFunctions},
	} {
		if part.needed {
			head += part.text()
		}
	}
	return head
}

// KernelText returns the kernels without the functions that they share, for people.
func (p *Plan) KernelText() string { return p.kernels }

// kernelName names a kernel after its line of the source and what it does.
func kernelName(k *kernel, taken map[string]int) string {
	stem := ""
	if k.at.Valid() {
		line, _ := k.at.Src.Position(k.at.Start)
		if name := assigned.FindStringSubmatch(k.at.Src.Line(line)); name != nil {
			stem = name[1] + "_"
		}
		stem += fmt.Sprintf("line%d_", line)
	}
	stem += map[shape]string{mapShape: "map", reduceShape: "reduce", scanShape: "scan", taskShape: "task", updateShape: "update"}[k.shape]
	taken[stem]++
	if n := taken[stem]; n > 1 {
		stem += fmt.Sprintf("_%d", n)
	}
	return stem
}

// assigned is a line of source that assigns a name which OpenCL C allows.
var assigned = regexp.MustCompile(`^\s*([A-Za-z][A-Za-z0-9]*)←`)

// text returns the OpenCL C of a kernel.
func (pl *planner) text(k *kernel) string {
	t := pl.newText()
	t.sums, t.trap = k.sums, k.trap
	switch k.shape {
	case mapShape:
		pl.mapText(t, k)
		if k.rows != nil && k.level != "thread" {
			t.b.WriteString("\n" + pl.rowsText(k))
		}
	case reduceShape:
		pl.reduceText(t, k)
	case scanShape:
		pl.scanText(t, k)
	case taskShape:
		pl.taskText(t, k)
	case updateShape:
		pl.updateText(t, k)
	}
	head := "/*\n"
	if k.at.Valid() {
		line, _ := k.at.Src.Position(k.at.Start)
		head = fmt.Sprintf("/* Line %d: %s\n", line, commentText(strings.TrimSpace(k.at.Src.Line(line))))
	}
	return head + fmt.Sprintf(" * %s */\n", pl.plan.launchText(k)) + k.dropUnused(t.b.String())
}

func groupAttribute(size int64) string {
	return fmt.Sprintf("__attribute__((reqd_work_group_size(%d, 1, 1))) ", size)
}

func commentText(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, "*/", "* /"), "/*", "/ *")
}

// head opens a kernel with its parameters: buffers, scalars, the bounds of its
// space, and more.
func (t *kernelText) head(k *kernel, name, attribute string, more ...string) {
	params := append(t.params(k), more...)
	t.line("__kernel %svoid %s(", attribute, name)
	for i, p := range params {
		end := ","
		if i == len(params)-1 {
			end = ") {"
		}
		t.line("    %s%s", p, end)
	}
	t.depth++
	t.noted()
}

// params names the parameters that every kernel has.
func (t *kernelText) params(k *kernel) []string {
	var params []string
	for _, b := range k.bufs {
		if t.bufs[b] == "" {
			t.bufs[b] = t.fresh(b.Name)
		}
		access := "const "
		if k.written[b] {
			access = ""
		}
		params = append(params, fmt.Sprintf("__global %s%s *restrict %s", access, cltype(b.Elem), t.bufs[b]))
	}
	for _, v := range k.vars {
		kind := "const long"
		if v.Kind == ir.F64 || v.Kind == ir.C64 {
			kind = "const " + cltype(v.Kind)
		}
		params = append(params, fmt.Sprintf("%s %s", kind, t.declare(v)))
	}
	for i := range k.axes() {
		params = append(params, fmt.Sprintf("const long first%d, const long count%d", i, i))
	}
	return params
}

const answersParam = "__global long *restrict answers"

// flags declares the flags of a kernel; raise writes those that are set.
func (t *kernelText) flags(k *kernel) {
	for _, f := range k.flags {
		t.line("uchar %s = 0;", t.declare(f))
	}
}

func (t *kernelText) raise(k *kernel) {
	for i, f := range k.flags {
		t.line("if (%s) answers[%d] = 1;", t.v(f), k.base+int64(i))
	}
	t.raiseWide(k)
	t.raiseOver()
}

// answer writes the results to the answers.
func (t *kernelText) answer(k *kernel) {
	at := k.base + int64(len(k.flags))
	for _, v := range k.outs {
		x := t.v(v)
		switch v.Kind {
		case ir.F64:
			x = "TL_BITS(" + x + ")"
		case ir.C64:
			t.line("answers[%d] = TL_BITS(%s.x);", at, x)
			at, x = at+1, "TL_BITS("+x+".y)"
		}
		t.line("answers[%d] = %s;", at, x)
		at++
	}
	t.raiseWide(k)
	t.raiseOver()
}

// sizeText writes the number of points of some axes of the space.
func (t *kernelText) sizeText(from, to int) string {
	var parts []string
	for i := from; i < to; i++ {
		parts = append(parts, fmt.Sprintf("count%d", t.axis+i))
	}
	if len(parts) == 0 {
		return "1"
	}
	return strings.Join(parts, " * ")
}

// indices declares the variables of the first dims from a position in their
// space.
func (t *kernelText) indices(dims []ir.Dim, at string) {
	rest := at
	for i := len(dims) - 1; i > 0; i-- {
		t.line("const long %s = first%d + %s %% count%d;", t.declare(dims[i].Var), t.axis+i, rest, t.axis+i)
		rest = fmt.Sprintf("%s / count%d", rest, t.axis+i)
	}
	if len(dims) > 0 {
		t.line("const long %s = first%d + %s;", t.declare(dims[0].Var), t.axis, rest)
	}
}

// mapText writes a map, or several that share a launch, one after the other.
func (pl *planner) mapText(t *kernelText, k *kernel) {
	switch {
	case k.product != nil:
		pl.productText(t, k)
		return
	case k.tiled:
		pl.tilesText(t, k)
		return
	}
	t.head(k, k.name, "", answersParam)
	t.flags(k)
	before := "get_global_id(0)"
	for _, p := range k.pieces() {
		size := t.sizeText(0, len(p.dims))
		if len(k.more) > 0 {
			t.open("")
		}
		if pl.plan.Schedule == Groups {
			t.line("const long at = %s;", before)
			t.open("if (at >= 0 && at < %s)", size)
			t.indices(p.dims, "at")
			t.block(p.body)
			t.close()
		} else {
			t.chunk(p)
		}
		if len(k.more) > 0 {
			t.close()
		}
		before += " - " + size
		t.axis += len(p.dims)
	}
	t.axis = 0
	t.raise(k)
	t.close()
}

// chunk writes loops over a work-item's contiguous part of the space: its
// outer axes are divided, or its only one.
func (t *kernelText) chunk(p *kernel) {
	dims, body := p.dims, p.body
	outer := max(len(dims)-1, 1)
	t.line("const long total = %s, item = get_global_id(0), items = get_global_size(0);", t.sizeText(0, outer))
	t.line("const long from = total * item / items, to = total * (item + 1) / items;")
	last := len(dims) - 1
	v := t.declare(dims[last].Var)
	if last == 0 && p.around != nil {
		t.loop(ir.Dim{Var: p.around.Var, Lo: p.around.Lo, Hi: p.around.Hi})
		body = p.inner
		defer t.close()
	}
	if last == 0 {
		t.open("for (long %s = first%d + from; %s < first%d + to; %s++)", v, t.axis, v, t.axis, v)
		t.block(body)
		t.close()
		return
	}
	t.open("for (long at = from; at < to; at++)")
	t.indices(dims[:last], "at")
	t.open("for (long %s = first%d; %s < first%d + count%d; %s++)", v, t.axis+last, v, t.axis+last, t.axis+last, v)
	t.block(body)
	t.close()
	t.close()
}

// results declares the results of a kernel, with the values before it, which
// are parameters.
func (t *kernelText) results(k *kernel) {
	for _, v := range k.outs {
		before := t.v(v)
		delete(t.vars, v)
		t.line("%s %s = (%s)%s;", cltype(v.Kind), t.declare(v), cltype(v.Kind), before)
	}
}

func (pl *planner) taskText(t *kernelText, k *kernel) {
	t.head(k, k.name, groupAttribute(1), answersParam)
	t.results(k)
	t.block(k.body)
	t.answer(k)
	t.close()
}
