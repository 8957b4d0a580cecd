package interp

import (
	"bufio"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/interp/value"
)

// Line runs the statements of a program in the global frame, which keeps what
// earlier lines left there. It returns the definitions of functions and operators
// that it made there.
func (in *Interp) Line(p *apl.Program, env *Env) ([]apl.Stmt, error) {
	in.stdout, in.out, in.pending, in.depth = env.Stdout, bufio.NewWriter(env.Stdout), "", 0
	in.env, in.program, in.defs = env, p, nil
	err := in.Program(p)
	if e := in.out.Flush(); err == nil && e != nil {
		err = e
	}
	return in.defs, err
}

// defined notes a definition in the global frame.
func (in *Interp) defined(f *Frame, s apl.Stmt) {
	if f == in.global {
		in.defs = append(in.defs, s)
	}
}

// Set gives a global name a value.
func (in *Interp) Set(name string, v *V) { in.global.set(name, v) }

// PrintWidth returns ⎕PW.
func (in *Interp) PrintWidth() int { return in.state.Width }

// SetPrintWidth sets ⎕PW, from 30 to 32767.
func (in *Interp) SetPrintWidth(cells int) { in.state.Width = min(max(cells, 30), 32767) }

// Globals returns the values of the global names that are arrays.
func (in *Interp) Globals() map[string]*V {
	out := map[string]*V{}
	for _, b := range in.global.bindings() {
		if v, ok := b.value.(*V); ok {
			out[b.name] = v
		}
	}
	return out
}

// Members returns the classes of the names in the namespaces that v refers to, and in
// those inside them, each behind their path and a dot.
func Members(v *V) map[string]apl.Class {
	out := map[string]apl.Class{}
	members(out, "", v, map[*value.Namespace]bool{})
	return out
}

func members(out map[string]apl.Class, path string, v *V, seen map[*value.Namespace]bool) {
	if v == nil {
		return
	}
	if v.Kind == value.Mixed && v.Ref == nil {
		for _, item := range v.Items {
			members(out, path, item, seen)
		}
		return
	}
	space, ok := v.Ref.(*value.Namespace)
	if !ok || seen[space] {
		return
	}
	seen[space] = true
	for _, name := range space.Names() {
		inside := space.Get(name)
		out[path+name] = classOf(inside)
		if a, ok := inside.(*V); ok {
			members(out, path+name+".", a, seen)
		}
	}
}

// interrupted reports, for every so many calls, whether the program is to stop.
func (in *Interp) interrupted() bool {
	if in.calls++; in.calls%callsAtOnce != 0 {
		return false
	}
	return in.poll()
}

// poll reports whether the program is to stop.
func (in *Interp) poll() bool {
	select {
	case <-in.env.Interrupt:
		return true
	default:
		return false
	}
}

// callsAtOnce is the number of calls between two looks for an interrupt.
const callsAtOnce = 1 << 10
