package page

import (
	"io/fs"
	"mime"
	"net/http"
)

// Handler serves the files of a page. Nothing else is served, and nothing is written:
// programs run in the browser.
func Handler(files fs.FS) http.Handler {
	_ = mime.AddExtensionType(".js", "text/javascript") // whatever the system says
	_ = mime.AddExtensionType(".gz", "application/gzip")
	serve := http.FileServerFS(files)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cache-Control", "no-cache")
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			http.Error(w, "only GET", http.StatusMethodNotAllowed)
			return
		}
		serve.ServeHTTP(w, r)
	})
}
