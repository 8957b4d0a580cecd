package apl

import (
	"strings"

	"github.com/tailor-lang/tailor/internal/diag"
)

// Binding, from the strongest: neighbouring arrays into strands, brackets to all
// that is bound left of them, operators to their operands (the left operand
// reaches as far as it can, the right one is a strand or a function), functions
// to arguments. By Dyalog's table brackets behind a right operand would be an axis
// of the derived function, which has none: they are the operand's here.

// bind joins brackets, strands and operators: the units that it returns are
// arrays and functions only, and no two arrays are neighbours.
func (p *parser) bind(atoms []unit) ([]unit, *diag.Error) {
	var units []unit
	for i := 0; i < len(atoms); {
		cur, next, err := p.operand(atoms, i)
		if err != nil {
			return nil, err
		}
		for i = next; i < len(atoms) && derives(cur, atoms, i); {
			if cur, i, err = p.derive(cur, atoms, i); err != nil {
				return nil, err
			}
			if err := p.tall(cur); err != nil {
				return nil, err
			}
		}
		units = append(units, cur)
	}
	return units, nil
}

// derives reports whether atom i is an operator to the right of cur.
func derives(cur unit, atoms []unit, i int) bool {
	if atoms[i].hybrid {
		return cur.class == FunctionClass
	}
	return atoms[i].op != nil && !outerAt(atoms, i)
}

// outerAt reports whether `∘.` is at atom i.
func outerAt(atoms []unit, i int) bool {
	return i+1 < len(atoms) && isPrimOp(atoms[i], "∘") && isPrimOp(atoms[i+1], ".")
}

func isPrimOp(u unit, glyph string) bool {
	op, ok := u.op.(*PrimOp)
	return ok && op.Glyph == glyph
}

// operand reads a strand, or a function with its axis, that starts at atom i.
// It returns the atom behind it.
func (p *parser) operand(atoms []unit, i int) (unit, int, *diag.Error) {
	u := atoms[i]
	switch {
	case u.class == ArrayClass:
		return p.strand(atoms, i)
	case u.class == FunctionClass:
		return p.axis(u, atoms, i+1)
	case u.hybrid:
		return p.axis(functionUnit(&Prim{At{u.span()}, u.op.(*PrimOp).Glyph}, 1), atoms, i+1)
	case outerAt(atoms, i):
		return p.outer(atoms, i)
	case u.op != nil:
		e := diag.Errorf(diag.WrongOperand, u.span(), "%s has no left operand", clip(u.span().Text()))
		if _, ok := u.op.(*Dop); ok {
			e.Notes = append(e.Notes, diag.Note{Message: "⍺⍺ and ⍵⍵ make an operator of the innermost braces around them"})
		}
		return u, i, e
	}
	e := diag.Errorf(diag.FaultyBrackets, u.span(), "nothing before %s to index", clip(u.span().Text()))
	return u, i, fix(e, unbracketed(u.span().Text()))
}

// axis puts the brackets that start at atom i behind function f.
func (p *parser) axis(f unit, atoms []unit, i int) (unit, int, *diag.Error) {
	for ; i < len(atoms) && atoms[i].index != nil; i++ {
		b := atoms[i].index
		if len(b.items) != 1 || b.items[0] == nil {
			return f, i, diag.Errorf(diag.FaultyBrackets, b.where, "an axis is one array, not %s", clip(b.where.Text()))
		}
		if axes, ok := b.items[0].(*Literal); ok && len(atoms) == i+1 && oneAxis(f.f) && axes.Value.Len() > 1 {
			return f, i, fix(diag.Errorf(diag.FaultyBrackets, b.where, "an axis is one number, not %s", clip(b.where.Text())), unbracketed(b.where.Text()))
		}
		f = functionUnit(&Axis{At{f.span().Join(b.where)}, f.f, b.items[0]}, max(f.h, atoms[i].h)+1)
		if err := p.tall(f); err != nil {
			return f, i, err
		}
	}
	return f, i, nil
}

