package prim

import (
	"strings"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/internal/display"
	"github.com/tailor-lang/tailor/interp/value"
)

// Display returns what the session prints for y: lines, each ended, folded at the
// print width.
func Display(c *Context, y *V) string {
	n := nested(y)
	if y.Ref == nil || n.Text == "" {
		return string(display.AppendNested(nil, n, c.Precision, c.Width))
	}
	var out []byte
	for _, line := range strings.Split(n.Text, "\n") {
		out = display.AppendNested(out, &display.Nested{Text: line}, c.Precision, c.Width)
	}
	return string(out)
}

// Plain returns the display of y in one piece, without the last line end.
func Plain(y *V, pp int) string {
	all := display.Lines(nested(y), pp)
	lines := make([]string, len(all))
	for i, l := range all {
		lines[i] = string(l)
	}
	return strings.Join(lines, "\n")
}

// Bare returns what ⍞← prints.
func Bare(c *Context, y *V) string {
	if s, ok := y.Simple(); ok {
		return display.FormatBare(s, c.Precision)
	}
	return Plain(y, c.Precision)
}

// format is monadic ⍕.
func format(c *Context, y *V) (*V, error) {
	if y.Kind == value.Char {
		return y, nil
	}
	if s, ok := y.Simple(); ok {
		return value.From(display.FormatArray(s, c.Precision)), nil
	}
	if f := planes(y); f != nil {
		return f, nil
	}
	if err := Shown(y); err != nil {
		return nil, err
	}
	return value.From(display.FormatNested(nested(y), c.Precision)), nil
}

// formatBy is dyadic ⍕.
func formatBy(_ *Context, x, y *V) (*V, error) {
	by, err := Ints(x)
	if err != nil {
		return nil, err
	}
	if x.Rank() > 1 {
		return nil, fault(diag.ArgumentRank, "widths of rank %d", x.Rank())
	}
	y = nearReals(y)
	s, ok := y.Simple()
	if !ok || y.Kind == value.Char || y.Kind == value.Complex {
		return nil, fault(diag.WrongDomain, "real numbers are needed")
	}
	r := display.FormatBy(by, s)
	if r == nil {
		return nil, fault(diag.WrongLength, "%d numbers for an array of shape %s", len(by), array.ShapeText(y.Shape))
	}
	return value.From(r), nil
}

// Named is what a reference has that shows how it is displayed.
type Named interface{ Display() string }

// planes returns the display of a reference that is an array of rank 2 or more, or nil.
func planes(y *V) *V {
	if n, ok := y.Ref.(*value.Namespace); ok && n.Form != nil && n.Form.Rank() > 1 {
		return n.Form
	}
	return nil
}

// nested is y as its display sees it.
func nested(y *V) *display.Nested {
	if f := planes(y); f != nil {
		return nested(f)
	}
	if y.Ref != nil {
		text := "?"
		if n, ok := y.Ref.(Named); ok {
			text = n.Display()
		}
		return &display.Nested{Text: text}
	}
	if s, ok := y.Simple(); ok {
		return &display.Nested{Simple: s}
	}
	x := &display.Nested{Shape: y.Shape, Items: make([]*display.Nested, len(y.Items))}
	for i, item := range y.Items {
		if d, ok := item.Ref.(value.Deep); ok {
			item = value.Text(d.Short())
		}
		x.Items[i] = nested(item)
	}
	return x
}
