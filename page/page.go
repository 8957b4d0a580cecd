// Package page holds the static page (site/) that runs Tailor in a browser, as make page
// built it: the program, site/tailor.wasm.gz, is there only then.
package page

import (
	"embed"
	"io/fs"
)

//go:embed site
var files embed.FS

// Program is the file that make page builds.
const Program = "tailor.wasm.gz"

// Files returns the files of the page.
func Files() fs.FS {
	site, err := fs.Sub(files, "site")
	if err != nil {
		panic(err)
	}
	return site
}

// Built reports whether the program is among the files.
func Built() bool {
	_, err := fs.Stat(Files(), Program)
	return err == nil
}
