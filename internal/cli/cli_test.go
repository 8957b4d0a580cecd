package cli

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/internal/cputime"
	"github.com/tailor-lang/tailor/internal/driver"
)

// invoke runs the command line in this process.
func invoke(args ...string) (stdout, stderr string, status int) {
	var out, err bytes.Buffer
	status = Main(args, &out, &err)
	return out.String(), err.String(), status
}

// file writes a source file and returns its name.
func file(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "a.apl")
	require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
	return name
}

func TestMistakesOnTheCommandLine(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		args   []string
		want   string
		status int
	}{
		{[]string{"frob"}, `unknown command "frob" for "tailor"`, 2},
		{[]string{"run"}, "run needs a file, or -e and an expression", 2},
		{[]string{"run", "--frob"}, "unknown flag: --frob", 2},
		{[]string{"run", "no such file.apl"}, "cannot read no such file.apl: no such file or directory", 2},
		{[]string{"run", dir}, dir + " is a directory", 2},
		{[]string{"run", "--target", "z80", "-e", "1"}, `there is no target "z80"`, 2},

		{[]string{"emit", "c"}, "emit needs a file", 2},
		{[]string{"emit", "pascal", "-e", "1"}, `there is no stage "pascal"`, 2},
		{[]string{"run", "--target", "opencl", "--float=16", "-e", "1"}, "--float is 64 or 32, not 16", 2},
		{[]string{"check"}, "check needs one file or more", 2},
		{[]string{"build", "-e", "1"}, "build needs -o", 2},
		{[]string{"build", "-e", "1", "--target", "eval", "-o", "x"}, "target eval makes no executable", 2},
		{[]string{"bench", "no such program"}, "there is no program no such program", 2},
		{[]string{"bench", "--size", "huge"}, `there is no size "huge"`, 2},
		{[]string{"version", "x"}, `"x" is too much`, 2},
		{[]string{"run", "--skip", "frob", "-e", "1"}, `there is no pass "frob"`, 2},
		{[]string{"run", "--dump-after", "split", "-e", "1"}, `there is no pass "split" over TAIL or loops`, 2},
		{[]string{"rum"}, `unknown command "rum" for "tailor"; did you mean run?`, 2},
		{[]string{"passes", "x"}, `passes takes no arguments, and "x" is too much`, 2},
		{[]string{"run", "-e", "1", "b.apl"}, `run takes one program, and "b.apl" is too much; arguments of the program follow --`, 2},
		{[]string{"run", "--target", "omp", "--float=32", "-e", "1"}, "--float needs --target opencl", 2},
		{[]string{"build", "--trace", "-e", "1", "-o", "x"}, "--trace needs --target opencl", 2},
		{[]string{"run", "-O2", "-e", "1"}, "there is no level of optimisation 2", 2},
	} {
		stdout, stderr, status := invoke(c.args...)
		assert.Equal(t, c.status, status, "%v", c.args)
		assert.Contains(t, stderr, c.want, "%v", c.args)
		assert.Equal(t, 1, strings.Count(stderr, "\n"), "%v: %s", c.args, stderr)
		assert.Empty(t, stdout)
	}
}

// Sources that nobody meant give one message, never a trace, and quickly.
func TestUnreadableSources(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"UTF-8":       {"x←1\ny←'\xff'\n", "SYNTAX ERROR"},
		"string":      {"x←'abc\n", "SYNTAX ERROR"},
		"bracket":     {"x←(1 2\n", "SYNTAX ERROR"},
		"brace":       {"f←{⍵\n", "SYNTAX ERROR"},
		"closing":     {"1+2)\n", "SYNTAX ERROR"},
		"NUL":         {"x←1\x002\n", "SYNTAX ERROR"},
		"long line":   {"x←" + strings.Repeat("1 ", 5<<20) + ")\n", "SYNTAX ERROR"},
		"parentheses": {strings.Repeat("(", 10000) + "1" + strings.Repeat(")", 10000) + "+'a'\n", "ERROR"},
		"open":        {strings.Repeat("(", 10000) + "\n", "ERROR"},
		"braces":      {strings.Repeat("{", 10000) + "\n", "ERROR"},
		"name":        {"x+1\n", "VALUE ERROR"},
	} {
		t.Run(name, func(t *testing.T) {
			var stdout, stderr string
			var status int
			took := cputime.Of(func() { stdout, stderr, status = invoke("check", file(t, c.text)) })
			assert.Equal(t, 2, status)
			assert.Contains(t, stderr, c.want)
			assert.Less(t, len(stderr), 2000)
			assert.NotContains(t, stderr, "goroutine")
			assert.Empty(t, stdout)
			assert.Less(t, took, 20*time.Second)
		})
	}
}

