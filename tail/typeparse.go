package tail

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"github.com/tailor-lang/tailor/array"
)

// ParseType reads a type in the notation that Type.String writes, and the
// schemes of the op table: Greek letters are element type variables, τ is a
// variable of any type, other words in sizes are size variables.
func ParseType(src string) (Type, error) {
	p := &typeParser{rest: []rune(src)}
	ty, err := p.whole()
	if err != nil {
		return nil, fmt.Errorf("type %q: %w", src, err)
	}
	return ty, nil
}

// typeParser reads types from the front of rest.
type typeParser struct {
	rest     []rune
	bad      error
	left     int  // how many runes were left at the error
	comments bool // ⍝ begins a comment
	free     bool // an annotation: any word may be a variable
	// positions are the names of the positions of nests around, from the outside.
	positions []string
}

// ParseAnnotation reads a type as users write it in a ⍝: comment: the notation
// of ParseType in which variables of elements and sizes are any words, _ stands
// for anything, ranks are sums without parentheses where that is clear, and ⍝
// ends the type.
func ParseAnnotation(src string) (Type, error) {
	p := &typeParser{rest: []rune(src), comments: true, free: true}
	return p.whole()
}

// elemNamed reports whether a word in an annotation names an element type or,
// by its first letter, a variable of element types.
func elemNamed(w string) bool {
	_, ok := elemByName[w]
	return ok || strings.HasPrefix(w, "κ") || strings.HasPrefix(w, "α") || strings.HasPrefix(w, "β")
}

// peekWord returns the next word without reading it.
func (p *typeParser) peekWord() string {
	save := p.rest
	w := p.word()
	p.rest = save
	return w
}

// rankSize reads the rank behind ]: an atom, or a sum in an annotation.
func (p *typeParser) rankSize() Size {
	s := p.sizeAtom()
	for p.free && p.bad == nil {
		switch {
		case p.accept("+"):
			s = s.Plus(p.sizeAtom())
		case len(p.rest) > 1 && p.rest[0] == '-' && p.rest[1] != '>':
			p.accept("-")
			s = s.Minus(p.sizeAtom())
		default:
			return s
		}
	}
	return s
}

func (p *typeParser) whole() (Type, error) {
	ty := p.arrow()
	if p.space(); p.bad == nil && len(p.rest) > 0 {
		p.fail("unexpected %q", string(p.rest))
	}
	return ty, p.bad
}

func (p *typeParser) fail(format string, args ...any) {
	if p.bad == nil {
		p.bad, p.left = fmt.Errorf(format, args...), len(p.rest)
	}
	p.rest = nil
}

func (p *typeParser) space() {
	for len(p.rest) > 0 {
		if p.comments && p.rest[0] == '⍝' {
			for len(p.rest) > 0 && p.rest[0] != '\n' {
				p.rest = p.rest[1:]
			}
			continue
		}
		if !unicode.IsSpace(p.rest[0]) {
			return
		}
		p.rest = p.rest[1:]
	}
}

// accept skips text if it comes next.
func (p *typeParser) accept(text string) bool {
	p.space()
	want := []rune(text)
	if len(p.rest) < len(want) || string(p.rest[:len(want)]) != text {
		return false
	}
	p.rest = p.rest[len(want):]
	return true
}

func (p *typeParser) expect(text string) {
	if !p.accept(text) {
		p.fail("%q is missing", text)
	}
}

func (p *typeParser) word() string {
	p.space()
	n := 0
	for n < len(p.rest) && (unicode.IsLetter(p.rest[n]) || unicode.IsDigit(p.rest[n]) || strings.ContainsRune("_.'#", p.rest[n])) {
		n++
	}
	w := string(p.rest[:n])
	p.rest = p.rest[n:]
	return w
}

// arrow reads τ → … → τ.
func (p *typeParser) arrow() Type {
	all := []Type{p.atom()}
	for p.accept("→") || p.accept("->") {
		all = append(all, p.atom())
	}
	if len(all) == 1 {
		return all[0]
	}
	return &FuncType{Params: all[:len(all)-1], Result: all[len(all)-1]}
}

// atom reads a type that is no arrow, and the … of index's scheme.
func (p *typeParser) atom() Type {
	ty := p.plain()
	p.accept("…")
	return ty
}

