package cli

import (
	"io"
	"os"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/tailor-lang/tailor/internal/driver"
	"github.com/tailor-lang/tailor/internal/progress"
)

func (f *compileFlags) registerProgress(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.progress, "progress", false, "say on a terminal how far loops are whose number of turns is known: ⍣n, :For, ¨")
}

// showProgress has a program say how far its loops are, where somebody looks; target
// opencl does not. What it returns ends that.
func (f *compileFlags) showProgress(cmd *cobra.Command, c *driver.Compilation) (end func()) {
	if !f.progress || c.Target == driver.OpenCL || !isTerminal(cmd.ErrOrStderr()) {
		return func() {}
	}
	c.Progress = true
	c.Reporter = progress.New(cmd.ErrOrStderr())
	out := cmd.OutOrStdout()
	cmd.SetOut(c.Reporter.Writer(out))
	return func() {
		c.Reporter.Close()
		cmd.SetOut(out)
	}
}

// isTerminal reports whether w is a terminal on which lines can be written again.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd())) && os.Getenv("TERM") != "dumb"
}
