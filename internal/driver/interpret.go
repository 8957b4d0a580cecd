package driver

import (
	"errors"
	"io"
	"slices"

	"github.com/tailor-lang/tailor/infer"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/interp"
)

// Interpret runs the program in the interpreter.
func (c *Compilation) Interpret(stdout io.Writer, args []string) error {
	tree, err := c.AST()
	if err != nil {
		return err
	}
	return c.timed("run", func() error {
		return interp.Run(tree, &interp.Env{Stdout: stdout, Args: args, Stdin: c.Stdin, Access: c.Access, Compiler: c.Compiler, Eager: c.Eager, EagerArrays: c.EagerArrays, Trust: c.Trust, Meter: c.Meter, Progress: c.Reporter})
	})
}

// limits are the codes of errors that say what cannot be compiled, though it may be
// right: types that depend on data, and forms that have no type. All of kind
// Unsupported are such, too.
var limits = map[diag.Code]bool{
	diag.BranchRanks:   true, // branches of a guard that differ
	diag.UnknownRank:   true, // a rank that is not known
	diag.StepRank:      true, // a step of ⍣ that changes the rank
	diag.FunctionRank:  true, // cells for which a function gives other ranks
	diag.TooManyTypes:  true, // a function of too many types
	diag.RecursiveType: true, // a recursive function without a type
	diag.UnknownType:   true, // data whose type is not known
	diag.AtLimit:       true, // a function composed of thousands of others
}

// Limit reports whether an error of inference tells a limit of the compiler and not
// a fault of the program.
func Limit(e *diag.Error) bool {
	return !e.RunTime && (e.Kind() == diag.Unsupported || limits[e.Code])
}

// Dynamic reports whether a program that was read, but not typed, may be run by the
// interpreter: an error of its types is a limit of the compiler. What else is wrong
// may follow from that, and the run decides it.
func (c *Compilation) Dynamic(err error) bool {
	var list diag.List
	if c.ast == nil || !errors.As(err, &list) {
		return false
	}
	for _, e := range list {
		if Limit(e) {
			return true
		}
	}
	return false
}

// Places returns the places for which a program is interpreted, in order: those of the
// error, by which it is Dynamic, and those of the statements behind them.
func (c *Compilation) Places(err error) (all diag.List) {
	var list diag.List
	errors.As(err, &list)
	for _, e := range append(list, infer.Foresee(c.ast).Errors...) {
		known := slices.ContainsFunc(all, func(d *diag.Error) bool { return d.Span == e.Span })
		if e.Message != "" && Limit(e) && !known {
			all = append(all, e)
		}
	}
	all.Sort()
	return all
}
