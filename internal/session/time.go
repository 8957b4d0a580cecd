package session

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/driver"
	"github.com/tailor-lang/tailor/tail/eval"
)

// A line is run until mostRuns have been measured, or some have taken enoughTime.
const (
	mostRuns   = 10
	enoughTime = 500 * time.Millisecond
)

// timer measures runs of a line, where it is on: neither what types and compiles it
// nor, of a compiled line, what starts it and gives it arrays.
type timer struct {
	on   bool
	runs []time.Duration
}

// since notes a run that began then.
func (t *timer) since(begin time.Time) {
	if t.on {
		t.runs = append(t.runs, time.Since(begin))
	}
}

// enough reports whether no more runs are needed.
func (t *timer) enough() bool {
	total := time.Duration(0)
	for _, r := range t.runs {
		total += r
	}
	return len(t.runs) == 0 || len(t.runs) >= mostRuns || total >= enoughTime
}

// reported notes the runs that a compiled line reports, and returns the rest of what
// it says.
func (t *timer) reported(text string) string {
	var rest strings.Builder
	lines := bufio.NewScanner(strings.NewReader(text))
	lines.Buffer(nil, 1<<26)
	for lines.Scan() {
		var ms float64
		if _, err := fmt.Sscanf(lines.Text(), "time_ms: %g", &ms); err == nil {
			t.runs = append(t.runs, time.Duration(ms*float64(time.Millisecond)))
		} else if !strings.HasPrefix(lines.Text(), "peak_kb: ") {
			fmt.Fprintln(&rest, lines.Text())
		}
	}
	return rest.String()
}

// time runs a line and shows the time that it takes: of the fastest of some runs, of
// which the first one shows values and defines names.
func (s *Session) time(ctx context.Context, arg string) error {
	s.timer = timer{on: true}
	defer func() { s.timer = timer{} }()
	if err := s.statements(ctx, arg); err != nil {
		return err
	}
	for !s.timer.enough() {
		before := len(s.timer.runs)
		if err := s.runAgain(ctx, arg); err != nil {
			return err
		}
		if len(s.timer.runs) == before {
			break
		}
	}
	if len(s.timer.runs) == 0 {
		return nil
	}
	best := slices.Min(s.timer.runs)
	text := fmt.Sprintf("%.3g ms", float64(best.Nanoseconds())/1e6)
	if n := len(s.timer.runs); n > 1 {
		text += fmt.Sprintf(", the best of %d", n)
	}
	s.Note(text)
	return nil
}

// runAgain runs a line once more without output, where that has no effect.
func (s *Session) runAgain(ctx context.Context, line string) error {
	_, p, _, err := s.typedBy(line, s.line)
	if err != nil || driver.WritesFiles(p) || s.target == driver.OpenCL {
		return nil
	}
	if !s.evaluates {
		s.sendAtEnd(p)
		_, err = s.inProcess(ctx, p, io.Discard)
		return err
	}
	defer s.timer.since(time.Now())
	_, err = eval.Values(p, &eval.Env{Stdout: io.Discard, Display: func(*array.Array, int) {}, Interrupt: ctx.Done()})
	return err
}
