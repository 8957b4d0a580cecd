package interp

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestMeter takes the median of the last calls, so that a call that had to wait for the
// machine decides nothing.
func TestMeter(t *testing.T) {
	var m meter
	require.Zero(t, m.rate())
	ago := func(d time.Duration) time.Time { return time.Now().Add(-d) }
	for range sampled {
		m.add(ago(2*time.Second), 2)
	}
	m.add(ago(time.Hour), 1)
	require.InDelta(t, float64(time.Second), m.rate(), float64(100*time.Millisecond))
	require.Greater(t, m.total, time.Hour)
}
