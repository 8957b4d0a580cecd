//go:build (linux || darwin || freebsd) && !static

package opencl

import (
	"runtime"

	"github.com/ebitengine/purego"
)

// libraryNames are where the loader of OpenCL's drivers is looked for.
func libraryNames() []string {
	if runtime.GOOS == "darwin" {
		return []string{"/System/Library/Frameworks/OpenCL.framework/OpenCL"}
	}
	return []string{"libOpenCL.so.1", "libOpenCL.so"}
}

// openLibrary returns a function that makes a Go function of one of the library's symbols, and one
// that says whether there is a symbol.
func openLibrary() (register func(function any, name string), has func(name string) bool, err error) {
	for _, name := range libraryNames() {
		var lib uintptr
		if lib, err = purego.Dlopen(name, purego.RTLD_NOW|purego.RTLD_GLOBAL); err == nil {
			return func(function any, name string) { purego.RegisterLibFunc(function, lib, name) },
				func(name string) bool { _, err := purego.Dlsym(lib, name); return err == nil }, nil
		}
	}
	return nil, nil, err
}