func TestEvaluateAndEmit(t *testing.T) {
	stdout, _, status := invoke("run", "--target", "eval", "-e", "+/⍳100")
	assert.Equal(t, "5050\n", stdout)
	assert.Equal(t, 0, status)
	_, stderr, status := invoke("run", "--target", "eval", "--time", "-e", "1 ⋄ ÷0")
	assert.Contains(t, stderr, "DOMAIN ERROR")
	assert.Equal(t, 1, status)
	for _, stage := range []string{"ast", "tail", "laila", "c"} {
		stdout, stderr, status := invoke("emit", stage, "-e", "+/⍳100")
		assert.NotEmpty(t, stdout, stage)
		assert.Empty(t, stderr, stage)
		assert.Equal(t, 0, status, stage)
	}
}

// A built program runs on its own, a second run comes from the cache, and
// without a C compiler the evaluator steps in.
func TestCompiledPrograms(t *testing.T) {
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("gcc is not installed")
	}
	dir, work := tailor(t), t.TempDir()
	run := func(env []string, args ...string) (string, int) {
		cmd := exec.Command(filepath.Join(dir, "tailor"), args...)
		cmd.Dir = work
		cmd.Env = append(append(os.Environ(), "TAILOR_CACHE="+cache), env...)
		out, _ := cmd.CombinedOutput()
		return string(out), cmd.ProcessState.ExitCode()
	}
	require.NoError(t, os.WriteFile(filepath.Join(work, "hello.apl"), []byte("1⊃⎕ARG\n÷0\n"), 0o600))
	for i := range 3 {
		out, status := run(nil, "run", "--target", []string{"c", "c", "auto"}[i], "hello.apl", "--", "world")
		assert.Equal(t, "world\nhello.apl:2:1: DOMAIN ERROR: division by zero [E0601]\n    2 | ÷0\n      | ^\n", out)
		assert.Equal(t, 1, status)
	}
	out, status := run(nil, "build", "hello.apl")
	assert.Empty(t, out)
	assert.Equal(t, 0, status)
	text, _ := exec.Command(filepath.Join(work, "hello"), "there").CombinedOutput()
	assert.True(t, strings.HasPrefix(string(text), "there\nhello.apl:2:1: DOMAIN ERROR"), string(text))
	out, status = run([]string{"CC=no-such-compiler"}, "run", "-e", "2+2")
	assert.Equal(t, "4\n", out)
	assert.Equal(t, 0, status)
	out, status = run([]string{"CC=no-such-compiler"}, "run", "--target", "c", "-e", "2+2")
	assert.Contains(t, out, "the evaluator runs the program\n4\n")
	assert.Equal(t, 0, status)
	out, status = run([]string{"CC=no-such-compiler"}, "build", "hello.apl")
	assert.Contains(t, out, "no C compiler found")
	assert.Equal(t, 4, status)
}

// Every command shows an example.
func TestExamples(t *testing.T) {
	for _, c := range rootCommand().Commands() {
		assert.NotEmpty(t, c.Example, c.Name())
	}
}

