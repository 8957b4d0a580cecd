package lsp

import (
	"io"
	"sync"
)

// queue is a stream whose writes do not wait for the reader: both ends may write at the
// same time.
type queue struct {
	io.ReadWriteCloser
	mu     sync.Mutex
	some   sync.Cond
	texts  [][]byte
	err    error // of a write
	closed bool
	done   chan struct{}
}

func newQueue(stream io.ReadWriteCloser) *queue {
	q := &queue{ReadWriteCloser: stream, done: make(chan struct{})}
	q.some.L = &q.mu
	go q.work()
	return q
}

func (q *queue) Write(p []byte) (int, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.err != nil {
		return 0, q.err
	}
	q.texts = append(q.texts, append([]byte{}, p...))
	q.some.Signal()
	return len(p), nil
}

// work writes what is queued, until the stream is closed and nothing is left.
func (q *queue) work() {
	defer close(q.done)
	for {
		q.mu.Lock()
		for len(q.texts) == 0 && !q.closed {
			q.some.Wait()
		}
		texts := q.texts
		q.texts = nil
		ends := q.closed && len(texts) == 0
		q.mu.Unlock()
		if ends {
			return
		}
		for _, text := range texts {
			if _, err := q.ReadWriteCloser.Write(text); err != nil {
				q.mu.Lock()
				q.err, q.closed, q.texts = err, true, nil
				q.mu.Unlock()
				return
			}
		}
	}
}

// Close closes the stream behind what is queued.
func (q *queue) Close() error {
	q.mu.Lock()
	q.closed = true
	q.some.Signal()
	q.mu.Unlock()
	<-q.done
	return q.ReadWriteCloser.Close()
}
