package ir

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tailor-lang/tailor/tail"
)

// reserved are the words of the text form, which are no names.
var reserved = words("split const digits tolerance entry fun rec owned " +
	"var stack null alloc zeroed shaped free move swap alias copy elements filter where keep tile with terms " +
	"for independent loop break if else fail run return launch overflow from " +
	"segmap segred segscan scatter flags each tally lookup even pre red post join neutral exact " +
	"abs sqrt quo rem min max NaN Inf u8 i8 i16 i32 i64 f64 c32 c64 c8")

func words(list string) map[string]bool {
	set := map[string]bool{}
	for _, word := range strings.Fields(list) {
		set[word] = true
	}
	return set
}

// Parse reads the text form of a program (Text). What it reads need not be
// well-formed; Check tells. An error has the number of the line.
func Parse(text string) (p *Program, err error) {
	t := &textParser{out: &Program{PP: defaultDigits}, vars: map[string]*Var{}, bufs: map[string]*Buf{}, funcs: map[string]*Func{}}
	defer func() {
		if r := recover(); r != nil {
			wrong, ok := r.(textError)
			if !ok {
				panic(r)
			}
			p, err = nil, fmt.Errorf("loop text, line %d: %s", t.number(), string(wrong))
		}
	}()
	t.split(text)
	t.program()
	return t.out, nil
}

// textError leaves the parser.
type textError string

func failText(format string, args ...any) { panic(textError(fmt.Sprintf(format, args...))) }

// textLine is a line without its indentation.
type textLine struct {
	number, depth int
	text          string
}

// textParser reads a program line by line.
type textParser struct {
	out   *Program
	lines []textLine
	at    int // the current line
	vars  map[string]*Var
	bufs  map[string]*Buf
	funcs map[string]*Func
	scanner
}

// split finds the lines that are not empty, and their depths.
func (t *textParser) split(text string) {
	for i, line := range strings.Split(text, "\n") {
		t.lines = append(t.lines, textLine{number: i + 1})
		t.at = len(t.lines) - 1
		rest := strings.TrimLeft(line, " ")
		if rest == "" {
			t.lines = t.lines[:t.at]
			continue
		}
		indent := len(line) - len(rest)
		if indent%2 != 0 {
			failText("an odd number of spaces before a statement")
		}
		t.lines[t.at].depth, t.lines[t.at].text = indent/2, rest
	}
	t.at = -1
}

// number is that of the current line.
func (t *textParser) number() int {
	if len(t.lines) == 0 {
		return 1
	}
	return t.lines[min(max(t.at, 0), len(t.lines)-1)].number
}

// peek returns the next line if it has that depth.
func (t *textParser) peek(depth int) (string, bool) {
	if t.at+1 < len(t.lines) && t.lines[t.at+1].depth == depth {
		return t.lines[t.at+1].text, true
	}
	return "", false
}

// next makes the next line the current one.
func (t *textParser) next() {
	t.at++
	t.scanner = scanner{rest: t.lines[t.at].text}
}

// line makes the next line the current one if it has that depth and begins with
// a word, which is read.
func (t *textParser) line(depth int, word string) bool {
	text, ok := t.peek(depth)
	if ok = ok && firstWord(text) == word; ok {
		t.next()
		t.word()
	}
	return ok
}

func (t *textParser) program() {
	t.functions()
	for t.at+1 < len(t.lines) {
		if t.lines[t.at+1].depth > 0 {
			t.at++
			failText("a statement outside of the functions")
		}
		t.next()
		switch word := t.word(); word {
		case "digits":
			t.out.PP = int(t.integer())
		case "tolerance":
			t.out.CT = t.double()
		case "const":
			t.constant()
		case "entry", "fun":
			t.function(word == "entry")
		default:
			failText("neither a constant nor a function")
		}
	}
	n := len(t.out.Funcs)
	if n == 0 {
		failText("there is no function")
	}
	t.out.Main = t.out.Funcs[n-1]
	t.out.Funcs = t.out.Funcs[:n-1]
}

// functions finds the names of all functions, which may be called before they
// are defined.
func (t *textParser) functions() {
	for t.at = range t.lines {
		line := t.lines[t.at]
		text := strings.TrimPrefix(line.text, "entry ")
		if line.depth > 0 || firstWord(text) != "fun" {
			continue
		}
		t.scanner = scanner{rest: text}
		t.word()
		f := &Func{Recursive: t.accept("rec")}
		f.Name = t.name()
		if t.funcs[f.Name] != nil {
			failText("function %s is defined twice", f.Name)
		}
		t.funcs[f.Name] = f
	}
	t.at = -1
}

