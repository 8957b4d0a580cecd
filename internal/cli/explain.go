package cli

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tailor-lang/tailor/docs"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/internal/driver"
	"github.com/tailor-lang/tailor/internal/gradual"
	"github.com/tailor-lang/tailor/internal/plan"
)

func explainCommand() *cobra.Command {
	var names []string
	for _, c := range diag.Codes {
		names = append(names, c.Code.String()+"\t"+c.Title)
	}
	var file, target string
	var relaxed bool
	cmd := &cobra.Command{
		Use:   "explain [CODE | MESSAGE] | --plan FILE",
		Short: "Explain the code of an error message, or how a program runs",
		Long: `Explain prints what an error means, with an example, and what to write instead.
Without a code it lists all of them. A message can be given instead of its code.

With --plan it prints for the lines of a program which loops they become and
what other lines the same loops compute; which arrays are stored, where, and how
large they are; which loops threads share and which the C compiler makes vector
code of, by its own report; and, where one of these does not happen, why. Of a
program that is interpreted it says why, and which functions are compiled.`,
		Example: `  tailor explain E0301
  tailor explain 'DOMAIN ERROR: division by zero'
  tailor explain --plan price.apl
  tailor explain --plan price.apl --target c`,
		Args:      argsBetween(0, 1, "one code"),
		ValidArgs: names,
		RunE: func(cmd *cobra.Command, args []string) error {
			if file != "" {
				return explainPlan(cmd, file, driver.Options{Target: driver.Target(target), Relaxed: relaxed})
			}
			if len(args) == 0 {
				for _, c := range diag.Codes {
					fmt.Fprintf(cmd.OutOrStdout(), "%s  %s: %s\n", c.Code, c.Kind, c.Title)
				}
				return nil
			}
			page := docs.Explain(strings.ToUpper(args[0]))
			if page == "" {
				page = docs.Explain(codeOf(args[0]))
			}
			if page == "" {
				return fmt.Errorf("there is no code %q; %s lists all", args[0], cmd.CommandPath())
			}
			_, err := io.WriteString(cmd.OutOrStdout(), page)
			return err
		},
	}
	cmd.Flags().StringVar(&file, "plan", "", "say how this program runs: its loops, arrays, threads and vectors")
	cmd.Flags().StringVarP(&target, "target", "t", "omp", "the target of the plan: c or omp")
	cmd.Flags().BoolVar(&relaxed, "relaxed", false, "the plan of a program that is compiled with --relaxed")
	return cmd
}

// explainPlan prints how a program runs.
func explainPlan(cmd *cobra.Command, file string, o driver.Options) error {
	if o.Target != driver.C && o.Target != driver.OpenMP {
		return fmt.Errorf("there are no plans for target %q; they are for c and omp", o.Target)
	}
	src, err := driver.ReadSource(file)
	if err != nil {
		return err
	}
	cc, err := driver.FindCompiler()
	if err != nil {
		fmt.Fprintf(cmd.ErrOrStderr(), "tailor: %v; the plan says nothing about vectors\n", err)
		cc = nil
	}
	c := driver.New(src, o)
	if _, err := c.TAIL(); c.Dynamic(err) {
		return dynamicPlan(cmd.OutOrStdout(), c, err)
	}
	return plan.Write(cmd.OutOrStdout(), c, cc)
}

// dynamicPlan prints how a program runs that is interpreted: why, and which functions
// are compiled for which arguments.
func dynamicPlan(w io.Writer, c *driver.Compilation, why error) error {
	tree, err := c.AST()
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "the program is interpreted:\n")
	for _, e := range c.Places(why) {
		fmt.Fprintf(w, "  %s: %s\n", e.Span, e.Message)
	}
	if units := gradual.Foresee(tree); len(units) > 0 {
		fmt.Fprintf(w, "calls, loops and statements in a row whose types the text shows, which are compiled where they take long:\n")
		for _, u := range units {
			fmt.Fprintf(w, "  %s\n", gradual.Title(u))
		}
	}
	if all := gradual.Prospects(tree); len(all) > 0 {
		fmt.Fprintf(w, "functions that are compiled where they are called often:\n")
		for _, p := range all {
			if len(p.Types) > 0 {
				fmt.Fprintf(w, "  %s %s: for %s, and others\n", p.Where, p.Name, strings.Join(p.Types, ", "))
			} else {
				fmt.Fprintf(w, "  %s %s: never, as far as is known: %s\n", p.Where, p.Name, p.Why)
			}
		}
	}
	fmt.Fprintf(w, "loops of control words, and statements around one that takes long, are compiled while they run where they have types and no effects\n")
	fmt.Fprintf(w, "tailor run --time says what was compiled in a run\n")
	return nil
}

// codeInMessage is the code that a message ends with.
var codeInMessage = regexp.MustCompile(`\[(E\d{4})\]`)

// codeOf returns the code of a message: the one that it shows, or that of its kind
// whose title has most words of it, or the general one of its kind; "" where it
// begins with no kind.
func codeOf(message string) string {
	if shown := codeInMessage.FindStringSubmatch(message); shown != nil {
		return shown[1]
	}
	best, most := "", -1
	for _, c := range diag.Codes {
		_, text, ok := strings.Cut(message, c.Kind.String()+": ")
		if n := shared(text, c.Title); ok && n > most {
			best, most = c.Code.String(), n
		}
	}
	return best
}

// shared returns how many words of a title a text has.
func shared(text, title string) int {
	words, n := strings.Fields(text), 0
	for _, w := range strings.Fields(title) {
		if slices.Contains(words, w) {
			n++
		}
	}
	return n
}