// TestTAIL takes a program through the text form of TAIL.
func TestTAIL(t *testing.T) {
	tree, _, status := invoke("emit", "ast", file(t, "f←{⍵+1}\n"))
	assert.Zero(t, status)
	assert.Contains(t, tree, "Dfn  1:3-1:8")

	text, _, status := invoke("emit", "tail", file(t, "f←{⍺←1 ⋄ ⍵=0:⍺ ⋄ (⍺×⍵)∇⍵-1}\nf 5\n'done'\n"))
	assert.Zero(t, status)
	name := filepath.Join(t.TempDir(), "a.tail")
	write := func(text string) { require.NoError(t, os.WriteFile(name, []byte(text), 0o600)) }
	write(text)
	out, stderr, status := invoke("run", "--target", "eval", "--verify", name)
	assert.Equal(t, "120\ndone\n", out)
	assert.Empty(t, stderr)
	assert.Zero(t, status)
	again, _, _ := invoke("emit", "tail", name)
	assert.Equal(t, text, again)
	_, stderr, status = invoke("emit", "ast", name)
	assert.Equal(t, 2, status)
	assert.Contains(t, stderr, "is TAIL, which has no syntax tree")

	write("reduce(addi,0,iota(100))\n")
	out, _, _ = invoke("run", "--target", "eval", name)
	assert.Equal(t, "5050\n", out)

	for text, want := range map[string]string{
		"main =\n  print(frob)\n":                            `a.tail:2:9: SYNTAX ERROR: "frob" is not defined`,
		"fun f (x:[int]0) : [int]0 =\n  )\nmain =\n  f(1)\n": "a.tail:2:3: SYNTAX ERROR: an expression is missing",
		"precision x\nmain =\n  print(1)\n":                  `a.tail:1:11: SYNTAX ERROR: "x" is not a precision`,
		"main =\n  print(\x00)\n":                            "the text is not UTF-8",
	} {
		write(text)
		_, stderr, status := invoke("run", "--target", "eval", name)
		assert.Equal(t, 2, status, text)
		assert.Contains(t, stderr, want)
	}
	write("main =\n  let x:[int]1 = iota(print(3)) in\n  print(index(x,print(9)))\n")
	_, stderr, status = invoke("run", "--target", "eval", name)
	assert.Equal(t, 1, status)
	assert.Contains(t, stderr, "a.tail:3:9: INDEX ERROR")
}

// TestPassFlags looks at passes of a program, also when it is in the cache.
func TestPassFlags(t *testing.T) {
	name := file(t, "+/⍳100\n")
	_, stderr, status := invoke("emit", "tail", "--dump-after", "simplify", name)
	assert.Zero(t, status)
	assert.Contains(t, stderr, "⍝ after simplify, pass 3\nmain =")
	_, stderr, status = invoke("emit", "c", "--dump-after", "all", "--skip", "cse", "--verify", name)
	assert.Zero(t, status)
	assert.Contains(t, stderr, "⍝ after deadcode")
	assert.NotContains(t, stderr, "⍝ after cse")
	loops, stderr, status := invoke("emit", "laila", "--dump-after", "stack", name)
	assert.Zero(t, status)
	assert.Regexp(t, "^⍝ after stack, pass [0-9]+\nfun main", stderr)
	assert.Contains(t, loops, "segred")
	tail, stderr, status := invoke("emit", "tail", "--dump-after", "all", "--upto", "2", name)
	assert.Zero(t, status)
	assert.Contains(t, stderr, "⍝ after params, pass 2\n"+tail)
	assert.NotContains(t, stderr, "pass 3")
	if _, err := driver.FindCompiler(); err != nil {
		t.Skip(err)
	}
	t.Setenv("TAILOR_CACHE", cache)
	for range 2 {
		_, stderr, status = invoke("build", "--dump-after", "inline", name, "-o", filepath.Join(t.TempDir(), "a"))
		assert.Zero(t, status)
		assert.Contains(t, stderr, "⍝ after inline")
	}
}

// TestInternalError reports a bug of ours as one, whether it panics or not.
func TestInternalError(t *testing.T) {
	var stderr bytes.Buffer
	assert.Equal(t, 3, internalError(&stderr, "internal error: no such op"))
	assert.Equal(t, "tailor: internal error: no such op\nThis is a bug in tailor; please report it with the program that shows it.\n", stderr.String())
}

// TestHelp requires an example of every command.
func TestHelp(t *testing.T) {
	for _, cmd := range rootCommand().Commands() {
		text, _, status := invoke(cmd.Name(), "--help")
		assert.Zero(t, status, cmd.Name())
		if !cmd.Hidden && cmd.Name() != "completion" && cmd.Name() != "help" {
			assert.Contains(t, text, "tailor "+cmd.Name(), cmd.Name())
			assert.NotEmpty(t, cmd.Example, cmd.Name())
		}
	}
	text, _, status := invoke("completion", "bash")
	assert.Zero(t, status)
	assert.Contains(t, text, "bash completion")
}
