package library

import (
	"fmt"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Prefix returns the prefix of the names of a library that is written to a path, and
// whether the path ends in one.
func Prefix(out string) (string, bool) {
	base := filepath.Base(out)
	name := identifier(base)
	return name, name == base && !token.IsKeyword(name)
}

// identifier returns a name of APL as one of C: letters that C does not have become
// their code points.
func identifier(name string) string {
	var b strings.Builder
	for i, r := range name {
		switch {
		case r == '_', 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9' && i > 0:
			b.WriteRune(r)
		default:
			fmt.Fprintf(&b, "u%04X", r)
		}
	}
	return b.String()
}

// C returns the name of a function in C, without the prefix.
func (f *Function) C() string {
	name := identifier(f.Name)
	if slices.Contains(ownNames, name) {
		return name + "_"
	}
	return name
}

// ownNames are those that every library has behind its prefix.
var ownNames = strings.Fields("abi allocator array call call_device char complex copy describe device download error free release upload words")

// C returns the name of an instance in C, without the prefix.
func (i *Instance) C() string { return i.Of.C() + i.Suffix }

// Entry returns the name of the compiled entry.
func (i *Instance) Entry() string { return fmt.Sprintf("tl_lib_entry_%d", i.Number) }

// Python returns the name of a function in Python.
func (f *Function) Python() string {
	name := identifier(f.Name)
	if pythonWords[name] || strings.HasPrefix(name, "_") || name[0] >= 'A' && name[0] <= 'Z' {
		return name + "_"
	}
	return name
}

// pythonWords are the keywords of Python.
var pythonWords = map[string]bool{}

func init() {
	for _, w := range strings.Fields("False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield") {
		pythonWords[w] = true
	}
}

// Go returns the name of a function in Go.
func (f *Function) Go() string {
	name := identifier(f.Name)
	r, n := utf8.DecodeRuneInString(name)
	if r == '_' {
		return "X" + name
	}
	return string(unicode.ToUpper(r)) + name[n:]
}

// Go returns the name of an instance in Go.
func (i *Instance) Go() string {
	name := i.Of.Go()
	for _, part := range strings.Split(strings.TrimPrefix(i.Suffix, "_"), "_") {
		if part != "" {
			name += strings.ToUpper(part[:1]) + part[1:]
		}
	}
	return name
}
