//go:build !(linux || darwin || freebsd)

package opencl

import "errors"

// openLibrary refuses: libraries are not loaded on this system.
func openLibrary() (register func(function any, name string), err error) {
	return nil, errors.New("this build cannot load libOpenCL on this system")
}