func (p *typeParser) plain() Type {
	switch {
	case p.accept("("):
		return p.parenthesised()
	case p.accept("⊂"):
		return EnclosedType(p.atom())
	case p.accept("["):
		if p.nestAhead() {
			return p.nest()
		}
		return p.bracketed()
	case p.accept("<"):
		ty := p.elem()
		p.expect(">")
		ty.Rank = ConstSize(1)
		if size := p.rankSize(); size.Known() {
			ty.Extents = []Size{size}
		}
		p.values(ty)
		return ty
	case p.accept("SV("):
		ty := p.singleton()
		ty.Rank, ty.Extents = ConstSize(1), []Size{ConstSize(1)}
		return ty
	case p.accept("S("):
		ty := p.singleton()
		ty.Rank = ConstSize(0)
		return ty
	}
	ty := p.elem()
	ty.Rank = ConstSize(0)
	if ty.ElemVar == "τ" || p.free && ty.ElemVar == "_" {
		ty.Rank = AnySize
	}
	return ty
}

// parenthesised reads the rest of a tuple type, or of a type in parentheses.
func (p *typeParser) parenthesised() Type {
	if p.accept(")") {
		return Unit
	}
	first := p.arrow()
	if p.accept(")") {
		return first
	}
	tuple := &TupleType{Elems: []Type{first}}
	for p.accept(",") {
		if p.accept(")") {
			return tuple
		}
		tuple.Elems = append(tuple.Elems, p.arrow())
	}
	p.expect(")")
	return tuple
}

// nestAhead reports whether the rest of [i<n → T] follows.
func (p *typeParser) nestAhead() bool {
	save := p.rest
	defer func() { p.rest = save }()
	return p.word() != "" && p.accept("<")
}

// nest reads the rest of [i<n,j<m → T]. That of scalars is a simple array.
func (p *typeParser) nest() Type {
	t, names := &NestType{}, []string{}
	for p.bad == nil {
		names = append(names, p.word())
		p.expect("<")
		t.Counts = append(t.Counts, p.size())
		if !p.accept(",") {
			break
		}
	}
	if !p.accept("→") {
		p.expect("->")
	}
	outside := len(p.positions)
	p.positions = append(p.positions, names...)
	t.Item = p.atom()
	if p.accept("[") {
		if w := p.word(); len(names) != 2 || w != names[1] {
			p.fail("a column is chosen by the position along the second axis")
		}
		if _, ok := t.Item.(*TupleType); !ok {
			p.fail("the columns are no tuple")
		}
		t.ByColumn = true
		p.expect("]")
	}
	p.positions = p.positions[:outside]
	p.expect("]")
	if a, ok := t.Item.(*Array); ok && IsRank(a, 0) && a.Values == nil && p.bad == nil {
		return &Array{Elem: a.Elem, ElemVar: a.ElemVar, Rank: ConstSize(int64(len(t.Counts))), Extents: Shaped(a.Elem, t.Counts...).Extents}
	}
	return t
}

// variable is the size that a word stands for: the position of a nest around, or a
// variable.
func (p *typeParser) variable(w string) Size {
	for axis := len(p.positions) - 1; axis >= 0; axis-- {
		if p.positions[axis] == w {
			return Position(axis)
		}
	}
	return VarSize(w)
}

// bracketed reads the rest of [κ]ρ or of [n,m]κ.
func (p *typeParser) bracketed() *Array {
	save := p.rest
	if ty := p.elem(); p.bad == nil && p.accept("]") && !(p.free && elemNamed(p.peekWord())) {
		if p.accept("…") {
			ty.Rank = AnySize
			return ty
		}
		if len(p.rest) > 0 && !strings.ContainsRune(" ,)=→{", p.rest[0]) {
			ty.Rank = p.rankSize()
			p.values(ty)
			return ty
		}
		if p.free {
			p.fail("the rank behind ] is missing")
			return ty
		}
	}
	p.rest, p.bad = save, nil
	sizes := []Size{p.size()}
	for p.accept(",") {
		sizes = append(sizes, p.size())
	}
	p.expect("]")
	ty := p.elem()
	ty.Rank = ConstSize(int64(len(sizes)))
	ty.Extents = Shaped(ty.Elem, sizes...).Extents
	return ty
}

func (p *typeParser) singleton() *Array {
	ty := p.elem()
	p.expect(",")
	value := p.size()
	p.expect(")")
	ty.Values = []Size{value}
	return ty
}

