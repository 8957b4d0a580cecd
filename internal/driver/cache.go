package driver

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/tailor-lang/tailor/cgen"
)

// Cache is a directory of compiled programs and objects, named by the hash of
// all that they were made from. Entries appear by renaming and end in the hash
// of their contents (seal.go); who makes one holds its lock (lock.go), so that
// several processes share a cache and compile a program once.
type Cache struct {
	Dir string

	once  sync.Once
	spare *Cache // of this process alone, where Dir cannot be written
	why   string // why entries are not kept
}

// Tools returns what makes executables: the C compiler and the cache of the user.
func Tools() (*Compiler, *Cache, error) {
	cc, err := FindCompiler()
	if err != nil {
		return nil, nil, err
	}
	cache, err := UserCache()
	return cc, cache, err
}

// UserCache returns the cache of the user, which TAILOR_CACHE may name. Where
// its directory cannot be trusted or made, it is one of this process alone, and
// Why says so.
func UserCache() (*Cache, error) {
	dir := os.Getenv("TAILOR_CACHE")
	if dir == "" {
		if base, err := os.UserCacheDir(); err == nil {
			dir = filepath.Join(base, "tailor")
		} else {
			dir = filepath.Join(os.TempDir(), fmt.Sprintf("tailor-%d", os.Getuid()))
		}
	}
	return OpenCache(dir)
}

// OpenCache returns the cache in a directory, as UserCache does.
func OpenCache(dir string) (*Cache, error) {
	real, err := trusted(dir)
	if err == nil {
		return &Cache{Dir: real}, nil
	}
	c := &Cache{Dir: dir, why: err.Error()}
	return c.private()
}

// Why says why compiled programs are not kept, or "".
func (c *Cache) Why() string { return c.why }

// private returns a cache of this process alone, which CleanUp removes.
func (c *Cache) private() (*Cache, error) {
	var err error
	c.once.Do(func() {
		var dir string
		if dir, err = os.MkdirTemp("", "tailor-"); err == nil {
			remember(dir)
			c.spare = &Cache{Dir: dir, why: c.why}
		}
	})
	if c.spare == nil {
		return nil, &MissingTool{fmt.Sprintf("there is no place for compiled programs: %v; set TAILOR_CACHE or TMPDIR to a directory of yours", systemError(err))}
	}
	return c.spare, nil
}

// key returns the hash of texts, each with its length.
func key(texts ...string) string {
	h := sha256.New()
	for _, t := range texts {
		fmt.Fprintf(h, "%d\n%s\n", len(t), t)
	}
	return hex.EncodeToString(h.Sum(nil))[:40]
}

// lookup returns the path of an entry, and marks it as used. One that is
// damaged counts as missing.
func (c *Cache) lookup(name string) (string, bool) {
	path := filepath.Join(c.Dir, name)
	if !sealed(path) {
		return path, false
	}
	now := time.Now()
	os.Chtimes(path, now, now) // trim drops the least recently used
	return path, true
}

// make returns the path of an entry, which build writes when it is not there.
// Other processes that want the same entry wait for it.
func (c *Cache) make(name string, build func(path string) error) (string, error) {
	if path, ok := c.lookup(name); ok {
		return path, nil
	}
	l, err := c.lock(name)
	if err != nil {
		return c.makePrivate(name, build, err)
	}
	defer l.release()
	if path, ok := c.lookup(name); ok {
		return path, nil
	}
	return c.makeLocked(name, build)
}

// makePrivate makes an entry that cannot be kept.
func (c *Cache) makePrivate(name string, build func(path string) error, why error) (string, error) {
	c.why = fmt.Sprintf("the cache %s cannot be written: %v", c.Dir, systemError(why))
	spare, err := c.private()
	if err != nil {
		return "", err
	}
	if spare == c {
		return "", why
	}
	return spare.make(name, build)
}

// makeLocked makes an entry whose lock is held: in a directory beside it, which
// is there only meanwhile, or until a later process finds that this one died.
func (c *Cache) makeLocked(name string, build func(path string) error) (string, error) {
	path, work := filepath.Join(c.Dir, name), filepath.Join(c.Dir, name+workSuffix)
	os.RemoveAll(work)
	remember(work)
	defer forget(work)
	if err := os.Mkdir(work, 0o700); err != nil {
		return c.makePrivate(name, build, err)
	}
	made := filepath.Join(work, name)
	if err := build(made); err != nil {
		return "", err
	}
	if err := sealFile(made); err != nil {
		return "", err
	}
	if info, err := os.Lstat(path); err == nil && info.IsDir() { // no file of ours
		os.RemoveAll(path)
	}
	if err := os.Rename(made, path); err != nil {
		return "", err
	}
	c.trim(path)
	return path, nil
}

// runTimeHash is a text that changes when the run-time library does.
var runTimeHash = sync.OnceValue(func() string {
	files := cgen.RunTime()
	var texts []string
	for _, name := range slices.Sorted(maps.Keys(files)) {
		texts = append(texts, name, files[name])
	}
	return key(texts...)
})

// writeRunTime writes the library's sources to a directory.
func writeRunTime(dir string) error {
	for name, text := range cgen.RunTime() {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			return err
		}
	}
	return nil
}
