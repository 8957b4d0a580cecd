package page

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strings"
	"sync"
)

// Handler serves the files of a page. Nothing else is served, and nothing is written:
// programs run in the browser.
func Handler(files fs.FS) http.Handler {
	_ = mime.AddExtensionType(".js", "text/javascript") // whatever the system says
	_ = mime.AddExtensionType(".gz", "application/gzip")
	serve := http.FileServerFS(files)
	tags := tagged(files)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cache-Control", "no-cache") // a browser asks whether it has changed
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			http.Error(w, "only GET", http.StatusMethodNotAllowed)
			return
		}
		name := strings.TrimPrefix(path.Clean(r.URL.Path), "/")
		if tag := tags(name); tag != "" {
			h.Set("ETag", tag)
		}
		if name == Program && strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
			// The browser unpacks it, which is faster than a script does, and keeps the
			// code that it compiled.
			h.Set("Content-Type", "application/wasm")
			h.Set("Content-Encoding", "gzip")
		}
		serve.ServeHTTP(w, r)
	})
}

// tagged returns a function that gives the tag of a file, made of its contents, or "": a
// browser asks with it whether a file has changed, since files in a program have no time.
func tagged(files fs.FS) func(name string) string {
	var known sync.Map
	return func(name string) string {
		if tag, ok := known.Load(name); ok {
			return tag.(string)
		}
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return ""
		}
		tag := fmt.Sprintf(`"%x"`, sha256.Sum256(text))
		known.Store(name, tag)
		return tag
	}
}
