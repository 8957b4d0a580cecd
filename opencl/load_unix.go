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

// openLibrary returns the library and a function that makes a Go function of
// one of its symbols.
func openLibrary() (register func(function any, name string), err error) {
	for _, name := range libraryNames() {
		var lib uintptr
		if lib, err = purego.Dlopen(name, purego.RTLD_NOW|purego.RTLD_GLOBAL); err == nil {
			return func(function any, name string) { purego.RegisterLibFunc(function, lib, name) }, nil
		}
	}
	return nil, err
}
