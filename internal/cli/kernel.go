package cli

import (
	"context"
	"fmt"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/tailor-lang/tailor/internal/kernel"
	"github.com/tailor-lang/tailor/interp"
)

func kernelCommand() *cobra.Command {
	var install bool
	access := interp.Access{Dir: "."}
	cmd := &cobra.Command{
		Use:   "kernel CONNECTION_FILE | --install",
		Short: "Answer a Jupyter notebook or console",
		Long: `Kernel runs the cells of a Jupyter notebook, which starts it with a connection
file. --install tells Jupyter of it, for this user, together with the other flags.
Cells use files of the notebook's directory only, and no shell, unless flags allow
more.`,
		Example: `  tailor kernel --install
  tailor kernel --install --allow-read
  jupyter console --kernel tailor`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if install {
				return installKernel(cmd, args, access)
			}
			if err := argsBetween(1, 1, "one connection file, or --install")(cmd, args); err != nil {
				return err
			}
			return kernel.Run(context.Background(), args[0], version, access)
		},
	}
	cmd.Flags().BoolVar(&install, "install", false, "tell Jupyter of this program")
	cmd.Flags().BoolVar(&access.Shell, "allow-shell", false, "⎕SH and ⎕CMD may run commands of the shell")
	cmd.Flags().BoolVar(&access.Read, "allow-read", false, "cells may read any file")
	cmd.Flags().BoolVar(&access.Write, "allow-write", false, "cells may write any file")
	return cmd
}

// installKernel installs the kernel with what it may do.
func installKernel(cmd *cobra.Command, args []string, a interp.Access) error {
	if err := argsBetween(0, 0, "no arguments with --install")(cmd, args); err != nil {
		return err
	}
	program, err := os.Executable()
	if err != nil {
		return err
	}
	var flags []string
	for flag, on := range map[string]bool{"--allow-shell": a.Shell, "--allow-read": a.Read, "--allow-write": a.Write} {
		if on {
			flags = append(flags, flag)
		}
	}
	slices.Sort(flags)
	dir, err := kernel.Install(program, flags)
	if err != nil {
		return err
	}
	fmt.Fprintln(cmd.OutOrStdout(), "installed in", dir)
	return nil
}