func (t *textParser) function(entry bool) {
	if entry {
		t.expect("fun")
	}
	t.accept("rec")
	f := t.funcs[t.name()]
	f.Params = t.arrays(true)
	t.expect("→")
	f.Results = t.arrays(true)
	t.end()
	f.Body = t.block(1)
	t.out.Funcs = append(t.out.Funcs, f)
	if entry {
		t.out.Entry = f
	}
}

// constant reads NAME: KIND = {ELEMENTS}.
func (t *textParser) constant() {
	c := &Const{Buf: t.newBuf(t.name())}
	t.expect(":")
	c.Buf.Elem, c.Buf.Const = t.kind(), true
	t.expect("=")
	t.expect("{")
	for !t.accept("}") {
		if len(c.Ints)+len(c.Floats) > 0 {
			t.expect(",")
		}
		if c.Buf.Elem.Exact() {
			c.Ints = append(c.Ints, t.integer())
		} else {
			c.Floats = append(c.Floats, t.double())
		}
	}
	t.end()
	t.out.Consts = append(t.out.Consts, c)
}

// newBuf makes a buffer; its name is new, but for a result, which its
// function declares twice.
func (t *textParser) newBuf(name string) *Buf {
	if t.vars[name] != nil {
		failText("%s is a variable", name)
	}
	if t.bufs[name] == nil {
		t.bufs[name] = &Buf{Name: name}
	}
	return t.bufs[name]
}

// newVar makes a variable, or returns the one of that name.
func (t *textParser) newVar(name string, k Kind) *Var {
	v := t.vars[name]
	switch {
	case t.bufs[name] != nil:
		failText("%s is a buffer", name)
	case v == nil:
		v = &Var{Name: name, Kind: k}
		t.vars[name] = v
	case v.Kind != k:
		failText("%s has kind %s", name, v.Kind)
	}
	return v
}

// named reads a new variable, whose kind is k unless it is given.
func (t *textParser) named(k Kind) *Var {
	name := t.name()
	if t.accept(":") {
		k = t.kind()
	}
	return t.newVar(name, k)
}

func (t *textParser) variable() *Var {
	name := t.name()
	v := t.vars[name]
	if v == nil {
		failText("there is no variable %s", name)
	}
	return v
}

func (t *textParser) buffer() *Buf {
	name := t.name()
	b := t.bufs[name]
	if b == nil {
		failText("there is no buffer %s", name)
	}
	return b
}

// block reads the statements of a depth.
func (t *textParser) block(depth int) []Stmt {
	var list []Stmt
	if depth > maxNesting {
		failText("blocks are nested too deeply")
	}
	for {
		text, ok := t.peek(depth)
		if !ok || slices.Contains(closers, firstWord(text)) {
			break
		}
		t.next()
		s := t.stmt(depth)
		list = append(list, s)
	}
	if t.at+1 < len(t.lines) && t.lines[t.at+1].depth > depth {
		t.at++
		failText("a statement that is indented too far")
	}
	return list
}

// closers are the words that no statement begins with.
var closers = []string{"else", "where", "keep", "pre", "red", "join", "post"}

// maxNesting bounds the depth of blocks and expressions.
const maxNesting = 5000

// stmt reads the current line and the lines of its blocks.
func (t *textParser) stmt(depth int) Stmt {
	if text, ok := strings.CutPrefix(t.rest, "⍝ "); ok {
		return &Comment{Text: text}
	}
	if strings.HasPrefix(t.rest, "(") {
		s := t.call()
		t.end()
		return s
	}
	word := firstWord(t.rest)
	if read := blockStmts[word]; read != nil {
		t.word()
		return read(t, depth+1)
	}
	var s Stmt
	if read := lineStmts[word]; read != nil {
		t.word()
		s = read(t)
	} else {
		s = t.assignment()
	}
	t.end()
	return s
}

// lineStmts read statements of one line, behind their first words.
var lineStmts map[string]func(t *textParser) Stmt

// blockStmts read statements with blocks of a depth.
var blockStmts map[string]func(t *textParser, depth int) Stmt

func init() {
	lineStmts = map[string]func(t *textParser) Stmt{
		"var": (*textParser).decl, "stack": (*textParser).stack, "null": (*textParser).null, "alloc": (*textParser).alloc,
		"free":   func(t *textParser) Stmt { return &Free{t.buffer()} },
		"move":   func(t *textParser) Stmt { dst, src := t.pair("="); return &Move{dst, src} },
		"swap":   func(t *textParser) Stmt { a, b := t.pair(","); return &Swap{a, b} },
		"alias":  (*textParser).alias,
		"copy":   (*textParser).copy,
		"break":  func(t *textParser) Stmt { t.expect("if"); return &BreakIf{t.expr()} },
		"fail":   (*textParser).fail,
		"return": func(t *textParser) Stmt { return &Return{} },
	}
	blockStmts = map[string]func(t *textParser, depth int) Stmt{
		"for": (*textParser).loopOver, "loop": (*textParser).loop, "if": (*textParser).ifElse,
		"filter": (*textParser).filter, "tile": (*textParser).tile,
		"segmap": nestOf(SegMap), "segred": nestOf(SegRed), "segscan": nestOf(SegScan), "scatter": nestOf(Scatter),
	}
}

