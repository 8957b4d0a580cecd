package golden

import (
	"bytes"
	"fmt"

	"github.com/tailor-lang/tailor/internal/driver"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/ir/eval"
	"github.com/tailor-lang/tailor/tail"
)

// loops runs a loop program in its interpreter.
func loops(p *ir.Program, source *tail.Program, args []string) Outcome {
	return guarded(func() Outcome {
		var out bytes.Buffer
		err := eval.Compile(p, nil).Run(eval.World{Stdout: &out, Args: args, Exact: source.Exact}, nil, nil)
		return failed(out.String(), err)
	})
}

// InterpretLoopPasses runs the loops that a program becomes in their interpreter: the last
// ones, and where each is set those that every pass changed before. Where doubles
// overflow, the ones with tests run instead, as in an executable.
func InterpretLoopPasses(p Program, o driver.Options, each bool) []PassOutcome {
	var all []PassOutcome
	last := guarded(func() Outcome {
		var c *driver.Compilation
		text := ""
		if each {
			o.Dump = func(_ int, pass string, q fmt.Stringer) {
				lowered, ok := q.(*ir.Program)
				if !ok {
					return
				}
				if now := lowered.Text(); now != text {
					source, _ := c.TAIL()
					text, all = now, append(all, PassOutcome{pass, loops(lowered, source, p.Args)})
				}
			}
		}
		c = p.compilation(o)
		lowered, err := c.Loops()
		if err != nil {
			return failed("", err)
		}
		source, err := c.TAIL()
		if err != nil {
			return failed("", err)
		}
		o := loops(lowered, source, p.Args)
		if tested, err := c.TestedLoops(); err == nil && tested != nil {
			if overflow := loops(tested, source, p.Args); overflow.Status != 0 {
				all = nil
				return overflow
			}
		}
		return o
	})
	return append(all, PassOutcome{"the end", last})
}
