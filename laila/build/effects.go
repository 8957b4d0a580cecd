package build

import "github.com/tailor-lang/tailor/tail"

func (g *Builder) Impure(f *tail.Lam) bool { return g.Effects.Of(f)&tail.Impures != 0 }

// CanFault and impure say what applying f can do.
func (g *Builder) CanFault(f *tail.Lam) bool { return g.Effects.Of(f)&tail.Faults != 0 }
