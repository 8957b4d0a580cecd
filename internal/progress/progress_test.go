package progress

import (
	"bytes"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// A loop is spoken of when it has run for a while, one inside another is not, and nothing
// is left on the terminal.
func TestProgress(t *testing.T) {
	var w bytes.Buffer
	r := New(&w)
	outer := r.Begin(3, 1000)
	assert.Nil(t, r.Begin(4, 1000))
	r.due.Store(true)
	outer.At(1)
	assert.Empty(t, w.String(), "it runs for a moment only")
	outer.start = time.Now().Add(-9 * time.Second)
	r.due.Store(true)
	outer.At(450)
	assert.Equal(t, "\r\x1b[K 45%  line 3, turn 450 of 1000, 11 s left", w.String())
	before := w.Len()
	r.Writer(&w).Write([]byte("42\n"))
	assert.Equal(t, "\r\x1b[K42\n", w.String()[before:])
	outer.End()
	assert.NotNil(t, r.Begin(0, 5))
	assert.Nil(t, r.loop.r.Begin(0, 1))
	r.Close()
}

func TestNoProgress(t *testing.T) {
	var r *Reporter
	l := r.Begin(1, 100)
	l.At(5)
	l.End()
	r.Clear()
	r.Close()
	assert.Nil(t, l)
}
