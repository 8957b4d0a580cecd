package profile

import (
	"runtime/metrics"
	"sort"
	"time"

	"github.com/tailor-lang/tailor/internal/diag"
)

// Meter counts what the lines of one source cost in this process. It is not for
// several goroutines.
type Meter struct {
	src     *diag.Source
	starts  []int // of the lines, in bytes
	line    int
	since   time.Time
	costs   []Cost
	heap    []metrics.Sample // where Go's allocator counts, else nil
	before  [2]uint64        // what it had counted when it was read last
	due     time.Time        // when it is to be read again
	stopped bool
}

// NewMeter returns a meter, which begins to count at once. With heap it counts what Go's
// allocator gives, in its blocks; else Alloc does.
func NewMeter(src *diag.Source, heap bool) *Meter {
	m := &Meter{src: src, starts: []int{0}}
	for i := range len(src.Text) {
		if src.Text[i] == '\n' {
			m.starts = append(m.starts, i+1)
		}
	}
	if heap {
		m.heap = []metrics.Sample{{Name: "/gc/heap/allocs:objects"}, {Name: "/gc/heap/allocs:bytes"}}
	}
	m.since = time.Now()
	m.before = m.read()
	return m
}

// read returns how many objects and bytes have been allocated.
func (m *Meter) read() (n [2]uint64) {
	if m.heap == nil {
		return n
	}
	metrics.Read(m.heap)
	return [2]uint64{m.heap[0].Value.Uint64(), m.heap[1].Value.Uint64()}
}

// Line returns the line where a span of the source begins, 0 where it is in another one.
func (m *Meter) Line(at diag.Span) int {
	if at.Src != m.src || m.src == nil {
		return 0
	}
	return sort.SearchInts(m.starts, at.Start+1)
}

// Now returns the line that runs.
func (m *Meter) Now() int { return m.line }

// Enter says that the code of a line begins; 0 says nothing.
func (m *Meter) Enter(line int) {
	if line == 0 {
		return
	}
	m.Back(line)
	m.cost().Runs++
}

// Begin is Enter where the line does not run already.
func (m *Meter) Begin(line int) {
	if line != m.line {
		m.Enter(line)
	}
}

// Back says that the code of a line goes on.
func (m *Meter) Back(line int) {
	if line == m.line {
		return
	}
	m.charge()
	m.line = line
}

// cost returns the counts of the line that runs.
func (m *Meter) cost() *Cost {
	for len(m.costs) <= m.line {
		m.costs = append(m.costs, Cost{})
	}
	return &m.costs[m.line]
}

// often is how often Go's allocator is read at most: it takes a microsecond. A line that
// runs for less than that may get what others allocate, or they what it does.
const often = 10 * time.Microsecond

// charge adds to the line that runs what was spent since it began.
func (m *Meter) charge() {
	now := time.Now()
	c := m.cost()
	c.Time += now.Sub(m.since)
	m.since = now
	if m.heap == nil || now.Before(m.due) {
		return
	}
	heap := m.read()
	c.Allocations += int64(heap[0] - m.before[0])
	c.Bytes += int64(heap[1] - m.before[1])
	m.before, m.due = heap, now.Add(often)
}

// Alloc counts an array of some bytes.
func (m *Meter) Alloc(bytes int64) {
	c := m.cost()
	c.Allocations++
	c.Bytes += bytes
}

// Profile ends the counting and returns the profile.
func (m *Meter) Profile(target string) *Profile {
	if !m.stopped {
		m.due = time.Time{}
		m.charge()
		m.stopped = true
	}
	return New(m.src, target, m.costs)
}
