// Package progress says on a terminal how far a loop is whose number of turns is known.
// cgen/rt/progress.c is its twin for compiled programs.
//
//	45%  line 3, turn 450 of 1000, 12 s left
package progress

import (
	"fmt"
	"io"
	"sync/atomic"
	"time"
)

// The time before a loop is spoken of, and between two lines.
const (
	after = 500 * time.Millisecond
	every = 100 * time.Millisecond
)

// Reporter writes one line, over and over, for the outermost loop that runs. A nil
// Reporter writes nothing. All calls are from one goroutine.
type Reporter struct {
	w     io.Writer
	due   atomic.Bool
	stop  chan struct{}
	loop  *Loop
	shown bool
}

// New returns a reporter that writes to a terminal.
func New(w io.Writer) *Reporter {
	r := &Reporter{w: w, stop: make(chan struct{})}
	go r.tick()
	return r
}

func (r *Reporter) tick() {
	t := time.NewTicker(every)
	defer t.Stop()
	for {
		select {
		case <-t.C:
			r.due.Store(true)
		case <-r.stop:
			return
		}
	}
}

// Close ends the reporter and leaves nothing of it on the terminal.
func (r *Reporter) Close() {
	if r == nil {
		return
	}
	close(r.stop)
	r.Clear()
}

// Clear removes the line before something else is written.
func (r *Reporter) Clear() {
	if r != nil && r.shown {
		r.shown = false
		io.WriteString(r.w, "\r\x1b[K")
	}
}

// Loop is a loop that runs. A nil Loop, which is one inside another, is not spoken of.
type Loop struct {
	r     *Reporter
	line  int
	turns int
	start time.Time
}

// fewTurns is up to how many turns of a loop are not spoken of.
const fewTurns = 2

// Begin says that a loop begins, on a line of the source if that is known, else 0.
func (r *Reporter) Begin(line, turns int) *Loop {
	if r == nil || r.loop != nil || turns <= fewTurns {
		return nil
	}
	r.loop = &Loop{r, line, turns, time.Now()}
	return r.loop
}

// At says that some turns are done.
func (l *Loop) At(done int) {
	if l == nil || !l.r.due.Load() {
		return
	}
	l.r.due.Store(false)
	spent := time.Since(l.start)
	if spent < after {
		return
	}
	l.r.shown = true
	io.WriteString(l.r.w, "\r\x1b[K"+l.text(done, spent))
}

// text is what is shown.
func (l *Loop) text(done int, spent time.Duration) string {
	text := fmt.Sprintf("%3d%%  ", int64(done)*100/int64(l.turns))
	if l.line > 0 {
		text += fmt.Sprintf("line %d, ", l.line)
	}
	text += fmt.Sprintf("turn %d of %d", done, l.turns)
	if done > 0 {
		left := spent.Seconds() / float64(done) * float64(l.turns-done)
		text += fmt.Sprintf(", %.0f s left", left)
	}
	return text
}

// End says that the loop is done, or left.
func (l *Loop) End() {
	if l == nil || l.r.loop != l {
		return
	}
	l.r.loop = nil
	l.r.Clear()
}

// Writer returns w, before whose output the line is removed.
func (r *Reporter) Writer(w io.Writer) io.Writer {
	if r == nil {
		return w
	}
	return clearing{r, w}
}

type clearing struct {
	r *Reporter
	w io.Writer
}

func (c clearing) Write(p []byte) (int, error) {
	c.r.Clear()
	return c.w.Write(p)
}
