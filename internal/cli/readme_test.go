package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/internal/driver"
)

// TestMain makes this executable the command where it is called tailor, has a
// program appended, or is started by the command to compile ahead: then it has its
// own name, and would run the tests again.
func TestMain(m *testing.M) {
	ahead := len(os.Args) > 1 && os.Args[1] == "ahead"
	if filepath.Base(os.Args[0]) == "tailor" || ahead || driver.Bundled() != nil {
		os.Exit(Command())
	}
	var err error
	if cache, err = os.MkdirTemp("", "tailor-cli-test-"); err != nil {
		panic(err)
	}
	status := m.Run()
	os.RemoveAll(cache)
	os.Exit(status)
}

// cache is the cache of the tests here, in which the run-time library is compiled
// once.
var cache string

// tailor returns a directory with the command, which is a name of this executable.
func tailor(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	self, err := os.Executable()
	require.NoError(t, err)
	require.NoError(t, os.Symlink(self, filepath.Join(dir, "tailor")))
	return dir
}

var console = regexp.MustCompile("(?s)```console\n(.*?)```")

// The sessions in the README show what happens.
func TestReadme(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	dir := tailor(t)
	sessions := console.FindAllStringSubmatch(string(readme), -1)
	require.NotEmpty(t, sessions)
	for _, s := range sessions {
		for _, step := range strings.Split(s[1], "$ ")[1:] {
			line, want, _ := strings.Cut(step, "\n")
			cmd := exec.Command("sh", "-c", line)
			cmd.Dir = "../.."
			cmd.Env = append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"), "TAILOR_CACHE="+cache)
			out, _ := cmd.CombinedOutput()
			assert.Equal(t, want, string(out), line)
		}
	}
}

// difference is a row of the README's table of differences: a program, what
// Dyalog shows and what Tailor shows.
var difference = regexp.MustCompile("(?m)^\\| `(.+)` \\| (.+) \\| (.+) \\|$")

// The README's table of differences says what happens here. A row ends in what is
// shown, lines joined by blanks, or in the beginning of the error.
func TestDifferences(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	_, section, ok := strings.Cut(string(readme), "| program | Dyalog | Tailor |\n")
	require.True(t, ok)
	section, _, _ = strings.Cut(section, "\n\n")
	rows := difference.FindAllStringSubmatch(section, -1)
	require.Equal(t, strings.Count(section, "\n"), len(rows), "every row is a program and two answers")
	for _, row := range rows {
		program, dyalog, want := row[1], plain(row[2]), plain(row[3])
		stdout, stderr, _ := invoke("run", "--target", "eval", file(t, strings.ReplaceAll(program, " ⏎ ", "\n")+"\n"))
		got := strings.Join(strings.Fields(stdout), " ")
		if _, fault, ok := strings.Cut(stderr, ".apl:1:"); ok {
			_, fault, _ = strings.Cut(fault, ": ")
			got = strings.TrimSpace(got + " " + fault)
		}
		assert.True(t, strings.HasPrefix(got, want), "%s: got %s, README says %s", program, got, want)
		assert.False(t, strings.HasPrefix(got, dyalog), "%s: no difference", program)
	}
}

// plain takes the marks of code from a cell.
func plain(cell string) string { return strings.Trim(cell, "`") }
