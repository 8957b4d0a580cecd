package build

import (
	"github.com/tailor-lang/tailor/tail"
	"github.com/tailor-lang/tailor/tail/analysis"
)

// Impure reports whether applying f can have an effect.
func (g *Builder) Impure(f *tail.Lam) bool { return g.Effects.Of(f)&analysis.Impures != 0 }

// CanFault reports whether applying f can fail.
func (g *Builder) CanFault(f *tail.Lam) bool { return g.Effects.Of(f)&analysis.Faults != 0 }
