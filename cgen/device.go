package cgen

import (
	"fmt"
	"strings"

	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/tail"
)

// The host's part of a program for a device. Arrays have storage on the host,
// as ever, and the run-time (rt/opencl.c) knows by its address what the device
// holds of it. Before host code reads an array the host's copy is made valid,
// before it writes to one the device's copy is dropped:
//
//	tl_cl_read(x);
//	y = x[i] + 1;
//
// Loops without launches ask once, before they start. Flags and results of
// kernels arrive when something mentions them (tl_cl_settle).

// device is what is known of one function.
type device struct {
	shared  map[*ir.Buf]bool // buffers that the device may hold
	late    map[*ir.Var]bool // variables that kernels set
	started int              // statements around that have asked for what is in them
}

// deviceOf finds what kernels use of a function's variables.
func (e *emitter) deviceOf(f *ir.Func) *device {
	if e.prog.Device == nil {
		return nil
	}
	d := &device{shared: map[*ir.Buf]bool{}, late: map[*ir.Var]bool{}}
	arrays := func(list []ir.Array) {
		for _, a := range list {
			if a.Buf != nil {
				d.shared[a.Buf] = true
			}
		}
	}
	arrays(f.Params)
	arrays(f.Results)
	walk(f.Body, func(s ir.Stmt) {
		switch s := s.(type) {
		case *ir.Launch:
			for _, b := range s.Kernel.Bufs {
				d.shared[b] = true
			}
			for _, v := range append(append([]*ir.Var{}, s.Kernel.Flags...), s.Kernel.Outs...) {
				d.late[v] = true
			}
		case *ir.Call:
			arrays(s.Args)
			arrays(s.Results)
		}
	})
	for again := true; again; { // what changes places with a shared buffer is one
		again = false
		join := func(x, y *ir.Buf) {
			if d.shared[x] != d.shared[y] {
				d.shared[x], d.shared[y], again = true, true, true
			}
		}
		walk(f.Body, func(s ir.Stmt) {
			switch s := s.(type) {
			case *ir.Move:
				join(s.Dst, s.Src)
			case *ir.Swap:
				join(s.A, s.B)
			case *ir.Copy:
				join(s.Dst, s.Src)
			}
		})
	}
	return d
}

// shared reports whether the device may hold a buffer of this function.
func (b *body) shared(s *ir.Buf) bool { return b.device != nil && b.device.shared[s] }

// prepare writes what must precede a statement, so that the host's copies of
// the arrays in it are valid. It returns what to call after the statement.
func (b *body) prepare(s ir.Stmt) func() {
	nothing := func() {}
	if b.device == nil || b.device.started > 0 {
		return nothing
	}
	switch s.(type) {
	case *ir.For, *ir.Nest, *ir.Loop, *ir.If:
		if b.structured(s) {
			b.settleFor(func(visit func(ir.Expr)) { stmtExprs(s, visit) })
			b.readAll(s)
			return nothing
		}
		b.askFor(s)
		b.device.started++
		return func() { b.device.started-- }
	case *ir.DeclBuf, *ir.Free, *ir.Move, *ir.Swap, *ir.Comment, *ir.Return, *ir.Launch:
		b.settleFor(func(visit func(ir.Expr)) { stmtExprs(s, visit) })
		b.readAll(s)
		return nothing
	}
	if _, ok := s.(*ir.BreakIf); ok {
		b.settleAll()
	}
	b.settleFor(func(visit func(ir.Expr)) {
		stmtExprs(s, visit)
		for _, v := range assigned(s) {
			visit(v.Use())
		}
	})
	b.readAll(s)
	if c, ok := s.(*ir.Call); ok {
		for _, a := range c.Args {
			b.known(a.Buf)
		}
	}
	if r, ok := s.(*ir.Runtime); ok {
		for _, a := range r.Args {
			if a.Array != nil && a.Array.Buf != nil && b.shared(a.Array.Buf) && b.computes(r) == nil {
				b.line("tl_cl_read(%s);", b.bufName(a.Array.Buf))
			}
		}
	}
	return nothing
}

// assigned returns the variables that s itself assigns.
func assigned(s ir.Stmt) []*ir.Var {
	switch s := s.(type) {
	case *ir.Decl:
		return []*ir.Var{s.Var}
	case *ir.Assign:
		return []*ir.Var{s.Var}
	case *ir.Checked:
		return []*ir.Var{s.Var, s.Flag}
	}
	return nil
}

