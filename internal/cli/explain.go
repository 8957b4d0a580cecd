package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tailor-lang/tailor/docs"
	"github.com/tailor-lang/tailor/internal/diag"
)

func explainCommand() *cobra.Command {
	var names []string
	for _, c := range diag.Codes {
		names = append(names, c.Name+"\t"+c.Title)
	}
	return &cobra.Command{
		Use:   "explain [CODE | MESSAGE]",
		Short: "Explain the code of an error message",
		Long: `Explain prints what an error means, with an example, and what to write instead.
Without a code it lists all of them. A message can be given instead of its code.`,
		Example: `  tailor explain E0301
  tailor explain 'DOMAIN ERROR: division by zero'`,
		Args:      argsBetween(0, 1, "one code"),
		ValidArgs: names,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				for _, c := range diag.Codes {
					fmt.Fprintf(cmd.OutOrStdout(), "%s  %s: %s\n", c.Name, c.Kind, c.Title)
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
}

// codeOf returns the code of a message that begins with its kind, or "".
func codeOf(message string) string {
	for _, c := range diag.Codes {
		_, text, ok := strings.Cut(message, c.Kind.String()+": ")
		if ok {
			return (&diag.Error{Kind: c.Kind, Message: text}).Code()
		}
	}
	return ""
}
