package driver

import (
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"time"
)

// The bounds of a cache. When it is beyond one, the least recently used entries
// go until it is a quarter below.
const (
	maxEntries = 2048
	maxBytes   = 256 << 20
)

// inUse is the age below which an entry may be in use by another process; it
// stays, unless the cache is twice as large as it may be.
const inUse = 10 * time.Minute

// Suffixes of the names that stand beside an entry while it is made.
const (
	workSuffix = ".work"
	lockSuffix = ".lock"
)

// aged is a file of the cache.
type aged struct {
	path  string
	bytes int64
	used  time.Time
}

// trim removes the least recently used entries when there are too many, but not
// the one at keep, and what processes that were killed left behind.
func (c *Cache) trim(keep string) {
	entries, err := os.ReadDir(c.Dir)
	if err != nil {
		return
	}
	var files []aged
	total := int64(0)
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			continue
		}
		path := filepath.Join(c.Dir, e.Name())
		switch {
		case strings.HasSuffix(path, lockSuffix):
			c.sweep(strings.TrimSuffix(e.Name(), lockSuffix))
		case info.IsDir():
			sweepOld(path, info)
		case info.Mode().IsRegular():
			f := aged{path, info.Size() / links(info), info.ModTime()}
			total += f.bytes
			if path != keep {
				files = append(files, f)
			}
		}
	}
	dropOldest(files, total)
}

// dropOldest removes files until they are within the bounds.
func dropOldest(files []aged, total int64) {
	count := len(files) + 1
	if count <= maxEntries && total <= maxBytes {
		return
	}
	sort.Slice(files, func(i, j int) bool { return files[i].used.Before(files[j].used) })
	recent := time.Now().Add(-inUse)
	for _, f := range files {
		if count <= maxEntries*3/4 && total <= maxBytes*3/4 {
			return
		}
		if f.used.After(recent) && count <= 2*maxEntries && total <= 2*maxBytes {
			return
		}
		if os.Remove(f.path) == nil {
			count--
			total -= f.bytes
		}
	}
}

// sweep removes the work of a process that was killed as it made an entry:
// nobody holds its lock.
func (c *Cache) sweep(name string) {
	if l := c.tryLock(name); l != nil {
		os.RemoveAll(filepath.Join(c.Dir, name+workSuffix))
		l.release()
	}
}

// sweepOld removes directories of work that have no lock.
func sweepOld(path string, info fs.FileInfo) {
	work := strings.HasSuffix(path, workSuffix) || strings.HasPrefix(filepath.Base(path), "work-")
	if work && time.Since(info.ModTime()) > 24*time.Hour {
		os.RemoveAll(path)
	}
}