// structured reports whether s has launches, or calls that may have some.
func (b *body) structured(s ir.Stmt) bool {
	found := false
	walk([]ir.Stmt{s}, func(s ir.Stmt) {
		switch s.(type) {
		case *ir.Launch, *ir.Call, *ir.Return:
			found = true
		}
	})
	return found
}

// settleFor waits for flags and results where one of the expressions mentions
// a variable that a kernel sets.
func (b *body) settleFor(each func(visit func(ir.Expr))) {
	late := false
	each(func(x ir.Expr) {
		ir.WalkExpr(x, func(x ir.Expr) {
			if u, ok := x.(*ir.Use); ok && b.device.late[u.Var] {
				late = true
			}
		})
	})
	if late {
		b.line("tl_cl_settle();")
	}
}

// readAll makes valid what the expressions of s itself load; a single element,
// where its index is simple.
func (b *body) readAll(s ir.Stmt) {
	type place struct {
		buf   *ir.Buf
		index string
	}
	seen := map[place]bool{}
	stmtExprs(s, func(x ir.Expr) {
		ir.WalkExpr(x, func(x ir.Expr) {
			l, ok := x.(*ir.Load)
			if !ok || !b.shared(l.Buf) {
				return
			}
			p := place{buf: l.Buf}
			if simple(l.Index) {
				p.index = b.expr(l.Index)
			}
			if seen[p] {
				return
			}
			seen[p] = true
			if p.index != "" {
				b.line("tl_cl_element(%s, %s);", b.bufName(l.Buf), p.index)
			} else {
				b.line("tl_cl_read(%s);", b.bufName(l.Buf))
			}
		})
	})
}

// askFor makes valid what a statement without launches reads and writes, those
// within it included.
func (b *body) askFor(s ir.Stmt) {
	read, written, local := map[*ir.Buf]bool{}, map[*ir.Buf]bool{}, map[*ir.Buf]bool{}
	var order []*ir.Buf
	note := func(set map[*ir.Buf]bool, x *ir.Buf) {
		if !b.shared(x) {
			return
		}
		if !read[x] && !written[x] {
			order = append(order, x)
		}
		set[x] = true
	}
	late := false
	walk([]ir.Stmt{s}, func(s ir.Stmt) {
		for _, v := range assigned(s) {
			late = late || b.device.late[v]
		}
		stmtExprs(s, func(x ir.Expr) {
			ir.WalkExpr(x, func(x ir.Expr) {
				switch x := x.(type) {
				case *ir.Load:
					note(read, x.Buf)
				case *ir.Use:
					late = late || b.device.late[x.Var]
				}
			})
		})
		switch s := s.(type) {
		case *ir.Store:
			note(written, s.Buf)
		case *ir.Copy:
			note(written, s.Dst)
			note(read, s.Src)
		case *ir.Runtime:
			for _, a := range s.Args {
				if a.Array != nil && a.Array.Buf != nil {
					note(read, a.Array.Buf)
				}
			}
			for _, r := range s.Results {
				local[r.Buf] = true
			}
		case *ir.DeclBuf:
			local[s.Buf] = true
		case *ir.Swap:
			note(written, s.A)
			note(written, s.B)
		case *ir.Move:
			note(written, s.Src)
		}
	})
	if late {
		b.line("tl_cl_settle();")
	}
	for _, x := range order {
		switch {
		case local[x]:
		case written[x]:
			b.line("tl_cl_write(%s);", b.bufName(x))
		default:
			b.line("tl_cl_read(%s);", b.bufName(x))
		}
	}
}

// settleBlock waits for the kernels that set variables which are declared in a
// block, before these cease to exist.
func (b *body) settleBlock(list []ir.Stmt) {
	if b.device == nil || b.device.started > 0 {
		return
	}
	for _, s := range list {
		if d, ok := s.(*ir.Decl); ok && b.device.late[d.Var] {
			b.line("tl_cl_settle();")
			return
		}
	}
}

// settleAll waits before the function is left.
func (b *body) settleAll() {
	if b.device != nil && len(b.device.late) > 0 {
		b.line("tl_cl_settle();")
	}
}

// newOnDevice tells the run-time of an array that has been allocated.
func (b *body) newOnDevice(s *ir.DeclBuf, count string, shape []string) {
	zero := 0
	if s.Zero {
		zero = 1
	}
	f := tail.NewFault(tail.FaultMemory, s.At, tail.Blame{}, "")
	b.line("tl_cl_new(%s, %s, %s, %d, %s, %s, %s, %s, %s, %s);", b.bufName(s.Buf), storedTag(s.Buf.Elem), count, zero, stringLiteral(s.Buf.Name),
		stringLiteral(f.Headline()), stringLiteral(tail.FaultMemory.Row().Template), stringLiteral(f.Code.String()), b.place(f.Details()), shapeText(shape))
	if b.device.started > 0 {
		b.line("tl_cl_write(%s);", b.bufName(s.Buf))
	}
}

