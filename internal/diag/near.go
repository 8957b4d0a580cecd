package diag

import (
	"slices"
	"unicode/utf8"
)

// Nearest returns the name that is at most two edits (one, if it is short)
// from the given one, or "".
func Nearest(name string, names []string) string {
	const longest = 40
	n := utf8.RuneCountInString(name)
	if n < 2 || n > longest {
		return ""
	}
	most := 2
	if n < 5 {
		most = 1
	}
	best, near := most+1, ""
	for _, other := range slices.Sorted(slices.Values(names)) {
		if m := utf8.RuneCountInString(other); m > n+most || m+most < n {
			continue
		}
		if d := edits([]rune(name), []rune(other)); d < best {
			best, near = d, other
		}
	}
	return near
}

// DidYouMean returns the help that names what is nearest to a name, or "".
func DidYouMean(name string, names []string) string {
	if near := Nearest(name, names); near != "" {
		return "did you mean " + near + "?"
	}
	return ""
}

// edits returns the number of insertions, deletions, replacements and swaps of
// neighbours that make b from a.
func edits(a, b []rune) int {
	before, last := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := range a {
		row := make([]int, len(b)+1)
		row[0] = i + 1
		for j := range b {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			row[j+1] = min(row[j]+1, last[j+1]+1, last[j]+cost)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last = last, row
	}
	return last[len(b)]
}
