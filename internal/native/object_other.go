//go:build !linux

package native

import "os"

// stored gives the contents of a shared object a path, until drop is called.
func stored(object []byte) (path string, drop func(), err error) {
	f, err := os.CreateTemp("", "tailor-part-*.so")
	if err != nil {
		return "", nil, err
	}
	drop = func() { os.Remove(f.Name()) }
	_, err = f.Write(object)
	if e := f.Close(); err == nil {
		err = e
	}
	if err != nil {
		drop()
	}
	return f.Name(), drop, err
}
