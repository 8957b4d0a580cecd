package driver

import (
	"fmt"
	"strings"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/clgen"
	"github.com/tailor-lang/tailor/laila/memory"
	"github.com/tailor-lang/tailor/tail"
)

// Text returns a stage as text: ast, tail, laila, memory, c, opencl (for a GPU) or fcl. Typed asks for TAIL
// before optimisation.
func (c *Compilation) Text(stage string, typed bool) (string, error) {
	switch stage {
	case "ast":
		p, err := c.AST()
		if err != nil {
			return "", err
		}
		var b strings.Builder
		err = apl.Dump(&b, p)
		return b.String(), err
	case "tail":
		p, err := c.typedOr(typed)
		if err != nil {
			return "", err
		}
		return p.String(), nil
	case "laila":
		p, err := c.Loops()
		if err != nil {
			return "", err
		}
		return fmt.Sprint(p), nil
	case "memory":
		p, err := c.Loops()
		if err != nil {
			return "", err
		}
		return memory.Describe(p), nil
	case "c":
		return c.C("")
	case "opencl", "fcl":
		plan, err := c.Plan(clgen.Options{Schedule: clgen.Groups})
		if err != nil {
			return "", err
		}
		if stage == "fcl" {
			return plan.FCLText(), nil
		}
		return plan.KernelText(), nil
	}
	panic("internal error: no such stage: " + stage)
}

func (c *Compilation) typedOr(typed bool) (*tail.Program, error) {
	if typed {
		return c.Typed()
	}
	return c.TAIL()
}