// values reads {v,…}, the known values of a vector.
func (p *typeParser) values(ty *Array) {
	if len(p.rest) == 0 || p.rest[0] != '{' {
		return
	}
	p.expect("{")
	ty.Values = []Size{}
	for !p.accept("}") && p.bad == nil {
		if len(ty.Values) > 0 {
			p.expect(",")
		}
		ty.Values = append(ty.Values, p.size())
	}
	if len(ty.Values) > MaxValues {
		p.fail("more than %d values", MaxValues)
	}
	if n, ok := ty.Extent(0).IsConst(); p.bad == nil && (!ok || int(n) != len(ty.Values)) {
		p.fail("the number of values is not the length")
	}
}

var elemByName = map[string]array.Elem{
	"bool": array.Bool, "int": array.Int, "double": array.Double, "char": array.Char, "complex": array.Complex,
}

// elem reads a base type or type variable.
func (p *typeParser) elem() *Array {
	w := p.word()
	if e, ok := elemByName[w]; ok {
		return &Array{Elem: e}
	}
	if p.free && w != "" && !unicode.IsDigit([]rune(w)[0]) {
		return &Array{ElemVar: w}
	}
	if w == "" || w[0] < 0x80 && w != "all" {
		p.fail("%q is not an element type", w)
	}
	return &Array{ElemVar: w}
}

// sizeAtom reads a number, a variable, _, or a sum in parentheses.
func (p *typeParser) sizeAtom() Size {
	if p.accept("(") {
		s := p.size()
		p.expect(")")
		return s
	}
	return p.term()
}

// size reads a sum.
func (p *typeParser) size() Size {
	sign := int64(1)
	if p.accept("-") {
		sign = -1
	}
	s := p.term().Times(sign)
	for p.bad == nil {
		switch {
		case p.accept("+"):
			s = s.Plus(p.term())
		case len(p.rest) > 1 && p.rest[0] == '-' && p.rest[1] != '>':
			p.accept("-")
			s = s.Minus(p.term())
		default:
			return s
		}
	}
	return s
}

// term reads 3, ¯3, n, 2×n, n×2 or _.
func (p *typeParser) term() Size {
	negative := p.accept("¯")
	w := p.word()
	if w == "" {
		p.fail("a size is missing")
		return AnySize
	}
	if w == "_" {
		return AnySize
	}
	if w[0] < '0' || w[0] > '9' {
		return p.variable(w).Times(p.coefficient())
	}
	n, err := strconv.ParseInt(map[bool]string{true: "-"}[negative]+w, 10, 64)
	if err != nil {
		p.fail("%q is not a size", w)
	}
	if p.accept("×") || p.accept("*") {
		return p.factor().Times(n)
	}
	return ConstSize(n)
}

// coefficient reads ×2 behind a variable; it is 1 where there is none.
func (p *typeParser) coefficient() int64 {
	if !p.accept("×") {
		return 1
	}
	n, err := strconv.ParseInt(p.word(), 10, 64)
	if err != nil {
		p.fail("a number is missing behind ×")
	}
	return n
}

// factor reads the variable behind 2×, or _.
func (p *typeParser) factor() Size {
	switch w := p.word(); {
	case w == "_":
		return AnySize
	case w == "" || w[0] >= '0' && w[0] <= '9':
		p.fail("a variable is missing behind ×")
		return AnySize
	default:
		return p.variable(w)
	}
}

var schemes, sizedSchemes = func() (plain, sized [len(rows)]*FuncType) {
	for _, o := range Ops() {
		row := o.Row()
		plain[o] = mustScheme(row.Scheme)
		if row.SizedScheme != "" {
			sized[o] = mustScheme(row.SizedScheme)
		}
	}
	return plain, sized
}()

func mustScheme(text string) *FuncType {
	ty, err := ParseType(text)
	if err != nil {
		panic("internal error: " + err.Error())
	}
	if f, ok := ty.(*FuncType); ok {
		return f
	}
	return &FuncType{Result: ty}
}

// SchemeOf returns the type scheme of op; an op without arguments has a scheme
// without parameters.
func SchemeOf(op Op) *FuncType {
	op.Row()
	return schemes[op]
}

// SizedSchemeOf returns the scheme of the sized name of op, nil if it has none.
func SizedSchemeOf(op Op) *FuncType { return sizedSchemes[op] }
