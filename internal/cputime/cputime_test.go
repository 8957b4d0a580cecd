package cputime

import (
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestSleepTakesNoTime(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the time that passes is measured")
	}
	require.Less(t, Of(func() { time.Sleep(300 * time.Millisecond) }), 150*time.Millisecond)
	require.Positive(t, Of(func() {
		for end := time.Now().Add(50 * time.Millisecond); time.Now().Before(end); {
		}
	}))
}
