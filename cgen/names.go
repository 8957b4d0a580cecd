package cgen

import (
	"fmt"
	"strings"
	"unicode"
)

// names gives out C identifiers, each once.
type names struct {
	outer *names // names of the scope around, which are not given out again
	taken map[string]bool
	next  map[string]int // the last number tried for a stem
}

func newNames(outer *names) *names {
	return &names{outer: outer, taken: map[string]bool{}, next: map[string]int{}}
}

// fresh returns an identifier that resembles stem.
func (n *names) fresh(stem string) string {
	stem = identifier(stem)
	name := stem
	for i := n.next[stem]; ; i++ {
		if i > 0 {
			name = fmt.Sprintf("%s_%d", stem, i+1)
		}
		if !n.has(name) {
			n.next[stem] = i + 1
			n.taken[name] = true
			return name
		}
	}
}

func (n *names) has(name string) bool {
	return n.taken[name] || n.outer != nil && n.outer.has(name)
}

// letters are the spellings of APL's letters and symbols in identifiers.
var letters = map[rune]string{
	'⍺': "alpha", '⍵': "omega", '∆': "delta", '⍙': "deltabar", '∇': "self", '⎕': "quad",
}

// identifier returns a C identifier that resembles an APL name and is neither
// a keyword nor a name of the C library that emitted code relies on.
func identifier(name string) string {
	var b strings.Builder
	for _, r := range name {
		switch {
		case r == '_' || r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r)):
			b.WriteRune(r)
		case letters[r] != "":
			if b.Len() > 0 {
				b.WriteByte('_')
			}
			b.WriteString(letters[r])
		case unicode.IsLetter(r):
			fmt.Fprintf(&b, "u%04x", r)
		default:
			b.WriteByte('_')
		}
	}
	id := b.String()
	switch {
	case id == "" || unicode.IsDigit(rune(id[0])) || id[0] == '_' || strings.HasPrefix(strings.ToLower(id), "tl_"):
		return "v" + id
	case reserved[id] || len(id) > 1 && id == strings.ToUpper(id) || id == "I":
		return id + "_"
	}
	return id
}

// reserved holds the identifiers that emitted code must not declare: keywords,
// macros in lower case, types, and the functions that it calls by name. Names
// wholly in upper case are avoided in general, for they may be macros.
var reserved = func() map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(`
		auto break case char const continue default do double else enum extern
		float for goto if inline int long register restrict return short signed
		sizeof static struct switch typedef union unsigned void volatile while
		asm typeof alignas alignof bool true false nullptr constexpr thread_local
		static_assert linux unix i386 errno stdin stdout stderr main complex
		int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t size_t
		intptr_t uintptr_t ptrdiff_t assert offsetof isnan isinf isfinite signbit
		isnormal fpclassify isgreater isless isunordered
		memcpy memmove memset getenv exit
		exp exp2 expm1 log log2 log10 log1p sqrt cbrt pow fabs floor ceil trunc
		round rint nearbyint fmod fma fmin fmax copysign hypot ldexp frexp
		sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh
		tgamma lgamma erf erfc`) {
		m[w] = true
	}
	return m
}()