// oneAxis reports whether a function is a reduction or a scan, which has one axis.
func oneAxis(f Func) bool {
	d, ok := f.(*Derived)
	if !ok {
		return false
	}
	op, ok := d.Op.(*PrimOp)
	return ok && strings.Contains("/\\⌿⍀", op.Glyph)
}

// unbracketed says how a vector is written that stands in brackets, as in other
// languages, or "" where it holds more than numbers.
func unbracketed(text string) string {
	inside := strings.Trim(text, "[] ")
	if inside == "" || strings.Trim(inside, "0123456789¯., ") != "" {
		return ""
	}
	return "a vector is written without brackets: " + strings.Join(strings.Fields(strings.ReplaceAll(inside, ",", " ")), " ")
}

// outer reads `∘.f`.
func (p *parser) outer(atoms []unit, i int) (unit, int, *diag.Error) {
	at := atoms[i].span().Join(atoms[i+1].span())
	if i+2 == len(atoms) {
		return unit{}, i, diag.Errorf(diag.WrongOperand, at, "∘. has no operand")
	}
	f, next, err := p.operand(atoms, i+2)
	if err != nil {
		return f, next, err
	}
	if f.class != FunctionClass {
		e := diag.Errorf(diag.WrongOperand, at, "the operand of ∘. is an array")
		e.Also = f.span()
		return f, next, e
	}
	d := &Derived{At: At{at.Join(f.span())}, Op: &PrimOp{At{at}, outer.Glyph}, Left: Operand{Func: f.f}}
	return functionUnit(d, f.h+1), next, nil
}

// strand reads the arrays, with their indices, that start at atom i. An index is
// one of all that stands left of it, which includes what was indexed before:
// `a b[1]` is `(a b)[1]`, and `a[1]b[2]` is `((a[1])b)[2]`.
func (p *parser) strand(atoms []unit, i int) (unit, int, *diag.Error) {
	u, i := p.arrays(nil, atoms, i)
	for i < len(atoms) && atoms[i].index != nil {
		for ; i < len(atoms) && atoms[i].index != nil; i++ {
			b := atoms[i].index
			x := &Index{At{u.span().Join(b.where)}, u.x, b.items, b.where}
			u = arrayUnit(x, max(u.h, atoms[i].h)+1)
			if err := p.tall(u); err != nil {
				return u, i, err
			}
		}
		u, i = p.arrays([]unit{u}, atoms, i)
	}
	return u, i, nil
}

// arrays is the strand of the items given and of the arrays that start at atom i.
func (p *parser) arrays(items, atoms []unit, i int) (unit, int) {
	for ; i < len(atoms) && atoms[i].class == ArrayClass; i++ {
		items = append(items, atoms[i])
	}
	return p.stranded(items), i
}

// stranded returns the strand of items, or the only item.
func (p *parser) stranded(items []unit) unit {
	if len(items) == 1 {
		return items[0]
	}
	s := &Strand{At: At{items[0].span().Join(items[len(items)-1].span())}}
	h := 0
	for _, u := range items {
		h = max(h, u.h)
		s.Items = p.spliced(s.Items, u)
	}
	return arrayUnit(s, h+1)
}

// spliced appends an item of a strand; each number of a run is one.
func (p *parser) spliced(items []Expr, u unit) []Expr {
	if u.run[1]-u.run[0] < 2 {
		return append(items, u.x)
	}
	for k := int(u.run[0]); k < int(u.run[1]); k++ {
		v, _ := parseNumber(p.text(k))
		items = append(items, &Literal{At{p.span(k, k+1)}, literal([]value{v})})
	}
	return items
}

