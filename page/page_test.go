package page

import (
	"context"
	"encoding/json"
	"flag"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/internal/play"
)

var update = flag.Bool("update", false, "rewrite site/glyphs.json")

// shown runs a program and returns the values that it shows, and its errors.
func shown(text string) (values, faults string) {
	p := play.New(func(i play.Item) {
		switch i.Kind {
		case "value", "output":
			values += i.Text
		case "picture":
			values += i.Text + "\n"
		case "error":
			faults += i.Text
		}
	})
	p.Run(context.Background(), text)
	return values, faults
}

func read(t *testing.T, name string, into any) {
	text, err := os.ReadFile("site/" + name)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, into))
}

// The programs of lessons show what the lessons say, or fail where they are to.
func TestLessons(t *testing.T) {
	var lessons []struct {
		Title, Code, Shows, Task, Answer, Expect string
		Text                                     []string
	}
	read(t, "lessons.json", &lessons)
	require.GreaterOrEqual(t, len(lessons), 10)
	for _, l := range lessons {
		values, faults := shown(l.Code)
		assert.Equal(t, l.Shows, values, l.Title)
		assert.Equal(t, l.Shows == "", faults != "", l.Title)
		values, faults = shown(l.Answer)
		assert.Equal(t, l.Expect, values, l.Title)
		assert.Empty(t, faults, l.Title)
		assert.NotEmpty(t, l.Expect)
		for _, text := range append(l.Text, l.Task) {
			assert.Zero(t, strings.Count(text, "`")%2, text)
		}
	}
}

func TestExamplesRun(t *testing.T) {
	var examples []struct{ Name, Code string }
	read(t, "examples.json", &examples)
	require.NotEmpty(t, examples)
	for _, e := range examples {
		values, faults := shown(e.Code)
		assert.NotEmpty(t, values, e.Name)
		assert.Empty(t, faults, e.Name)
		for _, m := range play.Check(e.Code).Messages {
			assert.Equal(t, "info", m.Severity, "%s: %s", e.Name, m.Text)
		}
	}
}

// glyph is a row of site/glyphs.json.
type glyph struct {
	Glyph   string `json:"glyph"`
	Name    string `json:"name"`
	Key     string `json:"key,omitempty"`
	Monadic string `json:"monadic,omitempty"`
	Dyadic  string `json:"dyadic,omitempty"`
}

// The bar of glyphs has those of the table that keyboards do not have.
func TestGlyphsAreThoseOfTheTable(t *testing.T) {
	var want []glyph
	for _, g := range apl.Glyphs {
		if g.Glyph > "~" && g.Key != "" {
			want = append(want, glyph{g.Glyph, g.Name, g.Key, g.Monadic, g.Dyadic})
		}
	}
	if *update {
		text, err := json.MarshalIndent(want, "", " ")
		require.NoError(t, err)
		require.NoError(t, os.WriteFile("site/glyphs.json", append(text, '\n'), 0o644))
	}
	var got []glyph
	read(t, "glyphs.json", &got)
	assert.Equal(t, want, got)
}

// A file that a browser has already is not sent again, and the program comes packed as
// what it is to browsers that can unpack it, else as a file.
func TestHandler(t *testing.T) {
	handler := Handler(fstest.MapFS{Program: {Data: []byte("packed")}, "a.js": {Data: []byte("1")}})
	ask := func(path string, headers ...string) *http.Response {
		r := httptest.NewRequest(http.MethodGet, path, nil)
		for i := 0; i < len(headers); i += 2 {
			r.Header.Set(headers[i], headers[i+1])
		}
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		return w.Result()
	}
	first := ask("/a.js")
	assert.Equal(t, http.StatusOK, first.StatusCode)
	assert.Equal(t, http.StatusNotModified, ask("/a.js", "If-None-Match", first.Header.Get("ETag")).StatusCode)
	assert.Equal(t, http.StatusOK, ask("/"+Program, "If-None-Match", first.Header.Get("ETag")).StatusCode)
	program := ask("/"+Program, "Accept-Encoding", "gzip, br").Header
	assert.Equal(t, "gzip application/wasm", program.Get("Content-Encoding")+" "+program.Get("Content-Type"))
	program = ask("/" + Program).Header
	assert.Equal(t, " application/gzip", program.Get("Content-Encoding")+" "+program.Get("Content-Type"))
	assert.Equal(t, http.StatusNotFound, ask("/b.js").StatusCode)
}

// outside is what loads something from elsewhere.
var outside = regexp.MustCompile(`(?i)(src|href|action)\s*=\s*["']?(https?:)?//|(?-i:\burl\()|@import|https?://`)

// The page needs nothing from elsewhere.
func TestNothingFromElsewhere(t *testing.T) {
	err := fs.WalkDir(Files(), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(name, ".gz") || name == "wasm_exec.js" || strings.HasSuffix(name, ".svg") {
			return err
		}
		text, err := fs.ReadFile(Files(), name)
		if err == nil {
			assert.NotRegexp(t, outside, string(text), name)
		}
		return err
	})
	require.NoError(t, err)
}
