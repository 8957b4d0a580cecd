package cli

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/tailor-lang/tailor/internal/lsp"
)

func lspCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "lsp",
		Short: "Serve an editor: errors, types, names and layout while you type",
		Long: `Lsp is a language server. An editor starts it, and talks to it over the standard
input and output, in the Language Server Protocol. docs/editors.md says how VS Code,
Neovim and Emacs are told.`,
		Example: `  tailor lsp   # what an editor runs`,
		Args:    argsBetween(0, 0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return lsp.Serve(cmd.Context(), stream{cmd.InOrStdin(), cmd.OutOrStdout()}, versionText())
		},
	}
}

// stream is the standard input and output.
type stream struct {
	io.Reader
	io.Writer
}

// Close ends reading.
func (s stream) Close() error {
	if c, ok := s.Reader.(io.Closer); ok {
		return c.Close()
	}
	return nil
}