// derive applies the operator at atom i to the operand on its left.
func (p *parser) derive(left unit, atoms []unit, i int) (unit, int, *diag.Error) {
	op := atoms[i]
	d := &Derived{Op: op.op, Left: operandOf(left)}
	if err := arrayOperand(left, op); err != nil {
		return left, i, err
	}
	if op.class != DyadicOperator {
		d.At = At{left.span().Join(op.span())}
		return p.axis(functionUnit(d, left.h+1), atoms, i+1)
	}
	if i+1 == len(atoms) {
		return left, i, diag.Errorf(diag.WrongOperand, op.span(), "%s has no right operand", clip(op.span().Text()))
	}
	right, next, err := p.operand(atoms, i+1)
	if err != nil {
		return left, i, err
	}
	if err := arrayOperand(right, op); err != nil {
		return left, i, err
	}
	d.Right = operandOf(right)
	d.At = At{left.span().Join(right.span())}
	return functionUnit(d, max(left.h, right.h)+1), next, nil
}

func operandOf(u unit) Operand { return Operand{Func: u.f, Array: u.x} }

// arrayOperand refuses an array as the operand of a primitive operator that
// takes functions only.
func arrayOperand(u, op unit) *diag.Error {
	prim, ok := op.op.(*PrimOp)
	if !ok || u.class != ArrayClass {
		return nil
	}
	if v, ok := u.x.(*Var); ok && v.Ident == "⍺" { // a function, by ⍺←⊢, perhaps
		return nil
	}
	var e *diag.Error
	switch prim.Glyph {
	case ".":
		e = diag.Errorf(diag.Namespaces, prim.Where, "namespaces are not supported: array operand of the dot")
	case "¨", "⌸", "&", "⍥", "⍛":
		e = diag.Errorf(diag.WrongOperand, prim.Where, "%s needs a function as its operand", prim.Glyph)
	default:
		return nil
	}
	e.Also = u.span()
	return e
}

// tree builds the expression or the train of units.
func (p *parser) tree(units []unit) (unit, *diag.Error) {
	last := units[len(units)-1]
	if last.class == ArrayClass {
		return p.apply(units[:len(units)-1], last)
	}
	return p.train(units)
}

// apply builds the calls of functions, from right to left, that start with
// argument y.
func (p *parser) apply(units []unit, y unit) (unit, *diag.Error) {
	for k := len(units) - 1; k >= 0; k-- {
		f := units[k]
		if f.class != FunctionClass {
			return y, diag.Errorf(diag.FaultyAssignment, f.span(), "no function between %s and the assignment", clip(f.span().Text()))
		}
		h := max(f.h, y.h)
		if k > 0 && units[k-1].class == ArrayClass {
			k--
			x := units[k]
			y = arrayUnit(&Dyadic{At{x.span().Join(y.span())}, x.x, f.f, y.x}, max(h, x.h)+1)
		} else {
			y = arrayUnit(&Monadic{At{f.span().Join(y.span())}, f.f, y.x}, h+1)
		}
		if err := p.tall(y); err != nil {
			return y, err
		}
	}
	return y, nil
}

// train builds a train, from right to left: a fork of every three items and an
// atop of the two that may remain. One function is itself.
func (p *parser) train(units []unit) (unit, *diag.Error) {
	k := len(units) - 1
	t := units[k]
	for k -= 1; k > 0; k -= 2 {
		f, g := units[k-1], units[k]
		if g.class != FunctionClass {
			return t, p.middle(g, units[len(units)-1])
		}
		fork := &Fork{At{f.span().Join(t.span())}, operandOf(f), g.f, t.f}
		t = functionUnit(fork, max(f.h, g.h, t.h)+1)
		if err := p.tall(t); err != nil {
			return t, err
		}
	}
	if k == 0 {
		f := units[0]
		if f.class != FunctionClass {
			return t, p.middle(f, units[len(units)-1])
		}
		t = functionUnit(&Atop{At{f.span().Join(t.span())}, f.f, t.f}, max(f.h, t.h)+1)
	}
	return t, p.tall(t)
}

// middle is the error of an array where a train needs a function: the last
// function lacks its argument.
func (p *parser) middle(array, last unit) *diag.Error {
	name := clip(last.span().Text())
	e := diag.Errorf(diag.NoRightArgument, last.span(), "%s has no right argument", name)
	e.Also = array.span()
	return fix(e, "a function with a bound argument is written "+clip(array.span().Text())+"∘"+name)
}
