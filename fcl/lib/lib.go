// Package lib is FCL's standard library: functions written in FCL, which programs use
// without importing them, and may define again. The comment above each function says what
// it does and what it costs; all of them are right for arrays of any length, 0 included,
// unless the comment says what they need. What sorts, counts or looks up keeps places in 32
// bits, and is for less than 2 to the power 31 elements.
package lib

import (
	_ "embed"
	"fmt"
	"regexp"
	"strings"

	"github.com/tailor-lang/tailor/fcl/syntax"
	"github.com/tailor-lang/tailor/fcl/types"
	"github.com/tailor-lang/tailor/internal/diag"
)

// Source is the text of the library.
//
//go:embed lib.fcl
var Source string

// Kind is a kind of device.
type Kind uint8

// The kinds. The zero value is unset.
const (
	NoKind Kind = iota
	GPU
	CPU
)

// params are the parameters that the library and the compiler use, with their values by
// device; --param changes them.
var params = []struct {
	name     string
	gpu, cpu int64
	doc      string
}{
	{"BlockSize", 256, 256, "work-items of a group"},
	{"ItemGroup", 256, 256, "work-items of a group at least, where they work on elements by themselves"},
	{"LoopGroup", 1 << 31, 1, "work-items of a group at most, where they wait for each other in loops and conditionals that only the group can decide"},
	{"WarpSize", 32, 32, "work-items of a warp that is a slice of a work-group"},
	{"Warps", 2, 1, "what a warp is: 1 a work-item, 2 a slice of a work-group, 3 a sub-group, as on devices that have them"},
	{"Limit", 1024, 1024, "length of local arrays for which no bound is known before a launch"},
	{"Groups", 256, 256, "the most groups that share a reduction or a scan"},
	{"TileSize", 16, 64, "the extent of tiles of matrices; local memory holds four of matmul's"},
	{"RowItems", 1 << 14, 1 << 14, "rows from which a reduction has a work-item for each"},
	{"RowLength", 32, 32, "elements of rows below which it has that, too"},
	{"RowSlice", 1 << 12, 1 << 12, "elements of rows up to which several share a group"},
	{"RowGroups", 128, 128, "rows below which several groups share each, where they are long"},
	{"RowPart", 8, 8, "elements of a row that a work-item of such a group has at least"},
	{"ScanPiece", 4, 4, "elements that a thread has in a tile of a scan"},
	{"SortBits", 4, 8, "bits of a digit of a sort"},
	{"SortParts", 1 << 14, 16, "the most parts of an array that are sorted by themselves"},
	{"SortPart", 256, 256, "elements of such a part at least"},
	{"LocalBins", 1 << 13, 1 << 14, "elements that a group adds up in local memory at most, where any of its work-items has numbers for any of them"},
	{"Bins", 1 << 31, 1 << 14, "elements that several work-items add up together in that way at most"},
	{"BinsItem", 1 << 14, 1, "elements for each number, above which one work-item adds up all"},
	{"OrderItems", 1 << 14, 1 << 31, "updates of an array, in an order that matters, from which several work-items share them"},
	{"Places", 256, 256, "parts of the array that these then update, one each"},
	{"Spread", 2, 1, "2 where the elements that a thread has are apart, 1 where they are neighbours"},
	{"ProductBlock", 4, 4, "the side of the block of an inner product that a work-item has in registers, on CPUs its height"},
	{"ProductTerms", 16, 256, "terms of inner products that are at hand at a time"},
	{"ProductTall", 32, 32, "blocks of rows that a work-item of a CPU adds these terms to, one after the other"},
}

// Params returns the values of parameters for a kind of device.
func Params(k Kind) map[string]int64 {
	values := map[string]int64{}
	for _, p := range params {
		switch k {
		case GPU:
			values[p.name] = p.gpu
		case CPU:
			values[p.name] = p.cpu
		default:
			panic("lib: kind of device is unset")
		}
	}
	return values
}

// ParamDocs returns what parameters are, and their values, a line each.
func ParamDocs() string {
	text := ""
	for _, p := range params {
		values := fmt.Sprint(p.gpu)
		if p.cpu != p.gpu {
			values = fmt.Sprintf("%d, on CPUs %d", p.gpu, p.cpu)
		}
		text += fmt.Sprintf("| `#%s` | %s | %s |\n", p.name, values, p.doc)
	}
	return text
}

// Scope returns the scope of the library's functions, none of which is inferred yet.
func Scope() *types.Scope {
	p, err := syntax.Parse(diag.NewSource("lib.fcl", Source))
	if err != nil {
		panic(fmt.Sprintf("lib: %v", err))
	}
	s, err := types.NewScope(nil, p)
	if err != nil {
		panic(fmt.Sprintf("lib: %v", err))
	}
	return s
}

// Doc returns the comment above a function of the library.
func Doc(name string) string {
	before, _, found := strings.Cut(Source, "\nsig "+name+" ")
	if !found {
		return ""
	}
	lines := strings.Split(before, "\n")
	first := len(lines)
	for first > 0 && strings.HasPrefix(lines[first-1], "-- ") {
		first--
	}
	return strings.ReplaceAll(strings.Join(lines[first:], "\n"), "-- ", "")
}

// words are the names in a text.
var words = regexp.MustCompile(`[A-Za-z][A-Za-z0-9_]*`)

// Names lists the names in a text, but for its comments.
func Names(text string) []string { return words.FindAllString(comment.ReplaceAllString(text, ""), -1) }

var comment = regexp.MustCompile(`(?m)^--.*$`)

// Excerpt returns the text of some functions of a source and of all that these use, in its order.
func Excerpt(source string, names []string) string {
	blocks := strings.Split(strings.TrimSpace(source), "\n\n")
	wanted := map[string]bool{}
	for _, name := range names {
		wanted[name] = true
	}
	kept := make([]bool, len(blocks))
	for again := true; again; {
		again = false
		for i, b := range blocks {
			_, sig, ok := strings.Cut(b, "sig ")
			if !ok || kept[i] || !wanted[words.FindString(sig)] {
				continue
			}
			kept[i], again = true, true
			for _, w := range Names(sig) {
				wanted[w] = true
			}
		}
	}
	var text []string
	for i, b := range blocks {
		if kept[i] {
			text = append(text, b)
		}
	}
	if len(text) == 0 {
		return ""
	}
	return strings.Join(text, "\n\n") + "\n"
}
