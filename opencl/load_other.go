//go:build !(linux || darwin || freebsd) || static

package opencl

import "errors"

// openLibrary refuses: on this system libraries are not loaded, nor by an executable that
// is linked statically.
func openLibrary() (register func(function any, name string), err error) {
	return nil, errors.New("this build of Tailor cannot load libOpenCL")
}
