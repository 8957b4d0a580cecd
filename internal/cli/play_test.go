package cli

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/page"
)

// The page is handed out with its types, and nothing else is.
func TestPlay(t *testing.T) {
	files := fstest.MapFS{"index.html": {Data: []byte("<p>page")}, "page.js": {Data: []byte("1")}, page.Program: {Data: []byte("x")}}
	server := httptest.NewServer(page.Handler(files))
	defer server.Close()
	client := http.Client{Transport: &http.Transport{DisableCompression: true}} // the program's bytes as they are
	for path, want := range map[string]string{"/": "text/html; charset=utf-8", "/page.js": "text/javascript; charset=utf-8", "/" + page.Program: "application/gzip"} {
		answer, err := client.Get(server.URL + path)
		require.NoError(t, err)
		_, err = io.ReadAll(answer.Body)
		require.NoError(t, err)
		assert.Equal(t, http.StatusOK, answer.StatusCode, path)
		assert.Equal(t, want, answer.Header.Get("Content-Type"), path)
		assert.Equal(t, "nosniff", answer.Header.Get("X-Content-Type-Options"))
	}
	answer, err := http.Get(server.URL + "/../play.go")
	require.NoError(t, err)
	assert.Equal(t, http.StatusNotFound, answer.StatusCode)
	answer, err = http.Post(server.URL+"/", "text/plain", nil)
	require.NoError(t, err)
	assert.Equal(t, http.StatusMethodNotAllowed, answer.StatusCode)
}
