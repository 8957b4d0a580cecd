//go:build !linux && !darwin && !freebsd && !netbsd && !openbsd

package repl

import (
	"os"

	"github.com/tailor-lang/tailor/internal/session"
)

// keys does nothing where the line editor does not read standard input: glyphs
// are typed by name and Tab there.
type keys struct{}

func newKeys(*session.Keyboard) (*keys, *os.File, error) { return &keys{}, os.Stdin, nil }

func (*keys) resume() error { return nil }

func (*keys) pause() {}
