package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/check"
	"github.com/tailor-lang/tailor/clgen"
	"github.com/tailor-lang/tailor/fcl/inline"
	"github.com/tailor-lang/tailor/infer"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/internal/driver"
)

func checkCommand() *cobra.Command {
	f := &checkFlags{}
	cmd := &cobra.Command{
		Use:   "check FILE.apl… | FILE.fcl…",
		Short: "Find errors and judge annotations without running anything",
		Long: `Check parses each program and infers the element type, rank and shape of every
expression. It prints the errors that can be seen without running the program,
and a line for every annotation (a comment that begins with ⍝:) with a verdict
on what it claims: proved for all instances, checked at run time, or refuted.
docs/annotations.md says what annotations may claim. The FCL bodies of dfns (comments that
begin with ⍝fcl:, docs/fcl.md) need to have the types of the dfns, and to give what these
give for small arguments. Of a program in FCL it prints the types of the functions.`,
		Example: `  tailor check price.apl life.apl
  tailor check --json price.apl
  tailor check --infer price.apl
  tailor check --infer --write price.apl`,
		Args: argsBetween(1, -1, "one file or more"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.write && !f.infer {
				return fmt.Errorf("--write goes with --infer; see %s --help", cmd.CommandPath())
			}
			worst := 0
			for _, name := range args {
				worst = max(worst, f.check(cmd, name))
			}
			if worst > 0 {
				return &exitError{worst}
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&f.infer, "infer", false, "print the types of the functions that have no annotation")
	cmd.Flags().BoolVar(&f.write, "write", false, "with --infer: write the types into the files, as comments")
	cmd.Flags().BoolVar(&f.json, "json", false, "print the verdicts and the errors of each file as a line of JSON")
	return cmd
}

// checkFlags are the flags of check.
type checkFlags struct {
	json  bool
	infer bool
	write bool
}

// check reports on one file and returns its exit status.
func (f *checkFlags) check(cmd *cobra.Command, name string) int {
	if filepath.Ext(name) == ".fcl" {
		return checkFCL(cmd, name)
	}
	src, err := driver.ReadSource(name)
	if err != nil {
		return report(cmd, err)
	}
	c := driver.New(src, driver.Options{})
	tree, err := c.AST()
	if err != nil {
		var list diag.List
		if !f.json || !errors.As(err, &list) {
			return report(cmd, err)
		}
		check.Result{Errors: list}.WriteJSON(cmd.OutOrStdout(), name)
		return driver.ExitSource
	}
	if f.infer {
		return f.schemes(cmd, name, tree)
	}
	result := c.Checked(tree)
	bodies, wrong := inline.Check(tree)
	if len(wrong) > 0 && result.Dynamic { // the program is refused, not interpreted
		result.Errors, result.Dynamic = nil, false
	}
	result.Errors = append(result.Errors, wrong...)
	result.Errors.Sort()
	if f.json {
		result.WriteJSON(cmd.OutOrStdout(), name)
	} else {
		result.WriteLines(cmd.OutOrStdout())
		for _, b := range bodies {
			fmt.Fprint(cmd.OutOrStdout(), b)
		}
		levels(cmd.OutOrStdout(), c, tree)
	}
	if err := result.Errors.Err(); result.Dynamic {
		if !f.json {
			dynamic(cmd.OutOrStdout(), result.Errors)
		}
		return driver.ExitDone
	} else if err != nil {
		if f.json {
			return driver.ExitSource
		}
		return report(cmd, err)
	}
	return driver.ExitDone
}

// levels prints whether the levels that a program asks for are followed on a GPU.
func levels(w io.Writer, c *driver.Compilation, tree *apl.Program) {
	if len(tree.Levels) == 0 {
		return
	}
	if _, err := c.Plan(clgen.Options{Schedule: clgen.Groups}); err != nil {
		return // what comes next says why
	}
	for _, line := range c.Levels {
		fmt.Fprintln(w, line)
	}
}

// dynamic prints the places for which a program is interpreted.
func dynamic(w io.Writer, places diag.List) {
	for _, e := range places {
		fmt.Fprintf(w, "%s: interpreted: %s [%s]\n%s", e.Span, e.Message, e.Shown(), e.Details())
	}
}

// schemes prints the types of functions without annotation, or writes them
// into the file.
func (f *checkFlags) schemes(cmd *cobra.Command, name string, tree *apl.Program) int {
	all, err := infer.Schemes(tree, infer.Options{})
	if err != nil {
		return report(cmd, err)
	}
	check.WriteSchemes(cmd.OutOrStdout(), all)
	if !f.write {
		return driver.ExitDone
	}
	text, written := check.Annotate(tree, all)
	if written == 0 {
		return driver.ExitDone
	}
	mode := os.FileMode(0o644)
	if info, err := os.Stat(name); err == nil {
		mode = info.Mode().Perm()
	}
	if err := os.WriteFile(name, []byte(text), mode); err != nil {
		return report(cmd, err)
	}
	return driver.ExitDone
}

// report writes an error and returns the exit status.
func report(cmd *cobra.Command, err error) int {
	driver.Report(cmd.ErrOrStderr(), err)
	if status := driver.ExitStatus(err); status != driver.ExitFault {
		return status
	}
	return driver.ExitSource
}

func emitCommand() *cobra.Command {
	f := &compileFlags{}
	cmd := &cobra.Command{
		Use:   "emit ast|tail|laila|memory|c|opencl|fcl FILE.apl | -e EXPRESSION",
		Short: "Print a stage of the compiler",
		Long: `Emit prints a stage of the compiler: the syntax tree with the span of every
node, TAIL, loops, where these store arrays, C, the OpenCL kernels, or those of them that are
functions of FCL's library as FCL. TAIL is input,
too: a file whose name ends in .tail is compiled from there on. Of a program in FCL there are fcl, its text in
one layout, and opencl; the kernels are those for the arguments that --data gives.`,
		Example: `  tailor emit tail price.apl
  tailor emit c -e '+/⍳100'
  tailor emit memory lu.apl
  tailor emit tail life.apl >life.tail && tailor emit c life.tail
  tailor emit tail --skip cse --dump-after inline life.apl
  tailor emit laila --upto 80 --dump-after all life.apl`,
		ValidArgs: []string{"ast", "tail", "laila", "memory", "c", "opencl", "fcl"},
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return fmt.Errorf("emit needs a stage (ast, tail, laila, memory, c, opencl or fcl) and a file; see %s --help", cmd.CommandPath())
			}
			return emit(f, args[0], cmd, args[1:])
		},
	}
	f.register(cmd, "c")
	f.cl.register(cmd)
	f.fcl.register(cmd)
	cmd.Flags().Bool("typed", false, "with tail: before optimisation")
	return cmd
}

