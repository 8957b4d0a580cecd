//go:build unix

package driver

import (
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/internal/diag"
)

// fakeCompiler is a shell script in the place of the C compiler: it notes each
// call in a file, then runs the body.
func fakeCompiler(t *testing.T, body string) (cc *Compiler, calls func() int) {
	t.Helper()
	dir := t.TempDir()
	path, log := filepath.Join(dir, "cc"), filepath.Join(dir, "log")
	text := "#!/bin/sh\necho \"$*\" >>'" + log + "'\n" + body + "\n"
	require.NoError(t, os.WriteFile(path, []byte(text), 0o755))
	return &Compiler{Path: path, probed: true}, func() int {
		text, _ := os.ReadFile(log)
		return strings.Count(string(text), "program.c")
	}
}

// compiler is the real one, which takes as long as it may here.
func compiler(t *testing.T) *Compiler {
	t.Helper()
	cc, err := FindCompiler()
	if err != nil {
		t.Skip(err)
	}
	return cc
}

// quickCompiler is the real one without optimisation, in a directory that all
// may read.
func quickCompiler(t *testing.T) *Compiler {
	t.Helper()
	cc := compiler(t)
	path := filepath.Join(readable(t), "cc")
	text := "#!/bin/sh\nexec '" + cc.Path + "' \"$@\" -O0\n"
	require.NoError(t, os.WriteFile(path, []byte(text), 0o755))
	return newCompiler(path, nil)
}

// readable returns a directory that all may read.
func readable(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "tailor-driver-test-")
	require.NoError(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	require.NoError(t, os.Chmod(dir, 0o755))
	return dir
}

// Every damage to an entry is found before it runs, and mended.
func TestDamagedEntries(t *testing.T) {
	cc := compiler(t)
	damages := []func(path string) error{
		func(p string) error { return os.Truncate(p, 0) },
		func(p string) error { return os.Truncate(p, 100) },
		func(p string) error { return os.WriteFile(p, []byte("#!/bin/sh\necho no\n"), 0o700) },
		flip,
		func(p string) error { os.Remove(p); return os.Symlink("/bin/true", p) },
		func(p string) error { os.Remove(p); return os.MkdirAll(filepath.Join(p, "x"), 0o700) },
		func(p string) error { return os.Chmod(p, 0o777) },
		func(p string) error { return os.Chmod(p, 0o100) },
		func(p string) error { return os.Chmod(p, 0) },
		func(p string) error { return os.Chmod(p, 0o600) },
	}
	c := &Cache{Dir: t.TempDir()}
	o := Options{Target: C, Flags: []string{"-O0"}}
	compile(t, c, cc, "1+1\n", o)
	for round := range len(damages) / 2 {
		files, err := filepath.Glob(filepath.Join(c.Dir, "*"))
		require.NoError(t, err)
		require.Len(t, files, 5)
		for i, f := range files {
			require.NoError(t, damages[(2*round+i)%len(damages)](f))
		}
		_, path := compile(t, c, newCompiler(cc.Path, cc.Args), "1+1\n", o)
		out, err := exec.Command(path).Output()
		require.NoError(t, err)
		assert.Equal(t, "2\n", string(out))
	}
}

// flip changes one bit in the middle of a file.
func flip(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if len(text) > 0 { // a link to one that was emptied has nothing left
		text[len(text)/2] ^= 4
	}
	return os.WriteFile(path, text, 0o700)
}

// 120 at once compile a program once.
func TestManyAtOnce(t *testing.T) {
	cc, calls := fakeCompiler(t, `while [ $# -gt 0 ]; do [ "$1" = -o ] && echo x >"$2"; shift; done; sleep 0.1`)
	dir := t.TempDir()
	var wait sync.WaitGroup
	for range 120 {
		wait.Add(1)
		go func() {
			defer wait.Done()
			p := New(diag.NewSource("p.apl", "1+1\n"), Options{Target: C})
			_, err := p.Build(&Cache{Dir: dir}, &Compiler{Path: cc.Path, probed: true})
			assert.NoError(t, err)
		}()
	}
	wait.Wait()
	assert.Equal(t, 1, calls())
	left, err := filepath.Glob(filepath.Join(dir, "*.*"))
	require.NoError(t, err)
	require.Len(t, left, 2)
	for _, name := range left {
		assert.Regexp(t, `/rt-[0-9a-f]+\.o$`, name, "no locks, no work")
	}
}

