package native

import (
	"fmt"
	"os"

	"github.com/tailor-lang/tailor/internal/memfile"
)

// stored gives the contents of a shared object a path. The file behind it is in memory
// and never closed: the loader takes objects of one path for the same.
func stored(object []byte) (path string, drop func(), err error) {
	f, err := memfile.New()
	if err != nil {
		return "", nil, err
	}
	if _, err := f.Write(object); err != nil {
		f.Close()
		return "", nil, err
	}
	kept = append(kept, f)
	return fmt.Sprintf("/proc/self/fd/%d", f.Fd()), func() {}, nil
}

// kept are the files of shared objects.
var kept []*os.File
