package lsp

import (
	"strings"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/internal/diag"
)

// index knows the tokens of a text, and what its names refer to.
type index struct {
	src     *diag.Source
	toks    []apl.Token
	scopes  []*scope
	symbols []*symbol
	of      map[int]*symbol // of the name that begins at a byte
}

// scope is where names are bound: the program, a dfn, a definition by ∇, or a namespace.
type scope struct {
	parent     *scope
	start, end int
	names      map[string]*symbol
	lines      bool            // of a definition: its lines are in no order
	locals     map[string]bool // of a definition: the only names bound in it
	depth      int
}

// symbol is a name in a scope.
type symbol struct {
	name  string
	scope *scope
	defs  []use
	uses  []use // defs included
	// function reports that it is given a function, as far as tokens show.
	function bool
}

// use is a name in the text.
type use struct {
	start, end int
	scope      *scope
	statement  int // counted over the program
}

// newIndex reads a text. One that cannot be read has no tokens.
func newIndex(src *diag.Source) *index {
	x := &index{src: src, of: map[int]*symbol{}}
	toks, _ := apl.Tokens(src)
	for _, t := range toks { // a name may be part of what is no token
		if t.Kind != apl.BadToken {
			x.toks = append(x.toks, t)
		}
	}
	r := &reader{index: x}
	r.read()
	r.resolve()
	return x
}

// reader fills an index.
type reader struct {
	*index
	stack     []*scope
	statement int
	found     []found
}

type found struct {
	use
	name          string
	def, function bool
}

func (r *reader) text(i int) string {
	if i < 0 || i >= len(r.toks) {
		return ""
	}
	return r.toks[i].Text(r.src)
}

func (r *reader) kind(i int) apl.TokenKind {
	if i < 0 || i >= len(r.toks) {
		return apl.LineEndToken
	}
	return r.toks[i].Kind
}

func (r *reader) top() *scope { return r.stack[len(r.stack)-1] }

func (r *reader) push(start int) *scope {
	s := &scope{start: start, end: len(r.src.Text), names: map[string]*symbol{}}
	if len(r.stack) > 0 {
		s.parent, s.depth = r.top(), r.top().depth+1
	}
	r.scopes = append(r.scopes, s)
	r.stack = append(r.stack, s)
	return s
}

func (r *reader) pop(end int) {
	if len(r.stack) > 1 {
		r.top().end = end
		r.stack = r.stack[:len(r.stack)-1]
	}
}

// special reports whether a name has a meaning of its own.
func special(name string) bool {
	return strings.HasPrefix(name, "⍺") || strings.HasPrefix(name, "⍵") || strings.HasPrefix(name, "∇") || strings.HasPrefix(name, "#")
}

// read collects the names, and the scopes.
func (r *reader) read() {
	r.push(0)
	for i := 0; i < len(r.toks); i++ {
		t := r.toks[i]
		begins := r.kind(i-1) == apl.LineEndToken
		switch t.Kind {
		case apl.OpenToken:
			if r.text(i) == "{" {
				r.push(t.Start)
			}
		case apl.CloseToken:
			if r.text(i) == "}" && len(r.stack) > 1 {
				r.pop(t.End)
			}
		case apl.LineEndToken, apl.DiamondToken, apl.ColonToken:
			r.statement++
			if t.Kind == apl.ColonToken && r.kind(i+1) == apl.NameToken && (begins || r.kind(i-1) == apl.DiamondToken || r.kind(i-2) == apl.LineEndToken) {
				i = r.word(i)
			}
		case apl.NameToken:
			if r.text(i) == "∇" && begins && len(r.stack) <= 2 {
				i = r.del(i)
			} else if !special(r.text(i)) && !r.member(i) {
				r.name(i, r.binds(i))
			}
		}
	}
}

// member reports whether name i is one behind a dot and a name: of a namespace, or the
// operand of an inner product.
func (r *reader) member(i int) bool {
	if r.text(i-1) != "." || r.toks[i-1].End != r.toks[i].Start || r.kind(i-2) != apl.NameToken || r.toks[i-2].End != r.toks[i-1].Start {
		return false
	}
	for _, f := range r.found {
		if f.function && f.name == r.text(i-2) {
			return false
		}
	}
	return true
}

func (r *reader) name(i int, def bool) {
	t := r.toks[i]
	f := found{use: use{t.Start, t.End, r.top(), r.statement}, name: r.text(i), def: def}
	f.function = def && r.text(i+1) == "←" && r.text(i+2) == "{"
	r.found = append(r.found, f)
}

// binds reports whether name i is one that is assigned: name←, or (names)←.
func (r *reader) binds(i int) bool {
	if r.text(i+1) == "←" {
		return true
	}
	lo, hi := i, i
	for r.kind(hi) == apl.NameToken || r.text(hi) == "(" || r.text(hi) == ")" {
		hi++
	}
	if r.text(hi) != "←" || r.text(hi-1) != ")" {
		return false
	}
	depth := 0
	for lo = hi - 1; lo >= 0; lo-- {
		switch {
		case r.text(lo) == ")":
			depth++
		case r.text(lo) == "(":
			depth--
		case r.kind(lo) != apl.NameToken:
			return false
		}
		if depth == 0 {
			return lo < i
		}
	}
	return false
}

