package loops

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/tailor-lang/tailor/fcl/lib"
	"github.com/tailor-lang/tailor/fcl/types"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/laila/affine"
	"github.com/tailor-lang/tailor/laila/flow"
	"github.com/tailor-lang/tailor/laila/ir"
)

// Kernel is what is known of a kernel, or of several that one statement became.
type Kernel struct {
	Name  string
	At    diag.Span
	Steps []string // the names of the kernels

	Statements []ir.Stmt // what the host executes in their place, where they are several

	Dims   []ir.Dim  // the space of a map, a reduction, a scan or an update; none for statements in order
	Body   []ir.Stmt // at a point
	More   []Kernel  // maps that share the launch
	Read   []*ir.Buf
	Writes []*ir.Buf
	Vars   []*ir.Var
	Flags  []*ir.Var // what is only noted
	Outs   []*ir.Var // variables that the host gets

	Function string       // of FCL's library, or ""
	Fold     *ir.Nest     // of a reduction
	Scan     *flow.Scan   // of a scan
	Update   *flow.Update // of an update, and the most iterations that are shared
	Most     int64
	Product  *Product // of an inner product
	Across   []ir.Expr
	Tiled    bool // whether a map goes through its space in tiles; Across are the loads that pass through local memory
	Rows     []ir.Stmt
	Folds    []*ir.Nest // of a reduction of rows, whose points are Rows; AlongColumns says that neighbouring rows are neighbours in memory
	Columns  bool
}

// Product is an inner product: loops over terms and over a row inside, with what they begin with, what depends
// on the row and the term and on the term and the column, and what is stored.
type Product struct {
	Decls       []ir.Stmt
	Zero        ir.Expr
	Terms, Row  *ir.For
	Store       *ir.Store
	Left, Right []ir.Expr
	Width       int64 // columns that are in registers, on CPUs
}

// Param is a parameter of a function: an array, a variable, or a number of the space.
type Param struct {
	Name   string
	Buf    *ir.Buf
	Var    *ir.Var
	Number ir.Expr
}

// Text is a kernel as a function.
type Text struct {
	Name    string
	Comment string
	Text    string // what it is called, its parameters and its body
	Params  []Param
	// Gives are the results: those that are one item each of a tuple that the function gives, or of the elements
	// of a push array that it gives, and such groups where what it gives is a tuple of these.
	Gives [][]Result
}

// Result is what a function gives: a variable, an array as it is after the kernel, or what is stored in one:
// its elements, or with Placed pairs of places and elements, or with Kept these behind a truth value that says
// whether there is one.
type Result struct {
	Var                 *ir.Var
	Buf                 *ir.Buf
	Whole, Placed, Kept bool
}

// Written returns the function that a kernel is; only a comment where FCL has no words for something.
func (k *Kernel) Written(tolerance float64) (text Text) {
	w := &writer{k: k, names: map[any]string{}, taken: map[string]bool{}, flags: map[*ir.Var]bool{},
		sinks: map[*ir.Store]*sink{}, axes: map[*ir.Var]axis{}, tolerance: tolerance}
	defer func() {
		if r := recover(); r != nil {
			what, is := r.(unknown)
			if !is {
				panic(r)
			}
			text = Text{Name: k.Name, Comment: k.comment(fmt.Sprintf("not in FCL, which has no words for %s", string(what)))}
		}
	}()
	for _, v := range k.Flags {
		w.flags[v] = true
	}
	w.assigned = k.assigned()
	for _, b := range k.Read {
		w.params = append(w.params, Param{Name: w.buf(b), Buf: b})
	}
	for _, v := range k.Vars {
		w.params = append(w.params, Param{Name: w.v(v), Var: v})
	}
	body := w.kernel()
	name := identifier(k.Name)
	if reserved(name) {
		name += "_kernel"
	}
	head := []string{"fun " + name}
	for _, p := range w.params {
		head = append(head, p.Name)
	}
	return Text{Name: name, Comment: k.comment(w.summary()), Text: strings.Join(head, " ") + " =\n  " + deeper(body) + "\n",
		Params: w.params, Gives: w.gives}
}

