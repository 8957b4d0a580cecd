package cli

import (
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

// manCommand writes the manual pages, for make man.
func manCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "man DIRECTORY",
		Short:   "Write the manual pages",
		Long:    "Man writes a manual page for each command into a directory.",
		Example: "  tailor man /usr/local/share/man/man1",
		Hidden:  true,
		Args:    argsBetween(1, 1, "a directory"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := os.MkdirAll(args[0], 0o755); err != nil {
				return err
			}
			root := cmd.Root()
			root.DisableAutoGenTag = true
			return doc.GenManTree(root, &doc.GenManHeader{Title: "TAILOR", Section: "1", Source: "Tailor", Manual: "Tailor"}, args[0])
		},
	}
}
