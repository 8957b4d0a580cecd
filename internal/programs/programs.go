// Package programs reads the programs that are benchmarks, which exist in several
// sizes; the README of testdata/programs describes the mechanism.
package programs

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// Suite is a collection of programs, each with a C program by hand that computes the
// same.
type Suite string

// The suites.
const (
	// Own are the programs that the compiler was made with.
	Own Suite = ""
	// Corpus are programs in other words, for which no pass was made.
	Corpus Suite = "corpus"
	// Memory are the programs with which thesis 003 measures where arrays are stored.
	Memory Suite = "003"
	// Nested are programs over nested and irregular data.
	Nested Suite = "nested"
	// Languages are the programs with which functional array languages were compared.
	Languages Suite = "cfal"
)

// Named are the suites that have a name.
var Named = []Suite{Corpus, Memory, Nested, Languages}

// Programs returns the folder of the suite's programs.
func (s Suite) Programs() string {
	if s != Own {
		return filepath.Join("bench", string(s))
	}
	return filepath.Join("testdata", "programs")
}

// Twins returns the folder of the C programs.
func (s Suite) Twins() string {
	if s != Own {
		return s.Programs()
	}
	return filepath.Join("bench", "c")
}

// Size is one of the sizes of a program.
type Size string

// The sizes. Not every program has a large one.
const (
	Test  Size = "test"
	Bench Size = "bench"
	Large Size = "large"
)

// Program is a program at one size.
type Program struct {
	Name   string
	Source string   // the text, at the size asked for
	Sizes  []string // the values of the size lines, in order, without quotes
	Output string   // what it prints
}

// Names returns the names of the programs in a directory, sorted.
func Names(dir string) ([]string, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.apl"))
	if err != nil {
		return nil, err
	}
	names := make([]string, len(files))
	for i, f := range files {
		names[i] = strings.TrimSuffix(filepath.Base(f), ".apl")
	}
	return names, nil
}

// Read returns a program of a directory at the given size.
func Read(dir, name string, size Size) (*Program, error) {
	text, err := os.ReadFile(filepath.Join(dir, name+".apl"))
	if err != nil {
		return nil, fmt.Errorf("there is no program %s in %s", name, dir)
	}
	p := &Program{Name: name}
	p.Source, p.Sizes = Resize(string(text), size)
	file := name + ".out"
	if size != Test {
		file = name + "." + string(size) + ".out"
	}
	out, err := os.ReadFile(filepath.Join(dir, file))
	if err != nil {
		return nil, err
	}
	p.Output = string(out)
	return p, nil
}

var sizeLine = regexp.MustCompile(`(?m)^([^←\n]+←)(\S+)( *⍝ size: test (\S+), bench ([^\s,]+)(?:, large (\S+?))?) *\r?$`)

// HasLarge reports whether a program of a directory has a large size.
func HasLarge(dir, name string) bool {
	text, err := os.ReadFile(filepath.Join(dir, name+".apl"))
	if err != nil {
		return false
	}
	for _, m := range sizeLine.FindAllStringSubmatch(string(text), -1) {
		if m[6] != "" {
			return true
		}
	}
	return false
}

// Resize returns a program's text at the given size, and the values of its
// size lines. Lines without a large size have that of benchmarks.
func Resize(text string, size Size) (string, []string) {
	return resize(text, func(test, bench, large string) string {
		switch {
		case size == Test:
			return test
		case size == Large && large != "":
			return large
		}
		return bench
	})
}

// Sized returns a program's text with a value in every size line.
func Sized(text, value string) string {
	text, _ = resize(text, func(string, string, string) string { return value })
	return text
}

func resize(text string, choose func(test, bench, large string) string) (string, []string) {
	var values []string
	resized := sizeLine.ReplaceAllStringFunc(text, func(line string) string {
		m := sizeLine.FindStringSubmatch(line)
		value := choose(m[4], m[5], m[6])
		values = append(values, strings.Trim(strings.ReplaceAll(value, "¯", "-"), "'"))
		return m[1] + value + m[3]
	})
	return resized, values
}