// decl reads NAME: KIND [= INIT].
func (t *textParser) decl() Stmt {
	name := t.name()
	t.expect(":")
	k := t.kind()
	var init Expr
	if t.accept("=") {
		init = t.expr()
	}
	return t.newVar(name, k).Decl(init)
}

// assignment reads NAME = X, NAME, overflow FLAG = X, or NAME[INDEX] = X.
func (t *textParser) assignment() Stmt {
	name := t.name()
	if b := t.bufs[name]; b != nil {
		t.expect("[")
		index := t.expr()
		t.expect("]")
		t.expect("=")
		return b.Store(index, t.expr())
	}
	v := t.vars[name]
	if v == nil {
		failText("there is no variable %s", name)
	}
	if !t.accept(",") {
		t.expect("=")
		return v.Assign(t.expr())
	}
	t.expect("overflow")
	flag := t.variable()
	t.expect("=")
	x, ok := t.expr().(*Binary)
	if !ok {
		failText("no operation whose overflow can be seen")
	}
	return &Checked{Var: v, Op: x.Op, X: x.X, Y: x.Y, Flag: flag}
}

// newTyped reads NAME: KIND of a buffer.
func (t *textParser) newTyped() *Buf {
	b := t.newBuf(t.name())
	t.expect(":")
	b.Elem = t.kind()
	return b
}

func (t *textParser) stack() Stmt {
	b := t.newTyped()
	t.expect("[")
	if b.Stack = t.integer(); b.Stack <= 0 {
		failText("%d elements in the stack frame", b.Stack)
	}
	t.expect("]")
	n := Integer(b.Stack)
	return &DeclBuf{Buf: b, Count: n, Shape: []Expr{n}, Zero: t.accept("zeroed")}
}

func (t *textParser) null() Stmt { return &DeclBuf{Buf: t.newTyped()} }

func (t *textParser) alloc() Stmt {
	s := &DeclBuf{Buf: t.newTyped()}
	t.expect("[")
	s.Count = t.expr()
	t.expect("]")
	s.Shape = []Expr{s.Count}
	s.Zero = t.accept("zeroed")
	if t.accept("shaped") {
		t.expect("[")
		s.Shape = t.list("]")
	}
	return s
}

// pair reads two buffers with a sign in between.
func (t *textParser) pair(sign string) (a, b *Buf) {
	a = t.buffer()
	t.expect(sign)
	return a, t.buffer()
}

func (t *textParser) alias() Stmt {
	name := t.name()
	t.expect("=")
	src := t.buffer()
	dst := t.newBuf(name)
	dst.Elem = src.Elem
	return &Alias{dst, src}
}

// element reads NAME[INDEX].
func (t *textParser) element() (*Buf, Expr) {
	b := t.buffer()
	t.expect("[")
	x := t.expr()
	t.expect("]")
	return b, x
}

func (t *textParser) copy() Stmt {
	s := &Copy{}
	s.Dst, s.DstIndex = t.element()
	t.expect("=")
	s.Src, s.SrcIndex = t.element()
	t.expect(",")
	s.Count = t.expr()
	t.expect("elements")
	return s
}

// fail reads KIND: TEMPLATE [where OPERANDS]; behind it there may be a place.
func (t *textParser) fail() Stmt {
	s := &Fail{}
	t.space()
	longest := ""
	for f, text := range faults() {
		if len(text) > len(longest) && strings.HasPrefix(t.rest, text) {
			s.Fault, longest = f, text
		}
	}
	if longest == "" {
		failText("no such fault")
	}
	t.rest = t.rest[len(longest):]
	if t.accept("where") {
		for first := true; first || t.accept(","); first = false {
			s.Args = append(s.Args, t.failArg())
		}
	}
	if t.space(); strings.HasPrefix(t.rest, "⍝ ") {
		t.rest = ""
	}
	return s
}

// faults returns the texts of all faults.
func faults() map[tail.Fault]string {
	all := map[tail.Fault]string{}
	for f := tail.NoFault + 1; f <= tail.FaultFloat; f++ {
		all[f] = faultText(f)
	}
	return all
}

func (t *textParser) failArg() FailArg {
	t.space()
	switch {
	case t.accept("["):
		return FailArg{IsShape: true, Shape: t.list("]")}
	case strings.HasPrefix(t.rest, `"`):
		return FailArg{Text: t.quoted()}
	}
	return FailArg{X: t.expr()}
}
