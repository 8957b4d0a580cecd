package driver

import (
	"github.com/tailor-lang/tailor/laila"
	"github.com/tailor-lang/tailor/tail"
)

// optimise runs the optimiser's passes.
func optimise(p *tail.Program, o Options) (*tail.Program, error) { return p, nil }

// lower makes loops.
func lower(p *tail.Program) (*laila.Program, error) {
	return laila.Lower(p, laila.Options{})
}
