package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/tailor-lang/tailor/internal/driver"
	"github.com/tailor-lang/tailor/opencl"
)

// version is the release; the commit follows it where the build knows it.
const version = "0.1.0"

// commit is what make dist was run on: Go notes the commit in a program, but not when it is
// built in a work tree of git, or from an archive of the sources.
var commit string

func versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the version",
		Example: `  tailor version`,
		Args:    argsBetween(0, 0, "no arguments"),
		Run: func(cmd *cobra.Command, args []string) {
			fmt.Fprintf(cmd.OutOrStdout(), "tailor %s\n", versionText())
		},
	}
}

// versionText is the release, the commit, and what the program was built for.
func versionText() string {
	return fmt.Sprintf("%s%s %s/%s %s", version, revision(), runtime.GOOS, runtime.GOARCH, runtime.Version())
}

// revision returns the commit that the build was made from, after a +.
func revision() string {
	if commit != "" {
		return "+" + commit
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	made, dirty := "", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision" && len(s.Value) >= 12:
			made = "+" + s.Value[:12]
		case s.Key == "vcs.modified" && s.Value == "true":
			dirty = "-modified"
		}
	}
	return made + dirty
}

func devicesCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "devices",
		Short:   "List what programs can run on",
		Example: `  tailor devices`,
		Args:    argsBetween(0, 0, "no arguments"),
		Run: func(cmd *cobra.Command, args []string) {
			w := cmd.OutOrStdout()
			fmt.Fprintf(w, "eval     the evaluator, always there\n")
			if cc, err := driver.FindCompiler(); err != nil {
				fmt.Fprintf(w, "c, omp   not available: %v\n", err)
			} else {
				fmt.Fprintf(w, "c, omp   %d CPUs, through %s (%s)\n", runtime.NumCPU(), cc.Path, cc.Version())
			}
			list, err := opencl.Devices()
			if err != nil {
				fmt.Fprintf(w, "opencl   not available: %v\n", err)
			}
			for _, d := range list {
				fmt.Fprintf(w, "opencl   %v\n", d)
			}
		},
	}
}