// storeShared writes a store to an array that the device may hold.
func (b *body) storeShared(s *ir.Store) {
	index, x := b.expr(s.Index), b.expr(s.X)
	at := b.names.fresh("at")
	b.line("const int64_t %s = %s;", at, index)
	b.line("%s[%s] = %s;", b.bufName(s.Buf), at, x)
	b.line("tl_cl_stored(%s, %s);", b.bufName(s.Buf), at)
}

// copyShared writes a copy between arrays that the device may hold.
func (b *body) copyShared(s *ir.Copy) {
	index := func(x ir.Expr) string {
		if x == nil {
			return "0"
		}
		return b.expr(x)
	}
	b.line("tl_cl_copy(%s, %s, %s, %s, %s, %s);", b.bufName(s.Dst), index(s.DstIndex), b.bufName(s.Src), index(s.SrcIndex),
		b.expr(s.Count), storedTag(s.Dst.Elem))
}

// launch writes the launch of a kernel, with what the host does instead.
func (b *body) launch(s *ir.Launch) {
	k := s.Kernel
	b.line("{")
	b.depth++
	var bounds, arrays, values, results []string
	for _, p := range k.Pieces {
		for _, d := range p {
			bounds = append(bounds, b.expr(d.Lo), b.expr(d.Hi))
		}
	}
	for _, d := range k.Within {
		bounds = append(bounds, b.expr(d.Lo), b.expr(d.Hi))
	}
	for _, x := range k.Bufs {
		arrays = append(arrays, "(void *)"+b.bufName(x))
		b.known(x)
	}
	for _, v := range k.Vars {
		switch v.Kind {
		case ir.F64:
			values = append(values, fmt.Sprintf("{.d = %s}", b.varName(v)))
		case ir.C64:
			values = append(values, fmt.Sprintf("{.z = %s}", b.varName(v)))
		default:
			values = append(values, fmt.Sprintf("{.i = %s}", b.varName(v)))
		}
	}
	for _, v := range append(append([]*ir.Var{}, k.Flags...), k.Outs...) {
		if b.survey.read[v] {
			results = append(results, "&"+b.varName(v))
		} else {
			results = append(results, "NULL")
		}
	}
	list := func(kind, name string, items []string) string {
		if len(items) == 0 {
			return "NULL"
		}
		b.line("%s %s[] = {%s};", kind, name, strings.Join(items, ", "))
		return name
	}
	args := []string{"&" + b.described(k),
		list("const int64_t", b.names.fresh("bounds"), bounds),
		list("void *const", b.names.fresh("arrays"), arrays),
		list("const tl_cl_value", b.names.fresh("values"), values),
		list("void *const", b.names.fresh("results"), results)}
	b.line("if (tl_cl_launch(%s)) {", strings.Join(args, ", "))
	b.depth++
	for _, p := range s.Plain {
		after := b.prepare(p)
		b.device.started++
		b.plain(p)
		b.device.started--
		after()
	}
	b.depth--
	b.line("}")
	b.depth--
	b.line("}")
}

// known tells the run-time the size of a constant array.
func (b *body) known(x *ir.Buf) {
	if name, ok := b.consts[x]; ok {
		b.line("tl_cl_known(%s, %s, (int64_t)(sizeof %s / sizeof *%s));", name, storedTag(x.Elem), name, name)
	}
}

// described returns the name of the constant that describes a kernel.
func (e *emitter) described(k *ir.Kernel) string {
	if name := e.launched[k]; name != "" {
		return name
	}
	name := e.global(k.Name)
	e.launched[k] = name
	small := func(suffix string, items []string) string {
		if len(items) == 0 {
			return "NULL"
		}
		fmt.Fprintf(&e.head, "static const int8_t %s_%s[] = {%s};\n", name, suffix, strings.Join(items, ", "))
		return name + "_" + suffix
	}
	tags := func(list []*ir.Var) []string {
		var all []string
		for _, v := range list {
			all = append(all, storedTag(v.Kind))
		}
		return all
	}
	var axes, access, elems []string
	for _, p := range k.Pieces {
		axes = append(axes, fmt.Sprint(len(p)))
	}
	for _, a := range k.Access {
		access = append(access, fmt.Sprint(int(a)))
	}
	for _, x := range k.Bufs {
		elems = append(elems, storedTag(x.Elem))
	}
	library := e.library(k.Library, name)
	text := fmt.Sprintf("static tl_cl_kernel %s = {%s, %s, %d, %s, %d, %s, %s, %d, %s, %d, %d, %s, %d, %d, %d, %d, %d, %d, %s, NULL};\n",
		name, stringLiteral(k.Name), shapeTag(k.Shape), len(axes), small("axes", axes), len(access), small("access", access), small("elems", elems),
		len(k.Vars), small("kinds", tags(k.Vars)), len(k.Flags), len(k.Outs), small("outs", tags(k.Outs)), k.Answers, k.Weight,
		truth(k.Redo), truth(k.Wide), truth(k.Notes), len(k.Within), library)
	e.head.WriteString(text)
	return name
}

