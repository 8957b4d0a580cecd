package interp

import (
	"slices"
	"strings"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/interp/prim"
)

// crossReferences is ⎕REFS: the names in the source of a function, in order.
func crossReferences(in *Interp, f *Frame, x, y *V) (*V, error) {
	if x != nil {
		return nil, prim.Errorf(diag.WrongValence, "⎕REFS takes one argument")
	}
	lines, _, err := linesNamed(in, f, y)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, l := range lines {
		names = append(names, namesIn(l)...)
	}
	slices.Sort(names)
	return textMatrix(slices.Compact(names)), nil
}

// namesIn returns the names in a line of source: none of those in texts and comments,
// behind dots, and of the system, and no control words.
func namesIn(line string) (names []string) {
	r := []rune(line)
	for i := 0; i < len(r); {
		switch {
		case r[i] == '⍝':
			return names
		case r[i] == '\'' || r[i] == '"':
			i = behindText(r, i)
			continue
		case r[i] >= '0' && r[i] <= '9': // a number, which may have letters
			for i++; i < len(r) && (apl.IsName("a"+string(r[i])) || r[i] == '¯' || r[i] == '.'); i++ {
			}
			continue
		case !apl.IsName(string(r[i])) && r[i] != '⎕':
			i++
			continue
		}
		start := i
		for i++; i < len(r) && apl.IsName("a"+string(r[i])); i++ {
		}
		before := strings.TrimRight(string(r[:start]), " \t")
		word := start > 0 && r[start-1] == ':' && (len(before) == 1 || strings.ContainsRune(" \t⋄", r[start-2]))
		if r[start] != '⎕' && !word && !strings.HasSuffix(before, ".") {
			names = append(names, string(r[start:i]))
		}
	}
	return names
}

// behindText returns the place behind the text that opens at place i.
func behindText(r []rune, i int) int {
	if k := slices.Index(r[i+1:], r[i]); k >= 0 {
		return i + k + 2
	}
	return len(r)
}
