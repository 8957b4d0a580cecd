//go:build linux || darwin || freebsd

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

// call2 calls a C function of two pointers and returns its int.
func call2(f uintptr, in, out *int64) int32 {
	r, _, _ := purego.SyscallN(f, uintptr(unsafe.Pointer(in)), uintptr(unsafe.Pointer(out)))
	return int32(r)
}

// call1 calls a C function of a pointer.
func call1(f uintptr, p unsafe.Pointer) { purego.SyscallN(f, uintptr(p)) }