// assigned lists the variables that statements assign to, and those that the host gets.
func (k *Kernel) assigned() map[*ir.Var]bool {
	all := map[*ir.Var]bool{}
	list := slices.Concat(k.Body, k.Rows)
	if k.Fold != nil {
		list = append(list, k.Fold)
	}
	if k.Update != nil {
		list = append(list, k.Update.Point...)
	}
	for _, m := range k.More {
		list = append(list, m.Body...)
	}
	ir.Walk(list, func(s ir.Stmt) {
		switch s := s.(type) {
		case *ir.Assign:
			all[s.Var] = true
		case *ir.Checked:
			all[s.Var], all[s.Flag] = true, true
		}
	})
	for _, v := range k.Outs {
		all[v] = true
	}
	return all
}

// comment says which line a kernel is, what the kernels are called, and something more.
func (k *Kernel) comment(more string) string {
	text := ""
	if k.At.Valid() {
		line, _ := k.At.Src.Position(k.At.Start)
		text = fmt.Sprintf("-- line %d: %s\n", line, strings.TrimSpace(k.At.Src.Line(line)))
	}
	for _, s := range k.Steps {
		text += "-- kernel " + s + "\n"
	}
	return text + "-- " + more + "\n"
}

// summary says what the function gives.
func (w *writer) summary() string {
	var list []string
	for _, g := range slices.Concat(w.gives...) {
		switch {
		case g.Var != nil:
			list = append(list, w.v(g.Var))
		case g.Kept:
			list = append(list, "what is stored in "+w.buf(g.Buf)+", where, and whether it is")
		case g.Placed:
			list = append(list, "places and elements of "+w.buf(g.Buf))
		default:
			list = append(list, w.buf(g.Buf))
		}
	}
	text := ""
	if len(list) == 0 {
		return "gives what it notes of each point: whether it faults"
	}
	for i, what := range list {
		if i > 0 && list[i-1] == what {
			continue
		}
		same := 0
		for i+same < len(list) && list[i+same] == what {
			same++
		}
		if same > 1 {
			what = fmt.Sprintf("%d times %s", same, what)
		}
		text += "; " + what
	}
	return "gives " + strings.TrimPrefix(text, "; ")
}

// axis is what an axis of the space begins with, "" for 0, and how many places it has.
type axis struct{ first, count string }

// sink is a store whose place and element are results of the kernel.
type sink struct {
	keep, at, x string
	kept, plain bool
	read        bool // behind the store
	elem        ir.Kind
}

func (s *sink) slots() []slot {
	return []slot{{s.keep, "false", false}, {s.at, "0", false}, {s.x, zero(s.elem), false}}
}

// writer writes a kernel.
type writer struct {
	k         *Kernel
	names     map[any]string
	taken     map[string]bool
	flags     map[*ir.Var]bool
	sinks     map[*ir.Store]*sink
	axes      map[*ir.Var]axis
	assigned  map[*ir.Var]bool
	more      bool   // whether statements follow that block is not given
	fault     string // the name of whether a point faults, or ""
	params    []Param
	gives     [][]Result
	tolerance float64
}

func (w *writer) v(v *ir.Var) string   { return w.named(v, v.Name) }
func (w *writer) buf(b *ir.Buf) string { return w.named(b, b.Name) }

func (w *writer) named(of any, stem string) string {
	if w.names[of] == "" {
		w.names[of] = w.name(stem)
	}
	return w.names[of]
}

// name makes a name that nothing else has.
func (w *writer) name(stem string) string {
	stem = identifier(stem)
	name := stem
	for n := 2; w.taken[name] || reserved(name); n++ {
		name = fmt.Sprint(stem, n)
	}
	w.taken[name] = true
	return name
}

// identifier returns a name of FCL.
func identifier(name string) string {
	name = strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' {
			return r
		}
		return '_'
	}, name)
	if name == "" || !unicode.IsLetter([]rune(name)[0]) {
		return "x" + name
	}
	return name
}

var keywords = strings.Fields("fun sig forall let in fn if then else do true false")

func reserved(name string) bool {
	return types.BuiltinSchemes()[name] != nil || lib.Doc(name) != "" || strings.Contains(Scalars, "\nsig "+name+" ") || slices.Contains(keywords, name)
}