// command is the tailor command, for tests that stop it.
func command(t *testing.T) string {
	t.Helper()
	path, err := built()
	require.NoError(t, err)
	return path
}

// builtIn is the directory of the tailor command that the tests built, or "".
var builtIn string

func TestMain(m *testing.M) {
	status := m.Run()
	if builtIn != "" {
		os.RemoveAll(builtIn)
	}
	os.Exit(status)
}

// built builds the tailor command once for all tests.
var built = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "tailor-driver-test-")
	if err != nil {
		return "", err
	}
	builtIn = dir
	path := filepath.Join(dir, "tailor")
	cmd := exec.Command("go", "build", "-o", path, "../../cmd/tailor")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	out, err := cmd.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return path, os.Chmod(dir, 0o755) // another user runs it, too
})

// A compile that is interrupted leaves nothing; one that is killed, nothing
// that the next one does not remove.
func TestInterruptedCompiles(t *testing.T) {
	tailor := command(t)
	cc, calls := fakeCompiler(t, `echo x >"$TMPDIR/temporary"; while [ $# -gt 0 ]; do [ "$1" = -o ] && echo x >"$2"; shift; done
[ -e "$TAILOR_CACHE/../quick" ] || exec sleep 60`)
	for _, s := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGKILL} {
		if signal.Ignored(s) { // as nohup has it
			continue
		}
		root := t.TempDir()
		cache := filepath.Join(root, "cache")
		cmd := exec.Command(tailor, "run", "--target", "c", "-e", "1+1")
		cmd.Env = append(os.Environ(), "CC="+cc.Path, "TAILOR_CACHE="+cache)
		require.NoError(t, cmd.Start())
		require.Eventually(t, func() bool {
			m, _ := filepath.Glob(filepath.Join(cache, "*.work", "temporary"))
			return len(m) > 0
		}, 10*time.Minute, 5*time.Millisecond)
		require.NoError(t, cmd.Process.Signal(s))
		cmd.Wait()
		status := cmd.ProcessState.Sys().(syscall.WaitStatus)
		assert.True(t, status.Signaled() && status.Signal() == s, "%v: %v", s, status)
		if s == syscall.SIGKILL {
			require.NoError(t, os.WriteFile(filepath.Join(root, "quick"), nil, 0o600))
			c := &Cache{Dir: cache}
			_, err := c.make("x", func(path string) error { return os.WriteFile(path, nil, 0o600) })
			require.NoError(t, err)
			require.NoError(t, os.Remove(filepath.Join(cache, "x")))
		}
		left, err := os.ReadDir(cache)
		require.NoError(t, err)
		assert.Empty(t, left, "%v", s)
	}
	assert.Zero(t, calls(), "the probe is what was stopped")
}

// A directory that another user owns, or can write to, or can put another one
// in the place of, is not used.
func TestOtherUsers(t *testing.T) {
	t.Run("open", func(t *testing.T) {
		dir := t.TempDir()
		require.NoError(t, os.Chmod(dir, 0o777))
		refuses(t, dir, "can be written by others")
		refuses(t, filepath.Join(dir, "below"), "can be written by others")
		require.NoError(t, os.Chmod(dir, 0o770))
		refuses(t, dir, "can be written by others")
		require.NoError(t, os.Chmod(dir, 0o755))
		c, err := OpenCache(dir)
		require.NoError(t, err)
		assert.Empty(t, c.Why())
	})
	t.Run("file", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "file")
		require.NoError(t, os.WriteFile(path, nil, 0o600))
		refuses(t, path, "cannot be made")
	})
	t.Run("owner", func(t *testing.T) {
		if os.Geteuid() != 0 {
			t.Skip("only root can give a directory away")
		}
		dir := t.TempDir()
		require.NoError(t, os.Chown(dir, 65534, 65534))
		refuses(t, dir, "belongs to another user (65534)")
		below := filepath.Join(dir, "below")
		require.NoError(t, os.Mkdir(below, 0o700))
		refuses(t, below, "belongs to another user (65534)")
		link := filepath.Join(t.TempDir(), "link")
		require.NoError(t, os.Symlink(dir, link))
		refuses(t, link, "belongs to another user (65534)")
	})
}

