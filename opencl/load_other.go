//go:build !(linux || darwin || freebsd) || static

package opencl

// openLibrary refuses: on this system libraries are not loaded, nor by an executable that
// is linked statically.
func openLibrary() (register func(function any, name string), has func(name string) bool, err error) {
	return nil, nil, noLoader{}
}

// noLoader is the ErrNoDevice of a build that cannot load libraries.
type noLoader struct{}

func (noLoader) Error() string { return "this build of Tailor cannot load libOpenCL" }

func (noLoader) Is(target error) bool { return target == ErrNoDevice }