// word reads a control word at its colon, and returns the last token that it has read.
func (r *reader) word(i int) int {
	switch word := r.text(i + 1); {
	case strings.EqualFold(word, "For"):
		for i += 2; r.kind(i) == apl.NameToken || r.text(i) == "(" || r.text(i) == ")"; i++ {
			if r.kind(i) == apl.NameToken {
				r.name(i, true)
			}
		}
		if r.kind(i) == apl.ColonToken {
			return i + 1
		}
		return i - 1
	case strings.EqualFold(word, "Namespace") && r.kind(i+2) == apl.NameToken:
		r.name(i+2, true)
		r.push(r.toks[i].Start)
		return i + 2
	case strings.EqualFold(word, "EndNamespace"):
		r.pop(r.toks[i+1].End)
	}
	return i + 1
}

// del reads the ∇ that opens or closes a definition, with its header, and returns the last
// token that it has read.
func (r *reader) del(i int) int {
	if r.kind(i+1) == apl.LineEndToken || r.kind(i+1) == apl.CommentToken {
		if r.top().locals != nil {
			r.pop(r.toks[i].End)
		}
		return i
	}
	if r.top().locals != nil {
		return i
	}
	end := i + 1
	for r.kind(end) != apl.LineEndToken && r.kind(end) != apl.CommentToken && r.kind(end) != apl.NoteToken {
		end++
	}
	fn := r.headName(i+1, end)
	if fn >= 0 {
		r.name(fn, true)
		r.found[len(r.found)-1].function = true
	}
	s := r.push(r.toks[i].Start)
	s.lines, s.locals = true, map[string]bool{}
	for k := i + 1; k < end; k++ {
		if r.kind(k) == apl.NameToken && k != fn {
			s.locals[r.text(k)] = true
			r.name(k, true)
		}
	}
	return end - 1
}

// headName returns the token of the function that a header defines, or -1.
func (r *reader) headName(lo, hi int) int {
	for k := lo; k < hi; k++ {
		if r.kind(k) == apl.SemicolonToken {
			hi = k
		}
		if r.text(k) == "←" {
			lo = k + 1
		}
	}
	var names, grouped []int
	group := false // the operator with its operands, not a list of arguments
	for k := lo; k < hi; k++ {
		switch {
		case r.text(k) == "(":
			var inside []int
			for k++; k < hi && r.text(k) != ")"; k++ {
				inside = append(inside, k)
			}
			if k+1 < hi && len(inside) > 1 {
				group, grouped = true, inside
			} else if len(names) > 0 {
				names = append(names, -1)
			}
		case r.kind(k) == apl.NameToken:
			names = append(names, k)
		}
	}
	switch {
	case group && len(grouped) > 1:
		return grouped[1]
	case len(names) == 3:
		return names[1]
	case len(names) > 0:
		return names[0]
	}
	return -1
}

// resolve gives names their symbols.
func (r *reader) resolve() {
	for _, f := range r.found {
		if f.def {
			s := f.scope
			for s.lines && !s.locals[f.name] {
				s = s.parent
			}
			r.bind(s, f)
		}
	}
	for _, f := range r.found {
		if r.of[f.start] == nil {
			r.refer(f)
		}
	}
}

func (r *reader) bind(s *scope, f found) {
	y := s.names[f.name]
	if y == nil {
		y = &symbol{name: f.name, scope: s}
		s.names[f.name] = y
		r.symbols = append(r.symbols, y)
	}
	y.function = y.function || f.function
	y.defs = append(y.defs, f.use)
	y.uses = append(y.uses, f.use)
	r.of[f.start] = y
}

// refer finds what a name refers to: the innermost symbol that has a value by then, or
// else any.
func (r *reader) refer(f found) {
	var any *symbol
	for s := f.scope; s != nil; s = s.parent {
		y := s.names[f.name]
		if y == nil {
			continue
		}
		if any == nil {
			any = y
		}
		if s != f.scope || s.lines || y.before(f.use) {
			any = y
			break
		}
	}
	if any != nil {
		any.uses = append(any.uses, f.use)
		r.of[f.start] = any
	}
}

// before reports whether the symbol is assigned before it is used there: in a statement
// before, or to the right of it.
func (y *symbol) before(u use) bool {
	for _, d := range y.defs {
		if d.statement < u.statement || d.statement == u.statement && d.start > u.start {
			return true
		}
	}
	return false
}

// tokenAt returns the token that a byte is in or behind, nil for none. A name comes before
// what follows it.
func (x *index) tokenAt(offset int) *apl.Token {
	var best *apl.Token
	for i := range x.toks {
		t := &x.toks[i]
		if t.Start > offset {
			break
		}
		if offset < t.End || offset == t.End && (best == nil || t.Kind == apl.NameToken) {
			best = t
		}
	}
	if best != nil && best.Kind == apl.LineEndToken {
		return nil
	}
	return best
}

// symbolAt returns the symbol of the name at a byte, or nil.
func (x *index) symbolAt(offset int) *symbol {
	t := x.tokenAt(offset)
	if t == nil {
		return nil
	}
	return x.of[t.Start]
}

// visible returns the symbols that may be used at a byte, the innermost of a name.
func (x *index) visible(offset int) []*symbol {
	var all []*symbol
	inner := x.scopes[0]
	for _, s := range x.scopes {
		if s.start <= offset && offset <= s.end && s.depth >= inner.depth {
			inner = s
		}
	}
	seen := map[string]bool{}
	for s := inner; s != nil; s = s.parent {
		for _, y := range x.symbols {
			if y.scope == s && !seen[y.name] {
				seen[y.name] = true
				all = append(all, y)
			}
		}
	}
	return all
}
