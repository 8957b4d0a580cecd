package memory

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestRoom(t *testing.T) {
	assert.True(t, Room(1))
	assert.False(t, Room(1<<60))
	assert.Greater(t, Available(), int64(0))
}
