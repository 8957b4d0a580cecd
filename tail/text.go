package tail

import (
	"strconv"
	"strings"
)

// The text form is the notation of thesis 001, chapter 3:
//
//	wrap
//	fun f_1 (x:[int]1, y:double) : [int]1 =
//	  let v:<int>3 = consV(0,[1,2]) in
//	  reduce[0](addi,0,each(fn w:int => muli(2,w),v))
//	main =
//	  print(f_1(iotaV(5),1.0))
//
// "wrap" stands there when integer arithmetic wraps; a recursive function is
// introduced by "fun rec". A function whose body is the application of an op
// to its parameters is the op's name. An axis in brackets is left out when it
// is the last one; cell ranks stand there too. Where the type of an expression
// is not the one that its parts give, it follows: (e : T). A char vector is
// 'abc', a char scalar "a", any other constant array is written with its
// extents, int[2,3]{1,2,3,4,5,6}. Spans are not in the text.
// String returns the program in the text form.
func (p *Program) String() string {
	pr := &printer{}
	if p.Wrap {
		pr.text("wrap\n")
	}
	if p.Exact {
		pr.text("exact\n")
	}
	if p.CT != 0 {
		pr.text("tolerance " + strconv.FormatFloat(p.CT, 'g', -1, 64) + "\n")
	}
	if p.PP != 0 {
		pr.text("precision " + strconv.Itoa(p.PP) + "\n")
	}
	for _, f := range p.Funcs {
		pr.function(f)
	}
	pr.names, pr.taken = nil, nil
	pr.text("main =\n  ")
	pr.expr(p.Main, 2)
	pr.text("\n")
	return pr.b.String()
}

// ExprString returns e in the text form.
func ExprString(e Expr) string {
	pr := &printer{}
	pr.expr(e, 0)
	return pr.b.String()
}

// lineWidth is the width that applications are kept on one line up to.
const lineWidth = 96

// printer writes the text form. Names are unique in a function.
type printer struct {
	b      strings.Builder
	names  map[*Var]string
	taken  map[string]int // names in use, and the number to try next
	flat   bool           // write everything on one line
	trial  bool           // only find out whether budget is enough
	budget int
}

func (pr *printer) text(s string) {
	pr.b.WriteString(s)
	pr.budget -= len(s)
}

func (pr *printer) line(indent int) {
	if pr.flat {
		pr.text(" ")
		return
	}
	pr.text("\n")
	for range indent {
		pr.text(" ")
	}
}

func (pr *printer) function(f *Func) {
	pr.names, pr.taken = nil, nil
	pr.text("fun ")
	if f.Recursive {
		pr.text("rec ")
	}
	pr.text(funcName(f) + " (")
	for i, p := range f.Params {
		if i > 0 {
			pr.text(", ")
		}
		pr.text(pr.name(p) + ":" + LongType(p.Type))
	}
	pr.text(") : " + LongType(f.Result) + " =\n  ")
	pr.expr(f.Body, 2)
	pr.text("\n")
}

// LongType returns a type with all that is known of it.
func LongType(ty Type) string {
	switch ty := ty.(type) {
	case *Array:
		text := ty.String()
		if IsRank(ty, 1) && ty.Values != nil && !strings.HasPrefix(text, "SV") {
			return text + "{" + joinSizes(ty.Values) + "}"
		}
		return text
	case *TupleType:
		parts := make([]string, len(ty.Elems))
		for i, e := range ty.Elems {
			parts[i] = LongType(e)
		}
		if len(parts) == 1 {
			return "(" + parts[0] + ",)"
		}
		return "(" + strings.Join(parts, ", ") + ")"
	}
	return ty.String()
}

// letType returns the type that a let is written with: the short form stands
// for the type of what is bound.
func letType(v *Var, bind Type) string {
	a, ok := v.Type.(*Array)
	b, bound := bind.(*Array)
	if !ok || !bound {
		return LongType(v.Type)
	}
	short := a.String()
	switch {
	case Equal(a, b):
		return short
	case short == b.String() && !strings.Contains(LongType(a), "{"):
		return short + "{" + joinSizes(anySizes(len(b.Values))) + "}"
	}
	return LongType(a)
}

// expr writes e; lines after the first are indented.
func (pr *printer) expr(e Expr, indent int) {
	if pr.trial && pr.budget < 0 {
		return
	}
	if needsType(e) {
		pr.text("(")
		pr.bare(e, indent)
		pr.text(" : " + LongType(e.Type()) + ")")
		return
	}
	pr.bare(e, indent)
}

// needsType reports whether the type of e is not what its parts give.
func needsType(e Expr) bool {
	switch e := e.(type) {
	case *Lit:
		return !Equal(e.Ty, LitType(e.Value))
	case *Vec:
		return !Equal(e.Ty, NewVec(e.Where, e.Elems...).Ty)
	case *Apply:
		given, bad := NewApply(e.Where, e.Op, e.Axis, e.Ks, e.Args...)
		return bad != nil || !Equal(e.Ty, given.Ty)
	case *Call:
		return !Equal(e.Ty, e.Fn.Result)
	case *If:
		join, ok := Join(e.Then.Type(), e.Else.Type())
		return !ok || !Equal(e.Ty, join)
	}
	return false
}