// library writes the constants that say how a library's function is launched, and returns
// the address of the last one.
func (e *emitter) library(l *ir.Library, name string) string {
	if l == nil {
		return "NULL"
	}
	list := func(kind, name string, numbers []string) string {
		if len(numbers) == 0 {
			return "NULL"
		}
		fmt.Fprintf(&e.head, "static const %s %s[] = {%s};\n", kind, name, strings.Join(numbers, ", "))
		return name
	}
	var code, temps, steps, lengths []string
	for _, n := range l.Lengths {
		lengths = append(lengths, fmt.Sprint(n))
	}
	for _, c := range l.Numbers {
		code = append(code, fmt.Sprint(len(c)))
		for _, n := range c {
			code = append(code, fmt.Sprint(n))
		}
	}
	for _, t := range l.Temps {
		temps = append(temps, storedTag(t.Elem), fmt.Sprint(t.Count))
	}
	for i, s := range l.Steps {
		var args []string
		for _, a := range s.Args {
			args = append(args, fmt.Sprint(int(a.Kind)), fmt.Sprint(a.At))
		}
		steps = append(steps, fmt.Sprintf("{%s, %d, %d, %d, %d, %d, %s, NULL}", stringLiteral(s.Name), s.If, s.Count, s.Size, truth(s.Groups),
			len(s.Args), list("int16_t", fmt.Sprintf("%s_args%d", name, i), args)))
	}
	fmt.Fprintf(&e.head, "static tl_cl_step %s_steps[] = {%s};\n", name, strings.Join(steps, ", "))
	fmt.Fprintf(&e.head, "static const tl_cl_library %s_library = {%d, %s, %d, %s, %d, %s, %d, %s_steps};\n", name,
		len(lengths), list("int8_t", name+"_lengths", lengths), len(l.Numbers), list("int64_t", name+"_code", code), len(l.Temps), list("int16_t", name+"_temps", temps), len(l.Steps), name)
	return fmt.Sprintf("&%s_library", name)
}

func truth(b bool) int {
	if b {
		return 1
	}
	return 0
}

func shapeTag(s ir.KernelShape) string {
	switch s {
	case ir.MapKernel:
		return "TL_CL_MAP"
	case ir.ReduceKernel:
		return "TL_CL_REDUCE"
	case ir.ScanKernel:
		return "TL_CL_SCAN"
	case ir.TaskKernel:
		return "TL_CL_TASK"
	case ir.UpdateKernel:
		return "TL_CL_UPDATE"
	}
	panic("internal error: shape of a kernel is unset")
}

// deviceProgram writes the constant that holds the kernels, and returns its
// name.
func (e *emitter) deviceProgram() string {
	d, source, name := e.prog.Device, e.global("kernels"), e.global("device")
	limits := make([]string, len(d.Limits))
	for i, n := range d.Limits {
		limits[i] = fmt.Sprint(n)
	}
	fmt.Fprintf(&e.text, "\nstatic const char *const %s[] = {\n", source)
	for line := range strings.Lines(d.Source) {
		fmt.Fprintf(&e.text, "  %s,\n", stringLiteral(line))
	}
	e.text.WriteString("  NULL};\n")
	e.deviceFunctions()
	fmt.Fprintf(&e.text, "static const tl_cl_program %s = {%s, %s, %d, %d, %d, %s};\n", name, source, stringLiteral(d.Options),
		d.Answers, truth(d.Groups), truth(d.Narrow), strings.Join(limits, ", "))
	return name
}

// storedTag returns the run-time's name of a kind of the same size and range.
func storedTag(k ir.Kind) string {
	if k == ir.C8 {
		return "TL_BOOL"
	}
	return elemTag(k)
}
