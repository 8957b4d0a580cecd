package cli

import (
	"fmt"
	"io"
	"sync"
	"time"
)

// A spinner tells on a terminal that something takes a while.
type spinner struct {
	w     io.Writer // nil where nobody looks
	text  string
	mu    sync.Mutex
	end   chan struct{} // closed by stop
	ended chan struct{}
}

// spinAfter is the time before a spinner is seen.
const spinAfter = 500 * time.Millisecond

// newSpinner returns a spinner that does not turn yet.
func newSpinner(w io.Writer, text string) *spinner {
	s := &spinner{text: text}
	if isTerminal(w) {
		s.w = w
	}
	return s
}

// start makes the spinner turn, from half a second from now on.
func (s *spinner) start() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.w == nil || s.end != nil {
		return
	}
	s.end, s.ended = make(chan struct{}), make(chan struct{})
	go s.turn()
}

func (s *spinner) turn() {
	defer close(s.ended)
	select {
	case <-s.end:
		return
	case <-time.After(spinAfter):
	}
	signs := []rune("⠋⠙⠸⠴⠦⠇")
	for i := 0; ; i++ {
		fmt.Fprintf(s.w, "\r%c %s", signs[i%len(signs)], s.text)
		select {
		case <-s.end:
			fmt.Fprint(s.w, "\r\x1b[K")
			return
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// stop ends the spinner, and leaves nothing of it on the terminal.
func (s *spinner) stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.end == nil {
		return
	}
	close(s.end)
	<-s.ended
	s.end, s.w = nil, nil
}
