package cgen

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Part is a translation unit of the run-time library. All of them are rt.c.
type Part struct {
	File  string   // its name among the files of RunTime
	Needs []string // the files of other parts
	// Rare reports that programs spend no time in it, so that it need not be optimised
	// much.
	Rare bool
}

// libraryParts are those that C and OpenMP have; the first one is part of every program.
var libraryParts = []Part{
	{File: "base.c"},
	{File: "shown.c", Rare: true},
	{File: "numeric.c"},
	{File: "sets.c"},
	{File: "nearest.c"},
	{File: "translate.c"},
	{File: "files.c", Rare: true},
	{File: "algebra.c", Needs: []string{"numeric.c"}},
}

// Parts returns the parts of the library that a program needs, as far as its text shows.
// Programs for OpenCL need all of it.
func Parts(source string) (needed []Part) {
	x := libraryIndex()
	wanted := map[string]bool{libraryParts[0].File: true}
	seen := map[string]bool{}
	var walk func(text string)
	walk = func(text string) {
		for _, name := range x.word.FindAllString(text, -1) {
			if seen[name] {
				continue
			}
			seen[name] = true
			if file := x.files[name]; file != "" {
				wanted[file] = true
			}
			walk(x.inline[name])
		}
	}
	walk(source)
	for _, p := range libraryParts {
		if wanted[p.File] {
			for _, n := range p.Needs {
				wanted[n] = true
			}
		}
	}
	return slices.DeleteFunc(AllParts(), func(p Part) bool { return !wanted[p.File] })
}

// AllParts returns all parts of the library.
func AllParts() []Part { return slices.Clone(libraryParts) }

// index says where the names of the library are defined.
type index struct {
	word   *regexp.Regexp    // what may be such a name
	files  map[string]string // functions and variables: the part
	inline map[string]string // macros and inline functions of the headers: the text
}

// libraryIndex reads the library.
var libraryIndex = sync.OnceValue(func() *index {
	// defined finds functions and variables at the beginning of a line; it also finds
	// what is only declared, and what is static, which no program refers to.
	defined := regexp.MustCompile(`(?m)^[A-Za-z_]\w*[\w *]*?[ *](tl_\w+)(?:\(|;|\[| =)`)
	// inlined finds macros and inline functions with their bodies.
	inlined := regexp.MustCompile(`(?m)^#define (\w+)(?:.*\\\n)*.*$|^(?:static inline|TL_INLINE) [\w *]*?(tl_\w+)\((?:.*\}$|(?s:.*?)\n\}$)`)
	included := regexp.MustCompile(`(?m)^#include "(.+)"`)
	all := RunTime()
	x := &index{word: regexp.MustCompile(`\b[Tt][Ll]_\w+`), files: map[string]string{}, inline: map[string]string{}}
	for _, p := range libraryParts {
		for _, m := range defined.FindAllStringSubmatch(together(all, included, all[p.File], ".c"), -1) {
			x.files[m[1]] = p.File
		}
	}
	for _, m := range inlined.FindAllStringSubmatch(together(all, included, all["tailor.h"], ".h"), -1) {
		x.inline[m[1]+m[2]] = m[0]
	}
	return x
})

// together returns a text with the files that it includes, but for rt.h. Of those below
// files that end in a suffix all are taken.
func together(all map[string]string, included *regexp.Regexp, text, suffix string) string {
	var b strings.Builder
	b.WriteString(text)
	for _, m := range included.FindAllStringSubmatch(text, -1) {
		if m[1] != "rt.h" && m[1] != "tailor.h" && (path.Ext(m[1]) == suffix || suffix == ".c") {
			b.WriteString("\n" + together(all, included, all[m[1]], suffix))
		}
	}
	return b.String()
}
