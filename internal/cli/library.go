package cli

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/tailor-lang/tailor/internal/driver"
	"github.com/tailor-lang/tailor/internal/library"
)

// buildLibrary writes a library of the annotated functions of a program.
func buildLibrary(f *compileFlags, cmd *cobra.Command, c *driver.Compilation, out string, rank int) error {
	prefix, ok := library.Prefix(out)
	if !ok {
		return fmt.Errorf("%q cannot begin the names of a library; give -o a name of letters, digits and _", filepath.Base(out))
	}
	if rank < 0 || rank > 15 {
		return fmt.Errorf("--rank is %d; it is from 0 to 15", rank)
	}
	cc, cache, err := driver.Tools()
	if err != nil {
		return err
	}
	wait := newSpinner(cmd.ErrOrStderr(), "compiling")
	wait.start()
	l, path, err := madeLibrary(c, library.Options{Options: c.Options, Prefix: prefix, Rank: rank}, cache, cc)
	wait.stop()
	if err != nil {
		return err
	}
	files, err := l.Files()
	if err != nil {
		return err
	}
	dir := filepath.Dir(out)
	for _, file := range files {
		if err := os.WriteFile(filepath.Join(dir, file.Name), []byte(file.Text), 0o644); err != nil {
			return err
		}
	}
	f.report(cmd.ErrOrStderr(), c)
	return driver.CopyExecutable(path, filepath.Join(dir, prefix+".so"))
}

func madeLibrary(c *driver.Compilation, o library.Options, cache *driver.Cache, cc *driver.Compiler) (*library.Library, string, error) {
	l, err := library.New(c.Source, o)
	if err != nil {
		return nil, "", err
	}
	path, err := l.Build(cache, cc, o.Options)
	return l, path, err
}
