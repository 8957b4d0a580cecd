package memory

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestRoom(t *testing.T) {
	assert.True(t, Room(1))
	assert.False(t, Room(1<<60))
	assert.Greater(t, Available(), int64(0))
}

func TestAsked(t *testing.T) {
	for text, want := range map[string]int64{
		"": 0, "0": 0, "lots": 0, "¯1": 0, "1000": 1000, "900K": 900 << 10, "1MB": 1 << 20, "2g": 2 << 30, "1TiB": 1 << 40,
		"9000000000T": math.MaxInt64 / 2,
	} {
		got, ok := asked(text)
		assert.Equal(t, want, got, text)
		assert.Equal(t, want > 0, ok, text)
	}
}

// A control group without a limit leaves all, also where the files that the system keeps
// are counted as more than what is used.
func TestLeaves(t *testing.T) {
	const none = math.MaxInt64 - 4095 // as memory.limit_in_bytes says it
	assert.EqualValues(t, 700, leaves(1000, 400, 100))
	assert.EqualValues(t, 600, leaves(1000, 400, -1))
	assert.EqualValues(t, none, leaves(none, 1<<30, 1<<30+8192))
}
