package driver

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/tail"
)

// entries returns how many files of each sort a cache has.
func entries(t *testing.T, c *Cache, pattern string) int {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(c.Dir, pattern))
	require.NoError(t, err)
	return len(files)
}

func compile(t *testing.T, c *Cache, cc *Compiler, text string, o Options) (*Compilation, string) {
	t.Helper()
	p := New(diag.NewSource("p.apl", text), o)
	path, err := p.Build(c, cc)
	require.NoError(t, err)
	return p, path
}

// TestCacheOfPrograms compiles each program once, for each choice that counts.
func TestCacheOfPrograms(t *testing.T) {
	cc, err := FindCompiler()
	if err != nil {
		t.Skip(err)
	}
	c := &Cache{Dir: t.TempDir()}
	o := Options{Target: C, Flags: []string{"-O0"}}
	first, path := compile(t, c, cc, "+/⍳10\n", o)
	assert.NotEmpty(t, first.Stages)
	again, _ := compile(t, c, cc, "+/⍳10\n", o)
	assert.Empty(t, again.Stages, "no stage runs again")
	assert.Equal(t, 1, entries(t, c, "c-*"))
	assert.Equal(t, 2, entries(t, c, "rt-*"), "the parts of the library that it needs are compiled once")
	assert.Zero(t, entries(t, c, "*.work"))
	assert.Zero(t, entries(t, c, "*.lock"))

	_, other := compile(t, c, cc, "+/⍳11\n", o)
	assert.NotEqual(t, path, other)
	assert.Equal(t, 2, entries(t, c, "rt-*"))

	verified := o
	verified.Verify = true
	looked, _ := compile(t, c, cc, "+/⍳10\n", verified)
	assert.NotEmpty(t, looked.Stages, "passes are checked even if the program is there")
	assert.Equal(t, 2, entries(t, c, "c-*"))

	_, err = New(diag.NewSource("p.apl", "1 2+3 4 5\n"), o).Build(c, cc)
	assert.Error(t, err)
	assert.Equal(t, 2, entries(t, c, "c-*"))
}

// TestInvalid says that who asks again for an invalid program gets the error again.
func TestInvalid(t *testing.T) {
	free := &tail.Var{Name: "x", Type: tail.Scalar(array.Int)}
	c := FromTyped(&tail.Program{Source: diag.NewSource("p", ""), Main: &tail.Ref{Var: free}}, Options{Verify: true})
	for range 2 {
		_, err := c.TAIL()
		require.ErrorContains(t, err, "internal error")
	}
}

// TestFailedBuild leaves nothing in the cache.
func TestFailedBuild(t *testing.T) {
	c := &Cache{Dir: t.TempDir()}
	fail := errors.New("no")
	_, err := c.make("x", func(path string) error {
		require.NoError(t, os.WriteFile(path, []byte("half"), 0o600))
		return fail
	})
	assert.Equal(t, fail, err)
	left, err := os.ReadDir(c.Dir)
	require.NoError(t, err)
	assert.Empty(t, left)
}

// put writes an entry that was used a number of minutes ago.
func put(t *testing.T, c *Cache, name string, bytes int, minutes time.Duration) {
	t.Helper()
	path := filepath.Join(c.Dir, name)
	require.NoError(t, os.WriteFile(path, make([]byte, bytes), 0o600))
	require.NoError(t, sealFile(path))
	at := time.Now().Add(-minutes * time.Minute)
	require.NoError(t, os.Chtimes(path, at, at))
}

// TestTrim drops the entries that were not used for longest, first those that
// are too many, then those that are too large.
func TestTrim(t *testing.T) {
	c := &Cache{Dir: t.TempDir()}
	for i := range maxEntries {
		put(t, c, fmt.Sprint("c-", i), 0, time.Duration(2*maxEntries-i))
	}
	_, ok := c.lookup("c-0") // used again
	require.True(t, ok)
	fill := func(path string) error { return os.WriteFile(path, nil, 0o600) }
	_, err := c.make("c-new", fill)
	require.NoError(t, err)
	assert.Equal(t, maxEntries*3/4, entries(t, c, "c-*"))
	for name, want := range map[string]bool{"c-0": true, "c-new": true, "c-1": false, fmt.Sprint("c-", maxEntries-1): true} {
		_, ok := c.lookup(name)
		assert.Equal(t, want, ok, name)
	}
}

// TestTrimSize bounds the bytes of a cache; entries in use may be beyond it once.
func TestTrimSize(t *testing.T) {
	for _, c := range []struct {
		minutes time.Duration
		want    int
	}{{60, 3}, {1, 6}} {
		cache := &Cache{Dir: t.TempDir()}
		for i := range 6 {
			path := filepath.Join(cache.Dir, fmt.Sprint("c-", i))
			require.NoError(t, os.WriteFile(path, nil, 0o600))
			require.NoError(t, os.Truncate(path, maxBytes/4)) // a hole
			at := time.Now().Add(-c.minutes * time.Minute)
			require.NoError(t, os.Chtimes(path, at, at))
		}
		cache.trim("")
		assert.Equal(t, c.want, entries(t, cache, "c-*"))
	}
}

// TestKey keeps texts apart that only together are equal.
func TestKey(t *testing.T) {
	assert.NotEqual(t, key("ab", "c"), key("a", "bc"))
	assert.Equal(t, key("a"), key("a"))
	c := New(diag.NewSource("p.apl", "1"), Options{})
	entry := c.sourceEntry(&Compiler{Path: "cc"})
	for name, o := range map[string]Options{
		"target": {Target: OpenMP}, "wrap": {Wrap: true}, "trust": {Trust: true},
		"skip": {Skip: []string{"cse"}}, "flags": {Flags: []string{"-O0"}},
	} {
		assert.NotEqual(t, entry, New(c.Source, o).sourceEntry(&Compiler{Path: "cc"}), name)
	}
}

// TestExitStatus walks the table of the command line's statuses.
func TestExitStatus(t *testing.T) {
	source := diag.Errorf(diag.WrongLength, diag.Span{}, "x")
	fault := diag.Errorf(diag.WrongLength, diag.Span{}, "x")
	fault.RunTime = true
	for _, c := range []struct {
		err  error
		want int
	}{
		{nil, ExitDone}, {fault, ExitFault}, {source, ExitSource}, {diag.List{source}, ExitSource},
		{errors.New("flag"), ExitSource}, {&MissingTool{"cc"}, ExitMissing},
		{fmt.Errorf("more: %w", fault), ExitFault},
	} {
		assert.Equal(t, c.want, ExitStatus(c.err), "%v", c.err)
	}
}
