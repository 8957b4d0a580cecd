package interp

import (
	"time"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/internal/display"
	"github.com/tailor-lang/tailor/interp/value"
)

// Dfns that are called often, or for each of many items, are compiled for the types of
// the arguments that they are called with (Env.Compiler). A compiled function gives the
// interpreter's answer or none: then the same call is interpreted from its start, which
// is possible because functions with effects are not compiled. What a dfn refers to is
// compiled into it, so that it is used only as long as all those names mean the same.

const (
	defaultTolerance = 1e-14
	defaultPrecision = display.DefaultPrecision
)

const (
	// hotCalls is the number of calls from which on a dfn is compiled, and hotTime the
	// time in its calls from which on it is compiled after fewer.
	hotCalls = 10_000
	hotTime  = 5 * time.Millisecond
	// maxVersions bounds for how many types, and meanings of names, a dfn is compiled.
	maxVersions = 8
	// maxFaults is the number of calls without an answer after which a compiled function
	// is not called any more.
	maxFaults = 8
	// unsampled is the number of calls before those whose time is taken.
	unsampled = 16
)

// profile is what is known of a dfn, applied by the operators of a form.
type profile struct {
	calls    int
	hot      bool // it is worth to be compiled
	versions []*version
	last     *version // that was used last
	plain    meter    // of calls that were interpreted
}

// version is a dfn compiled for the types of its arguments.
type version struct {
	left, right ArgType
	origin      int
	operands    [2]any
	captured    []capturedName
	frame       *Frame // for which what is captured was looked up last
	epoch       int    // when it was
	f           Compiled
	faults      int
	trial       trial
	recursive   bool // calls take times that cannot be compared
}

// profileKey identifies profiles.
type profileKey struct {
	node apl.Node
	form string
}

// profile returns the profile of a dfn.
func (in *Interp) profile(c *closure, form string) *profile {
	if form == "" && c.profile != nil {
		return c.profile
	}
	key := profileKey{c.node, form}
	p := in.profiles[key]
	if p == nil {
		p = &profile{}
		in.profiles[key] = p
	}
	if form == "" {
		c.profile = p
	}
	return p
}

// specialised calls a dfn by its compiled form; ok is false where it is to be
// interpreted.
func (in *Interp) specialised(p *profile, c *closure, x, y *V) (r *V, ok bool) {
	if p.calls++; !p.hot && !in.heats(p) {
		return nil, false
	}
	v := in.version(p, c, "", x, y)
	if v == nil || v.f == nil || v.faults >= maxFaults {
		return nil, false
	}
	return in.native(p, v, x, y)
}

// heats reports whether a dfn is worth to be compiled by now.
func (in *Interp) heats(p *profile) bool {
	p.hot = in.env.Eager || p.calls >= hotCalls || p.plain.n == sampled && p.plain.total/sampled*time.Duration(p.calls) >= hotTime
	return p.hot
}

// native calls a version, and measures some of its calls.
func (in *Interp) native(p *profile, v *version, x, y *V) (r *V, ok bool) {
	if !v.trial.begins(v.f) {
		return nil, false
	}
	if v.trial.spent.n >= sampled || p.plain.n < sampled || v.recursive {
		r, ok = v.f.Call(x, y)
	} else {
		start := time.Now()
		r, ok = v.f.Call(x, y)
		v.trial.ends(start, 1, sampled, &p.plain)
	}
	if !ok {
		v.faults++
	}
	return r, ok
}

// version returns the version of a dfn for arguments, which is made now where there
// are not too many; nil if there is none.
func (in *Interp) version(p *profile, c *closure, form string, x, y *V) *version {
	if v := p.last; v != nil && in.fits(v, c, x, y) {
		return v
	}
	for _, v := range p.versions {
		if in.fits(v, c, x, y) {
			p.last = v
			return v
		}
	}
	if len(p.versions) >= maxVersions || !in.usual() {
		return nil
	}
	left, ok1 := argType(x)
	right, ok2 := argType(y)
	if !ok1 || !ok2 {
		return nil
	}
	v := &version{left: left, right: right, origin: in.state.Origin, operands: [2]any{c.left, c.right}, frame: c.frame}
	p.versions = append(p.versions, v)
	u, captured, err := in.unit(c, form, x, y)
	v.recursive = recursive(c, captured)
	if err == nil {
		v.captured = captured
		v.f, _ = in.compiler.Compile(u)
	}
	in.watch(v)
	return v
}

// usual reports whether system variables, but for ⎕IO, have their first values, which
// compiled code takes for granted.
func (in *Interp) usual() bool {
	s := &in.state
	return s.Tolerance == defaultTolerance && s.Precision == defaultPrecision && !s.Division && s.Migration == defaultMigration && s.Origin>>1 == 0
}

// recursive reports whether a dfn may call itself.
func recursive(c *closure, captured []capturedName) bool {
	for _, n := range captured {
		if same(n.value, c) {
			return true
		}
	}
	d, ok := c.node.(*apl.Dfn)
	return !ok || d.Recursive
}

// fits reports whether a version is for arguments and for what names mean now.
func (in *Interp) fits(v *version, c *closure, x, y *V) bool {
	if y.Kind != v.right.Kind || len(y.Shape) != v.right.Rank || in.state.Origin != v.origin {
		return false
	}
	if x == nil {
		if v.left.Kind != value.NoKind {
			return false
		}
	} else if x.Kind != v.left.Kind || len(x.Shape) != v.left.Rank {
		return false
	}
	if !in.usual() {
		return false
	}
	if !same(c.left, v.operands[0]) || !same(c.right, v.operands[1]) {
		return false
	}
	if v.frame == c.frame && v.epoch == in.epoch {
		return true
	}
	for _, n := range v.captured {
		f := n.frame
		if f == nil {
			f = c.frame
		}
		if now, _ := f.lookup(n.name); !same(now, n.value) {
			return false
		}
	}
	v.frame = c.frame
	in.watch(v)
	return true
}

// same reports whether two values of names or operands are the same one.
func same(a, b any) bool {
	if _, ok := a.(native); ok {
		return false
	}
	return a == b
}

// watch notes that a version is right for what names mean now. The frames where they
// are tell when that changes.
func (in *Interp) watch(v *version) {
	v.epoch = in.epoch
	for _, n := range v.captured {
		f := n.frame
		if f == nil {
			f = v.frame
		}
		for ; f != nil; f = f.parent {
			if f.space != nil || f.inside != nil || f.trad != nil { // names come and go there without notice
				v.epoch = -1
			}
			f.epoch = &in.epoch
		}
	}
}
