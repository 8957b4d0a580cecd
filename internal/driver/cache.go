package driver

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"sync"
	"time"

	"github.com/tailor-lang/tailor/cgen"
)

// Cache is a directory of compiled programs and objects, named by the hash of
// all that they were made from. Entries appear by renaming, so that several
// processes may share a cache.
type Cache struct{ Dir string }

// maxEntries is how many programs a cache keeps.
const maxEntries = 256

// UserCache returns the cache of the user, which TAILOR_CACHE may name; a
// temporary directory where there is none.
func UserCache() (*Cache, error) {
	dir := os.Getenv("TAILOR_CACHE")
	if dir == "" {
		if base, err := os.UserCacheDir(); err == nil {
			dir = filepath.Join(base, "tailor")
		} else {
			dir = filepath.Join(os.TempDir(), fmt.Sprintf("tailor-%d", os.Getuid()))
		}
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	return &Cache{dir}, nil
}

// key returns the hash of texts, each with its length.
func key(texts ...string) string {
	h := sha256.New()
	for _, t := range texts {
		fmt.Fprintf(h, "%d\n%s\n", len(t), t)
	}
	return hex.EncodeToString(h.Sum(nil))[:40]
}

// lookup returns the path of an entry, and marks it as used.
func (c *Cache) lookup(name string) (string, bool) {
	path := filepath.Join(c.Dir, name)
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return path, false
	}
	if now := time.Now(); now.Sub(info.ModTime()) > time.Hour { // trim drops what is old
		os.Chtimes(path, now, now)
	}
	return path, true
}

// make returns the path of an entry, which build writes when it is not there.
func (c *Cache) make(name string, build func(path string) error) (string, error) {
	path, ok := c.lookup(name)
	if ok {
		return path, nil
	}
	work, err := os.MkdirTemp(c.Dir, "work-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(work)
	made := filepath.Join(work, name)
	if err := build(made); err != nil {
		return "", err
	}
	if err := os.Rename(made, path); err != nil {
		return "", err
	}
	c.trim()
	return path, nil
}

// inUse is the age below which an entry may be in use by another process:
// lookup renews what is older than an hour.
const inUse = 2 * time.Hour

// trim removes the oldest entries when there are too many, but none in use.
func (c *Cache) trim() {
	entries, err := os.ReadDir(c.Dir)
	if err != nil || len(entries) <= maxEntries {
		return
	}
	type aged struct {
		path string
		time int64
	}
	var files []aged
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
			files = append(files, aged{filepath.Join(c.Dir, e.Name()), info.ModTime().UnixNano()})
		}
	}
	sort.Slice(files, func(i, j int) bool { return files[i].time < files[j].time })
	recent := time.Now().Add(-inUse).UnixNano()
	for i := 0; i < len(files)-maxEntries*3/4 && files[i].time < recent; i++ {
		os.Remove(files[i].path)
	}
}

// runTimeHash is a text that changes when the run-time library does.
var runTimeHash = sync.OnceValue(func() string {
	var texts []string
	fs.WalkDir(cgen.RunTime, "rt", func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			text, _ := cgen.RunTime.ReadFile(path)
			texts = append(texts, path, string(text))
		}
		return err
	})
	return key(texts...)
})

// writeRunTime writes the library's sources to a directory.
func writeRunTime(dir string) error {
	entries, err := cgen.RunTime.ReadDir("rt")
	if err != nil {
		return err
	}
	for _, e := range entries {
		text, err := cgen.RunTime.ReadFile("rt/" + e.Name())
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, e.Name()), text, 0o600); err != nil {
			return err
		}
	}
	return nil
}
