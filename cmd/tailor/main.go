// Command tailor compiles APL to fast code. Package internal/cli has its
// commands.
package main

import (
	"os"
	"os/signal"
	"syscall"

	"github.com/tailor-lang/tailor/internal/cli"
)

func main() {
	signal.Ignore(syscall.SIGPIPE) // so that a closed pipe is an error like any other
	os.Exit(cli.Main(os.Args[1:], os.Stdout, os.Stderr))
}
