// Command site writes the documentation as pages for a browser: site DOCS DIRECTORY. They stand
// in a folder docs beside the page that runs programs (page/site), whose editor they use.
package main

import (
	"fmt"
	"os"

	"github.com/tailor-lang/tailor/internal/site"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: site DOCS DIRECTORY")
		os.Exit(2)
	}
	if err := site.Write(os.DirFS(os.Args[1]), os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "site:", err)
		os.Exit(1)
	}
}
