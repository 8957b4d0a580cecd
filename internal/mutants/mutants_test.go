package mutants

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/internal/sampling"
)

// allowed is how many faults may go unnoticed.
const allowed = 2

// mutant is a fault: a text of a file, what stands in its place, and the tests
// that are likely to find it, each a package and a pattern of names.
type mutant struct {
	name, file, old, new string
	likely               []string
}

// read reads the faults of mutants.txt.
func read(t *testing.T) []mutant {
	text, err := os.ReadFile("mutants.txt")
	require.NoError(t, err)
	var all []mutant
	for _, block := range strings.Split(strings.TrimSpace(string(text)), "\n\n")[1:] {
		lines := strings.Split(block, "\n")
		name, ok := strings.CutPrefix(lines[0], "# ")
		require.True(t, ok && len(lines) > 3, block)
		m := mutant{name: name, file: lines[1]}
		for _, line := range lines[2:] {
			switch text := line[2:] + "\n"; line[:2] {
			case "- ":
				m.old += text
			case "+ ":
				m.new += text
			case "= ":
				m.likely = append(m.likely, line[2:])
			default:
				t.Fatalf("%s: a line begins with none of - + =: %s", name, line)
			}
		}
		m.old, m.new = strings.TrimSuffix(m.old, "\n"), strings.TrimSuffix(m.new, "\n")
		all = append(all, m)
	}
	return all
}

// TestMutantsFit shows that every fault can be planted: its text stands in its
// file once.
func TestMutantsFit(t *testing.T) {
	for _, m := range read(t) {
		text, err := os.ReadFile(filepath.Join("../..", m.file))
		require.NoError(t, err)
		assert.Equal(t, 1, strings.Count(string(text), m.old), "%s: %s has not once\n%s", m.name, m.file, m.old)
	}
}

// stage is some tests that look for a fault: whole, or the sample of make test.
type stage struct {
	whole   bool
	command []string
}

// stages are tried one after the other, the cheapest first, until one fails.
var stages = []stage{
	{false, []string{"./internal/ctest", "./internal/num", "./internal/display", "./internal/data"}},
	{false, []string{"./laila/...", "./cgen"}},
	{false, []string{"./internal/golden", "-run", "TestPrograms|TestCases"}},
	{false, []string{"./internal/golden", "-run", "TestExpressions|TestThreads|TestFiles"}},
	{true, []string{"./internal/golden", "-run", "TestExpressions|TestPrograms|TestCases"}},
	{true, []string{"./internal/golden", "-run", "OpenCL|Exact|Relaxed|Narrow"}},
}

// looks returns the stages for a fault: the tests that are likely to find it,
// then the others.
func (m mutant) looks() []stage {
	var all []stage
	for _, l := range m.likely {
		command := []string{l}
		if pkg, pattern, ok := strings.Cut(l, " "); ok {
			command = []string{pkg, "-run", pattern}
		}
		all = append(all, stage{true, command})
	}
	return append(all, stages...)
}

func TestMutants(t *testing.T) {
	which := os.Getenv("TAILOR_TEST_MUTANTS")
	if which == "" {
		t.Skip("TAILOR_TEST_MUTANTS is not set")
	}
	dir := copyTree(t)
	var missed []string
	for _, m := range read(t) {
		if which != "all" && !strings.Contains(m.name, which) {
			continue
		}
		by := find(t, dir, m)
		if by == "" {
			missed = append(missed, m.name)
			by = "NOTHING"
		}
		t.Logf("%s: found by %s", m.name, by)
	}
	require.LessOrEqual(t, len(missed), allowed, "not found: %s", strings.Join(missed, "; "))
}

// find plants a fault in the copy and returns the tests that fail, "" when all
// pass.
func find(t *testing.T, dir string, m mutant) string {
	file := filepath.Join(dir, m.file)
	before, err := os.ReadFile(file)
	require.NoError(t, err)
	defer func() { require.NoError(t, os.WriteFile(file, before, 0o644)) }()
	require.Equal(t, 1, strings.Count(string(before), m.old), "%s: %s has not once\n%s", m.name, m.file, m.old)
	require.NoError(t, os.WriteFile(file, []byte(strings.Replace(string(before), m.old, m.new, 1)), 0o644))
	if pkg := filepath.Dir(m.file); filepath.Ext(m.file) == ".go" {
		if out, err := command(dir, nil, "go", "build", "./"+pkg); err != nil {
			t.Fatalf("%s: the fault does not compile\n%s", m.name, out)
		}
	}
	for _, s := range m.looks() {
		var env []string
		if s.whole {
			env = []string{sampling.Variable + "=all"}
		}
		words := append([]string{"go", "test", "-vet=off", "-failfast", "-timeout", "120m"}, s.command...)
		if out, err := command(dir, env, words...); err != nil {
			return s.command[0] + " " + firstFailure(string(out))
		}
	}
	return ""
}

// firstFailure returns the innermost name of a test that failed first.
func firstFailure(out string) string {
	name := "a package fails"
	for line := range strings.Lines(out) {
		fields := strings.Fields(line)
		if len(fields) < 3 || fields[0] != "---" || fields[1] != "FAIL:" {
			if strings.HasPrefix(name, "Test") {
				break
			}
			continue
		}
		name = fields[2]
	}
	return name
}

// copyTree copies the files that git knows.
func copyTree(t *testing.T) string {
	dir := t.TempDir()
	out, err := command("../..", nil, "git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	require.NoError(t, err)
	for _, name := range strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		text, err := os.ReadFile(filepath.Join("../..", name))
		if os.IsNotExist(err) { // removed, not yet committed
			continue
		}
		require.NoError(t, err)
		to := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(to), 0o755))
		require.NoError(t, os.WriteFile(to, text, 0o644))
	}
	return dir
}

// command runs a program in a folder, without the switch for this test,
// and with more of an environment.
func command(dir string, env []string, words ...string) ([]byte, error) {
	c := exec.Command(words[0], words[1:]...)
	c.Dir = dir
	c.Env = append(os.Environ(), "TAILOR_TEST_MUTANTS=", sampling.Variable+"=", "CGO_ENABLED=0")
	c.Env = append(c.Env, env...)
	return c.Output()
}