func refuses(t *testing.T, dir, why string) {
	t.Helper()
	c, err := OpenCache(dir)
	require.NoError(t, err)
	assert.Contains(t, c.Why(), why)
	assert.NotEqual(t, dir, c.Dir)
	CleanUp()
}

// Without HOME the cache is in a place that anybody may have made first.
func TestPlantedProgram(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can act as another user")
	}
	cc := quickCompiler(t)
	tmp := t.TempDir()
	require.NoError(t, os.Chmod(tmp, 0o777|os.ModeSticky))
	dir := filepath.Join(tmp, fmt.Sprintf("tailor-%d", os.Getuid()))
	p := New(diag.NewSource("expression", "1+1\n"), Options{Target: C})
	require.NoError(t, os.Mkdir(dir, 0o755))
	_, err := p.Build(&Cache{Dir: dir}, cc)
	require.NoError(t, err)
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	require.NoError(t, err)
	for _, f := range files { // with the right hash
		require.NoError(t, os.WriteFile(f, []byte("#!/bin/sh\necho planted\n"), 0o755))
		require.NoError(t, sealFile(f))
		require.NoError(t, os.Chown(f, 65534, 65534))
	}
	require.NoError(t, os.Chown(dir, 65534, 65534))
	cmd := exec.Command(command(t), "run", "--target", "c", "-e", "1+1")
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "TMPDIR=" + tmp, "CC=" + cc.Path}
	var out, stderr strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &stderr
	require.NoError(t, cmd.Run())
	assert.Equal(t, "2\n", out.String())
	assert.Contains(t, stderr.String(), "belongs to another user (65534); the program is not kept")
	left, err := os.ReadDir(tmp)
	require.NoError(t, err)
	assert.Len(t, left, 1, "what is not kept is gone")
}

// A cache that cannot be written costs time, no more.
func TestReadOnlyCache(t *testing.T) {
	tailor := command(t)
	cc := quickCompiler(t)
	root := t.TempDir()
	dir := filepath.Join(root, "cache")
	run := func() (string, string) {
		cmd := exec.Command(tailor, "run", "--target", "c", "-e", "1+1")
		cmd.Env = append(os.Environ(), "TAILOR_CACHE="+dir, "TMPDIR="+root, "CC="+cc.Path)
		if os.Geteuid() == 0 { // nothing is read-only to root
			cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
		}
		var out, stderr strings.Builder
		cmd.Stdout, cmd.Stderr = &out, &stderr
		require.NoError(t, cmd.Run(), &stderr)
		return out.String(), stderr.String()
	}
	require.NoError(t, os.Mkdir(dir, 0o500))
	for path := root; path != "/"; path = filepath.Dir(path) { // t.TempDir is closed to others
		info, err := os.Stat(path)
		require.NoError(t, err)
		if os.Geteuid() == 0 && info.Mode()&0o005 != 0o005 {
			require.NoError(t, os.Chmod(path, info.Mode().Perm()|0o055))
		}
	}
	if os.Geteuid() == 0 {
		require.NoError(t, os.Chmod(root, 0o777|os.ModeSticky))
		require.NoError(t, os.Chown(dir, 65534, 65534))
		require.NoError(t, os.Chmod(filepath.Dir(tailor), 0o755))
	}
	out, stderr := run()
	assert.Equal(t, "2\n", out)
	assert.Contains(t, stderr, "cannot be written: permission denied; the program is not kept")
	left, err := os.ReadDir(root)
	require.NoError(t, err)
	assert.Len(t, left, 1)
}