// space names the numbers of places of axes that are not known, as parameters.
func (w *writer) space(dims []ir.Dim) {
	for _, d := range dims {
		a, i := axis{}, len(w.axes)
		if n, ok := ir.Trips(d); ok {
			a.count = fmt.Sprint(max(n, 0))
		} else {
			a.count = w.name(fmt.Sprintf("n%d", i))
			w.params = append(w.params, Param{Name: a.count, Number: ir.OpSub.Of(d.Hi, d.Lo)})
		}
		if lo, ok := ir.IntOf(d.Lo); !ok {
			a.first = w.name(fmt.Sprintf("first%d", i))
			w.params = append(w.params, Param{Name: a.first, Number: d.Lo})
		} else if lo != 0 {
			a.first = parenthesised(fmt.Sprint(lo), map[bool]int{true: unary, false: atom}[lo < 0], atom)
		}
		w.axes[d.Var] = a
	}
}

// span returns the number of iterations of an axis, and what it begins with, "" for 0.
func (w *writer) span(d ir.Dim) (count, first string) {
	if a, ok := w.axes[d.Var]; ok {
		return a.count, a.first
	}
	if n, ok := ir.Trips(d); ok {
		count = fmt.Sprint(max(n, 0))
	}
	lo, ok := ir.IntOf(d.Lo)
	if ok && lo == 0 {
		if count == "" {
			count = w.operand(d.Hi)
		}
		return count, ""
	}
	first = w.at(d.Lo, adding)
	if count == "" {
		count = "(" + w.at(d.Hi, adding) + " - " + w.at(d.Lo, multiplying) + ")"
	}
	return count, first
}

// counted is the number of points of axes.
func (w *writer) counted(dims []ir.Dim) string {
	list := make([]string, len(dims))
	for i, d := range dims {
		list[i] = w.axes[d.Var].count
	}
	switch len(list) {
	case 0:
		return "1"
	case 1:
		return list[0]
	}
	if list = slices.DeleteFunc(list, func(n string) bool { return n == "1" }); len(list) < 2 {
		return append(list, "1")[0]
	}
	return "(" + strings.Join(list, " * ") + ")"
}

// point writes a function of a place of a space, whose axes it names before its body.
func (w *writer) point(dims []ir.Dim, body string) string {
	place := w.place(dims)
	return function(w.placed(dims, place, body), place)
}

// place is the name of a place of a space: the variable, where there is one axis.
func (w *writer) place(dims []ir.Dim) string {
	switch len(dims) {
	case 0:
		return "_"
	case 1:
		return w.v(dims[0].Var)
	}
	return w.name("p")
}

// placed writes a body behind the places that axes have at a place of their space.
func (w *writer) placed(dims []ir.Dim, place, body string) string {
	if len(dims) == 1 {
		return w.shifted(dims[0], body)
	}
	for i, d := range slices.Backward(dims) {
		at := place
		if inner := w.counted(dims[i+1:]); inner != "1" {
			at += " / " + inner
		}
		if count := w.axes[d.Var].count; count == "1" {
			at = "0"
		} else if w.counted(dims[:i]) != "1" {
			at += " % " + count
		}
		if first := w.axes[d.Var].first; first != "" {
			at = first + " + " + at
		}
		body = let(w.v(d.Var), at, body)
	}
	return body
}

// shifted writes a body behind the place that an axis has where its first one is not 0.
func (w *writer) shifted(d ir.Dim, body string) string {
	if first := w.axes[d.Var].first; first != "" {
		return let(w.v(d.Var), first+" + "+w.v(d.Var), body)
	}
	return body
}

// rowMajor reports whether an index is that of the points of a space, row by row, from 0 on.
func (w *writer) rowMajor(x ir.Expr, dims []ir.Dim) bool {
	r := affine.Reader{Leaf: func(r *affine.Reader, x ir.Expr) affine.Poly {
		switch x := x.(type) {
		case *ir.Use:
			return affine.Of(x.Var)
		case *ir.Convert:
			return r.Read(x.X)
		}
		return affine.Unknown
	}}
	want, size := affine.Const(0), affine.Const(1)
	for _, d := range slices.Backward(dims) {
		want = want.Plus(affine.Of(d.Var).Minus(r.Read(d.Lo)).Times(size))
		size = size.Times(r.Read(d.Hi).Minus(r.Read(d.Lo)))
	}
	got := r.Read(x)
	return got.Known() && want.Known() && got.Equal(want)
}
