// Package seal ends the files of caches in the hash of their contents, so that
// damaged ones are found before they are used.
package seal

import (
	"bytes"
	"crypto/sha256"
)

// mark stands between contents and their hash. Neither loaders nor linkers read
// beyond the contents.
const mark = "\ntailor-sha256 "

// Of returns what has to stand behind a text.
func Of(text []byte) []byte {
	sum := sha256.Sum256(text)
	return append([]byte(mark), sum[:]...)
}

// Contents returns a file's text without its seal, and whether the seal is
// right; all of a file that has none.
func Contents(file []byte) ([]byte, bool) {
	n := len(file) - len(mark) - sha256.Size
	if n < 0 || !bytes.HasPrefix(file[n:], []byte(mark)) {
		return file, false
	}
	return file[:n], bytes.Equal(file[n:], Of(file[:n]))
}
