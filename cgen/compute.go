package cgen

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tailor-lang/tailor/laila/ir"
)

// Run-time functions that the device may compute: it is asked first, and the host does what it
// declines (tl_cl_compute).

// computes returns how the device computes a run-time function, nil where it does not: it has to
// hold the operands, and the result.
func (b *body) computes(s *ir.Runtime) *ir.Compute {
	if b.device == nil || b.device.started > 0 {
		return nil
	}
	c := b.prog.Device.Computes[s]
	if c == nil || !b.shared(s.Results[0].Buf) {
		return nil
	}
	for _, a := range c.Arrays {
		if !b.shared(a.Buf) && b.consts[a.Buf] == "" {
			return nil
		}
	}
	return c
}

// computed returns how a result is made: by what the host does, or by the device. Where the host's function
// returns how many elements are kept, that is the value.
func (c *runtimeCall) computed(host string, kept bool) string {
	b := c.b
	how := b.computes(c.Runtime)
	if how == nil {
		return host
	}
	var arrays, counts, numbers []string
	reads := ""
	for _, a := range how.Arrays {
		b.known(a.Buf)
		if b.shared(a.Buf) {
			reads += fmt.Sprintf("tl_cl_read(%s), ", b.bufName(a.Buf))
		}
		arrays = append(arrays, b.bufName(a.Buf))
		n := "1"
		for _, d := range a.Dims {
			n += " * " + b.once(d)
		}
		counts = append(counts, n)
	}
	for _, x := range how.Numbers {
		numbers = append(numbers, b.once(x))
	}
	name := b.computer(how.Name)
	if how.Near != "" {
		name = b.computer(how.Near)
		if how.Name != "" {
			name = fmt.Sprintf("%s ? %s : %s", b.once(how.Exact), b.computer(how.Name), name)
		}
	}
	device := fmt.Sprintf("tl_cl_compute(%s, %d, (const void *[]){%s}, (const int64_t[]){%s}, (const int64_t[]){%s}, %s, %s)", name, len(arrays),
		strings.Join(arrays, ", "), strings.Join(counts, ", "), strings.Join(append(numbers, "0"), ", "), c.result, storedTag(c.Results[0].Buf.Elem))
	if how.Name != "" && how.Near == "" && how.Exact != nil && !ir.IsNumber(how.Exact) {
		device = fmt.Sprintf("(%s ? %s : -1)", b.once(how.Exact), device)
	}
	if kept {
		n := b.names.fresh("kept")
		b.line("int64_t %s;", n)
		return fmt.Sprintf("(%[1]s = %[2]s) >= 0 ? %[1]s : (%[3]s%[4]s)", n, device, reads, host)
	}
	return fmt.Sprintf("if (%s < 0) %s%s", device, reads, host)
}

// computer returns the name that a function of C of the device's gets here.
func (e *emitter) computer(name string) string {
	if name == "" {
		return ""
	}
	if e.computing[name] == "" {
		e.computing[name] = e.global(name)
		fmt.Fprintf(&e.head, "static tl_cl_function %s;\n", e.computing[name])
	}
	return e.computing[name]
}

// deviceFunctions writes those functions.
func (e *emitter) deviceFunctions() {
	if len(e.computing) == 0 {
		return
	}
	e.text.WriteString("\n#include \"openclplan.h\"\n")
	for _, name := range slices.Sorted(maps.Keys(e.prog.Device.Functions)) {
		if as := e.computing[name]; as != "" {
			fmt.Fprintf(&e.text, "#define %s %s\n%s#undef %s\n", name, as, e.prog.Device.Functions[name], name)
		}
	}
	e.text.WriteString("#undef min\n#undef max\n#undef abs\n")
}
