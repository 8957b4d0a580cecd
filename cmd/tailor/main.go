// Command tailor compiles APL to fast code. Package internal/cli has its
// commands.
package main

import (
	"os"

	"github.com/tailor-lang/tailor/internal/cli"
)

func main() {
	os.Exit(cli.Command())
}
