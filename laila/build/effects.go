package build

import "github.com/tailor-lang/tailor/tail"

// Impure reports whether applying f can have an effect.
func (g *Builder) Impure(f *tail.Lam) bool { return g.Effects.Of(f)&tail.Impures != 0 }

// CanFault reports whether applying f can fail.
func (g *Builder) CanFault(f *tail.Lam) bool { return g.Effects.Of(f)&tail.Faults != 0 }
