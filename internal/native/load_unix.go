//go:build (linux || darwin || freebsd) && !static

package native

import (
	"unsafe"

	"github.com/ebitengine/purego"
)

// open returns the addresses of symbols of a shared object.
func open(path string, names ...string) ([]uintptr, error) {
	lib, err := purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_LOCAL)
	if err != nil {
		return nil, err
	}
	found := make([]uintptr, len(names))
	for i, name := range names {
		if found[i], err = purego.Dlsym(lib, name); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// call calls a C function of one pointer and returns its int. The runtime switches to
// the stack of the thread for it, and lets other goroutines run meanwhile.
//
//go:linkname call runtime.cgocall
func call(f uintptr, p unsafe.Pointer) int32
