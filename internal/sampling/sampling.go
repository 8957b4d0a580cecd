// Package sampling says which of many cases a run of the tests takes.
//
// make test takes a sample of the cases whose check is dear, those that run a C
// compiler or a driver of OpenCL; make test-all and a run of single sub-tests
// (-run 'TestExpressions/sums.txt') take all. A case is in the sample or not by
// a hash of its text and of the compiler's sources, so that a run can be
// repeated, and each change of the compiler is tested with another sample.
package sampling

import (
	"crypto/sha256"
	"encoding/binary"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/tailor-lang/tailor/internal/repo"
)

// Variable is the environment variable that asks for all cases, where it is "all".
const Variable = "TAILOR_TEST"

// All reports whether every case runs.
func All() bool {
	return os.Getenv(Variable) == "all" || named()
}

// named reports whether -run names sub-tests.
func named() bool {
	f := flag.Lookup("test.run")
	return f != nil && strings.Contains(f.Value.String(), "/")
}

// Keep reports whether a case, known by a text, is in a sample of one in n.
func Keep(text string, n uint64) bool {
	return All() || place(text)%n == 0
}

// Of returns the places of the texts that are in a sample of one in n; there is
// one at least.
func Of(texts []string, n uint64) []int {
	var kept []int
	least := 0
	for i, text := range texts {
		if Keep(text, n) {
			kept = append(kept, i)
		}
		if place(text) < place(texts[least]) {
			least = i
		}
	}
	if len(kept) == 0 && len(texts) > 0 {
		kept = []int{least}
	}
	return kept
}

// Part returns the places of the texts that are in a sample of one in n, which it takes where All
// holds, too.
func Part(texts []string, n uint64) []int {
	var kept []int
	for i, text := range texts {
		if place(text)%n == 0 {
			kept = append(kept, i)
		}
	}
	return kept
}

// place is the hash of a text and of the sources.
func place(text string) uint64 {
	sum := sha256.Sum256([]byte(seed() + text))
	return binary.BigEndian.Uint64(sum[:])
}

// seed is the hash of the sources of the compiler and its run-time.
var seed = sync.OnceValue(func() string {
	h := sha256.New()
	for _, folder := range []string{"apl", "prelude", "infer", "tail", "laila", "cgen", "clgen"} {
		filepath.WalkDir(filepath.Join(repo.Root(), folder), func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && !strings.Contains(path, "testdata") && !strings.HasSuffix(path, "_test.go") {
				text, _ := os.ReadFile(path)
				h.Write(text)
			}
			return nil
		})
	}
	return string(h.Sum(nil))
})
