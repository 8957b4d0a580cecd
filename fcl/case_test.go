package fcl

import (
	"flag"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/fcl/eval"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/internal/repo"
)

var update = flag.Bool("update", false, "write the types and results into the programs of testdata/fcl")

// A study is a program of testdata/fcl. Below it stand the parameters it runs with, its
// runs, and the types of its functions:
//
//	--params BlockSize=4
//	--> 2 [1, 2, 3]
//	--= [2, 1, 3]
//	--: main : …
type study struct {
	name    string
	text    string // without what -update writes
	params  map[string]int64
	program *Program
	runs    [][]Data
	given   []string // the runs as text
	want    string   // what -update writes
}

func studies(t testing.TB) []*study {
	files, err := filepath.Glob(filepath.Join(repo.Root(), "testdata", "fcl", "*.fcl"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	var all []*study
	for _, f := range files {
		text, err := os.ReadFile(f)
		require.NoError(t, err)
		all = append(all, read(t, f, string(text)))
	}
	return all
}

func read(t testing.TB, name, text string) *study {
	s := &study{name: filepath.Base(name), params: map[string]int64{}}
	for k, v := range DefaultParams {
		s.params[k] = v
	}
	for line := range strings.Lines(text) {
		switch {
		case strings.HasPrefix(line, "--= "), strings.HasPrefix(line, "--: "):
			s.want += line
			continue
		case strings.HasPrefix(line, "--params "):
			for _, p := range strings.Fields(line)[1:] {
				key, value, _ := strings.Cut(p, "=")
				n, err := strconv.ParseInt(value, 10, 64)
				require.NoError(t, err)
				s.params[key] = n
			}
		case strings.HasPrefix(line, "--> "):
			s.run(t, strings.TrimSpace(line[4:]))
			s.want += line
			continue
		}
		s.text += line
	}
	p, err := Load(diag.NewSource(s.name, s.text))
	if err != nil {
		require.FailNow(t, s.name, err.(*diag.Error).Render())
	}
	s.program = p
	return s
}

// run reads the arguments of a run: words, and lists in brackets.
func (s *study) run(t testing.TB, line string) {
	s.given = append(s.given, line)
	var args []Data
	for _, word := range wordsOf(line) {
		d, err := ReadData(word)
		require.NoError(t, err)
		args = append(args, d)
	}
	s.runs = append(s.runs, args)
}

// wordsOf returns the words and lists of a line.
func wordsOf(line string) (all []string) {
	for rest := line; rest != ""; {
		word, after, _ := strings.Cut(rest, " ")
		if rest[0] == '[' {
			i := strings.IndexByte(rest, ']') + 1
			word, after = rest[:i], strings.TrimSpace(rest[i:])
		}
		all, rest = append(all, word), after
	}
	return all
}

// results evaluates the runs, and returns them with what they give.
func (s *study) results() string {
	got := ""
	for i, args := range s.runs {
		got += "--> " + s.given[i] + "\n"
		v, _, err := s.program.Run(args, s.params)
		if err != nil {
			got += "--= " + err.Error() + "\n"
			continue
		}
		got += "--= " + eval.Text(v) + "\n"
	}
	return got
}

// types returns the types of the functions.
func (s *study) types() string {
	got := ""
	for line := range strings.Lines(s.program.Types()) {
		got += "--: " + line
	}
	return got
}

// TestStudies evaluates the programs of testdata/fcl.
func TestStudies(t *testing.T) {
	for _, s := range studies(t) {
		got := s.results() + s.types()
		if *update {
			name := filepath.Join(repo.Root(), "testdata", "fcl", s.name)
			require.NoError(t, os.WriteFile(name, []byte(strings.TrimRight(s.text, "\n")+"\n\n"+got), 0o644))
			continue
		}
		assert.Equal(t, s.want, got, s.name)
	}
}
