//go:build !(linux || darwin || freebsd) || static

package native

import (
	"errors"
	"unsafe"
)

func open(string, ...string) ([]uintptr, error) {
	return nil, errors.New("shared objects cannot be loaded here")
}

func call(uintptr, unsafe.Pointer) int32 { return 1 }