func emit(f *compileFlags, stage string, cmd *cobra.Command, args []string) error {
	if isFCL(f, args) && len(args) == 1 {
		text, err := emitFCL(f, stage, args[0])
		if err != nil {
			return err
		}
		_, err = io.WriteString(cmd.OutOrStdout(), text)
		return err
	}
	switch stage {
	case "ast", "tail", "laila", "memory", "c", "opencl", "fcl":
	default:
		return fmt.Errorf("there is no stage %q; emit prints ast, tail, laila, memory, c, opencl and fcl", stage)
	}
	c, rest, err := f.compilation(cmd, args)
	if err != nil {
		return err
	}
	if len(rest) > 0 {
		return fmt.Errorf("emit takes one file, and %q is too much", rest[0])
	}
	typed, _ := cmd.Flags().GetBool("typed")
	text, err := stageText(f, c, stage, typed)
	if err != nil {
		return err
	}
	f.report(cmd.ErrOrStderr(), c)
	_, err = io.WriteString(cmd.OutOrStdout(), text)
	return err
}

// stageText returns a stage as text.
func stageText(f *compileFlags, c *driver.Compilation, stage string, typed bool) (string, error) {
	if stage != "opencl" && stage != "fcl" {
		return c.Text(stage, typed)
	}
	o, err := f.device()
	if err != nil {
		return "", err
	}
	if o.Schedule == clgen.NoSchedule {
		o.Schedule = clgen.Groups
	}
	bodies, err := withBodies(f, c)
	if err != nil {
		return "", err
	}
	plan, err := c.Plan(o)
	if err != nil {
		return "", err
	}
	if stage == "fcl" {
		return plan.FCLText(), nil
	}
	return plan.KernelText() + bodies.Text(), nil
}
