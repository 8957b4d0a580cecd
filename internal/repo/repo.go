// Package repo finds the sources of Tailor when a test needs them.
package repo

import (
	"os"
	"path/filepath"
	"sync"
)

// Root returns the folder with go.mod, looked for from the working folder
// upwards. It panics where there is none: only tests call it, in the sources.
var Root = sync.OnceValue(func() string {
	dir, err := os.Getwd()
	if err != nil {
		panic(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			panic("no go.mod above the working folder")
		}
		dir = parent
	}
})
