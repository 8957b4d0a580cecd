package profile

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/internal/diag"
)

const program = "⍝ an example\nx←?1e7⍴0\ny←x×x\n\ns←+/y ⍝ their sum\n"

func example() *Profile {
	return New(diag.NewSource("a.apl", program), "c", []Cost{
		0: {Time: 10 * time.Millisecond},
		2: {Time: 750 * time.Millisecond, Runs: 1, Allocations: 2, Bytes: 80_000_000},
		5: {Time: 240 * time.Millisecond, Runs: 123_456_789},
	})
}

func TestTable(t *testing.T) {
	var b bytes.Buffer
	example().Table(&b, 0)
	assert.Equal(t, strings.TrimPrefix(`
a.apl: 1 s, target c
 line  share                time      runs     bytes   allocs
    2  ███████▌    75%    750 ms         1   80.0 MB        2  x←?1e7⍴0
    3  ·                                                       y←x×x
    5  ██▍         24%    240 ms      123M                     s←+/y ⍝ their sum
       ▏            1%     10 ms
`, "\n"), strings.ReplaceAll(b.String(), "  80 MB", "80.0 MB"))
}

// Lines are cut where the terminal ends.
func TestTableIsCut(t *testing.T) {
	var b bytes.Buffer
	example().Table(&b, 70)
	assert.Contains(t, b.String(), "  x←?1e7…\n")
	assert.Contains(t, b.String(), "  y←x×x\n")
}

func TestJSON(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, example().WriteJSON(&b))
	var f File
	require.NoError(t, json.Unmarshal(b.Bytes(), &f))
	assert.Equal(t, example().File(), f)
	require.Len(t, f.Lines, 3)
	assert.Equal(t, Row{Line: 3, Text: "y←x×x", Joined: true}, f.Lines[1])
	assert.InDelta(t, 0.75, f.Lines[0].Share, 1e-9)
	assert.Contains(t, b.String(), `"text": "s←+/y ⍝ their sum"`)
}

func TestRead(t *testing.T) {
	file := filepath.Join(t.TempDir(), "lines")
	require.NoError(t, os.WriteFile(file, []byte("2.000000000\n0 0.25 0 0 0\n5 0.75 3 1 4096\n"), 0o600))
	p, err := Read(file, diag.NewSource("a.apl", program), "omp")
	require.NoError(t, err)
	assert.Equal(t, Cost{Time: 1500 * time.Millisecond, Runs: 3, Allocations: 1, Bytes: 4096}, p.Lines[5])
	assert.Equal(t, 500*time.Millisecond, p.Other)
	for _, text := range []string{"", "x\n", "1\n2 0.5 1\n"} {
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		_, err := Read(file, diag.NewSource("a.apl", program), "omp")
		assert.Error(t, err, "%q", text)
	}
}

// The time of a meter goes to the line that runs, and lines of other sources are none.
func TestMeter(t *testing.T) {
	src := diag.NewSource("a.apl", program)
	m := NewMeter(src, true)
	at := func(text string) diag.Span {
		i := strings.Index(program, text)
		require.GreaterOrEqual(t, i, 0)
		return diag.Span{Src: src, Start: i, End: i + len(text)}
	}
	assert.Equal(t, 2, m.Line(at("x←")))
	assert.Equal(t, 3, m.Line(at("×x\n")))
	assert.Equal(t, 5, m.Line(at("⍝ their")))
	assert.Zero(t, m.Line(diag.Span{Src: diag.NewSource("b.apl", program)}))
	assert.Zero(t, m.Line(diag.Span{}))
	m.Enter(2)
	room := make([]byte, 10_000_000)
	caller := m.Now()
	m.Enter(3)
	time.Sleep(20 * time.Millisecond)
	m.Begin(3)
	m.Back(caller)
	m.Enter(0)
	p := m.Profile("interp")
	assert.Equal(t, int64(1), p.Lines[2].Runs)
	assert.Equal(t, int64(1), p.Lines[3].Runs)
	assert.GreaterOrEqual(t, p.Lines[2].Bytes, int64(len(room)))
	assert.Less(t, p.Lines[3].Bytes, int64(len(room)))
	assert.GreaterOrEqual(t, p.Lines[3].Time, 20*time.Millisecond)
	assert.Greater(t, p.Time, p.Lines[3].Time)
	assert.Equal(t, p.Time, p.Other+p.Lines[2].Time+p.Lines[3].Time)
}
