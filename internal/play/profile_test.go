package play

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestProfile(t *testing.T) {
	p := Profile("⍝ squares\nx←⍳100000\n+/x×x\n")
	assert.Empty(t, p.Error)
	assert.Equal(t, "eval", p.Target)
	require.Len(t, p.Lines, 2)
	assert.Equal(t, "+/x×x", p.Lines[1].Text)
	assert.Equal(t, int64(1), p.Lines[1].Runs)
	assert.Positive(t, p.Lines[0].Seconds+p.Lines[1].Seconds)

	p = Profile("n←0\n:For i :In ⍳50\n  s←⎕NS '' ⋄ n+←i\n:EndFor\nn÷0\n")
	assert.Equal(t, "interp", p.Target)
	assert.Equal(t, int64(50), p.Lines[2].Runs)
	assert.Contains(t, p.Error, "DOMAIN ERROR")

	p = Profile("x←⊃⎕NGET 'a'\n≢x\n")
	assert.NotEmpty(t, p.Error, "there are no files")

	p = Profile("1 2+\n")
	assert.Contains(t, p.Error, "SYNTAX ERROR")
	assert.Empty(t, p.Lines)
}