func (pr *printer) bare(e Expr, indent int) {
	switch e := e.(type) {
	case *Lit:
		pr.text(LitText(e.Value))
	case *Ref:
		pr.text(pr.name(e.Var))
	case *Vec:
		pr.list("[", e.Elems, "]", indent)
	case *Let:
		pr.lets(e, indent)
	case *Apply:
		pr.text(applyName(e))
		pr.list("(", e.Args, ")", indent)
	case *Lam:
		pr.lambda(e, indent)
	case *Call:
		pr.text(funcName(e.Fn))
		pr.list("(", e.Args, ")", indent)
	case *If:
		pr.text("if ")
		pr.expr(e.Cond, indent+2)
		pr.line(indent)
		pr.text("then ")
		pr.expr(e.Then, indent+2)
		pr.line(indent)
		pr.text("else ")
		pr.expr(e.Else, indent+2)
	case *Tuple:
		if len(e.Elems) == 1 {
			pr.list("(", e.Elems, ",)", indent)
		} else {
			pr.list("(", e.Elems, ")", indent)
		}
	case *Proj:
		pr.text("#" + strconv.Itoa(e.I))
		pr.list("(", []Expr{e.X}, ")", indent)
	default:
		panic("internal error: unknown expression")
	}
}

// lets writes a chain of lets, one a line.
func (pr *printer) lets(e Expr, indent int) {
	if pr.trial {
		pr.budget = -1
		return
	}
	for {
		let, ok := e.(*Let)
		if !ok {
			break
		}
		pr.text("let " + pr.name(let.Var) + ":" + letType(let.Var, let.Bind.Type()) + " = ")
		pr.expr(let.Bind, indent+2)
		pr.text(" in")
		pr.line(indent)
		e = let.Body
	}
	pr.expr(e, indent)
}

// list writes expressions with commas, each on a line of its own if they do
// not fit on one together.
func (pr *printer) list(open string, es []Expr, end string, indent int) {
	pr.text(open)
	flat := pr.flat
	pr.flat = flat || pr.fits(es, indent)
	for i, e := range es {
		if i > 0 {
			pr.text(",")
		}
		if !pr.flat && len(es) > 1 {
			pr.line(indent + 2)
		}
		pr.expr(e, indent+2)
	}
	pr.flat = flat
	pr.text(end)
}

// fits reports whether es fit on one line and have no lets.
func (pr *printer) fits(es []Expr, indent int) bool {
	try := &printer{flat: true, trial: true, budget: lineWidth - indent - 20}
	for _, e := range es {
		try.expr(e, 0)
		if try.budget < 0 {
			return false
		}
	}
	return true
}

func (pr *printer) lambda(e *Lam, indent int) {
	if op, ok := EtaReduced(e); ok {
		pr.text(op.Row().Name)
		return
	}
	pr.text("fn ")
	if len(e.Params) != 1 {
		pr.text("(")
	}
	for i, p := range e.Params {
		if i > 0 {
			pr.text(", ")
		}
		pr.text(pr.name(p) + ":" + LongType(p.Type))
	}
	if len(e.Params) != 1 {
		pr.text(")")
	}
	pr.text(" =>")
	if _, ok := e.Body.(*Let); ok {
		pr.line(indent)
	} else {
		pr.text(" ")
	}
	pr.expr(e.Body, indent)
}

// applyName returns the name of the op, the sized one where it applies, with
// the axis or the cell ranks.
func applyName(e *Apply) string {
	row := e.Op.Row()
	name := row.Name
	if Sized(e) {
		name = row.Sized
	}
	switch {
	case row.Ks == definedKs && len(e.Ks) > 0:
		return name + "[" + strconv.Itoa(e.Axis) + "," + strconv.Itoa(e.Ks[0]) + "]"
	case len(e.Ks) > 0:
		parts := make([]string, len(e.Ks))
		for i, k := range e.Ks {
			parts[i] = strconv.Itoa(k)
		}
		return name + "[" + strings.Join(parts, ",") + "]"
	case e.Axis != defaultAxis(e.Op, e.Args):
		return name + "[" + strconv.Itoa(e.Axis) + "]"
	}
	return name
}

// defaultAxis returns the axis that is not written: the last one of the array
// that the op works along, the new first one of a lamination.
func defaultAxis(op Op, args []Expr) int {
	if !op.Row().Axis || len(args) == 0 {
		return 0
	}
	x := args[len(args)-1]
	switch op {
	case OpLaminate:
		return 0
	case OpCat, OpSnoc:
		x = args[0]
	}
	if ty, ok := x.Type().(*Array); ok {
		if n, ok := ty.Rank.IsConst(); ok && n > 0 {
			return int(n) - 1
		}
	}
	return 0
}

// Sized reports whether the sized name of e's op (figure 3.3) applies: the
// arguments have the types of its scheme.
func Sized(e *Apply) bool {
	scheme := SizedSchemeOf(e.Op)
	if scheme == nil || len(scheme.Params) != len(e.Args) {
		return false
	}
	for i, p := range scheme.Params {
		ty, ok := e.Args[i].Type().(*Array)
		if !ok || !sizedAs(ty, p.(*Array)) {
			return false
		}
	}
	result, ok := e.Ty.(*Array)
	return ok && sizedAs(result, scheme.Result.(*Array))
}

// sizedAs reports whether ty knows as much as the scheme's type p says.
func sizedAs(ty, p *Array) bool {
	if !ty.Rank.Equal(p.Rank) {
		return false
	}
	if p.Values != nil && !ty.Value(0).Known() {
		return false
	}
	return p.Extents == nil || ty.Extent(0).Known()
}

// Constants.
