package driver

import (
	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/check"
	"github.com/tailor-lang/tailor/infer"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/tail/opt"
)

// Checked judges the program of a tree: the verdicts on its annotations, and the errors
// that are seen without running it, or the places for which it is interpreted.
func (c *Compilation) Checked(tree *apl.Program) check.Result {
	result := check.Program(tree, infer.Options{})
	if result.Dynamic = c.Dynamic(result.Errors.Err()); result.Dynamic {
		result.Errors = c.Places(result.Errors)
	}
	if len(result.Errors) == 0 {
		result.Errors = c.certain()
	}
	return result
}

// certain returns the fault that every run of a program without other errors ends
// with, if one is seen; what the interpreter goes on with is none.
func (c *Compilation) certain() diag.List {
	p, err := c.TAIL()
	if err != nil {
		return nil
	}
	e := opt.CertainFault(p)
	if e == nil || GoesOn(e) {
		return nil
	}
	return diag.List{e}
}
