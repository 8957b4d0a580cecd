package apl

import (
	"bufio"
	"fmt"
	"io"
	"reflect"
	"strings"

	"github.com/tailor-lang/tailor/internal/diag"
)

// Dump writes the tree of a node, one node a line, indented by depth: the
// field of its parent that holds it, its type, its flags, its text where that
// says more than its children, and its span as line:column-line:column.
func Dump(w io.Writer, n Node) error {
	d := &dumper{w: bufio.NewWriter(w)}
	d.node("", n, 0)
	return d.w.Flush()
}

type dumper struct{ w *bufio.Writer }

func (d *dumper) node(field string, n Node, depth int) {
	v := reflect.ValueOf(n).Elem()
	d.w.WriteString(strings.Repeat("  ", depth))
	if field != "" {
		fmt.Fprintf(d.w, "%s: ", field)
	}
	d.w.WriteString(v.Type().Name())
	d.attributes(n, v)
	if s := n.Span(); s.Valid() {
		fmt.Fprintf(d.w, "  %s", extent(s))
	}
	d.w.WriteByte('\n')
	for i := range v.NumField() {
		if f := v.Type().Field(i); f.IsExported() && !f.Anonymous {
			d.children(f.Name, v.Field(i), depth+1)
		}
	}
}

// attributes writes what a node says without its children.
func (d *dumper) attributes(n Node, v reflect.Value) {
	switch n := n.(type) {
	case *Literal, *Var, *Prim, *FuncName, *PrimOp, *OpName, *Name, *NameTarget:
		fmt.Fprintf(d.w, " %s", Text(n))
	case *IndexTarget:
		fmt.Fprintf(d.w, " %s", n.Ident)
	case *Annotation:
		fmt.Fprintf(d.w, " %s", n.Text)
	case *Control:
		fmt.Fprintf(d.w, " %s", n.Word)
	}
	for i := range v.NumField() {
		if f := v.Type().Field(i); f.IsExported() && f.Type.Kind() == reflect.Bool && v.Field(i).Bool() {
			fmt.Fprintf(d.w, " %s", f.Name)
		}
	}
}

// children writes the nodes in a field.
func (d *dumper) children(field string, v reflect.Value, depth int) {
	switch x := v.Interface().(type) {
	case Node:
		if !v.IsNil() {
			d.node(field, x, depth)
		}
	case Operand:
		if x.Func != nil {
			d.node(field, x.Func, depth)
		} else if x.Array != nil {
			d.node(field, x.Array, depth)
		}
	default:
		if v.Kind() != reflect.Slice {
			return
		}
		for i := range v.Len() {
			if v.Index(i).IsNil() {
				fmt.Fprintf(d.w, "%s%s: all\n", strings.Repeat("  ", depth), field)
				continue
			}
			d.children(field, v.Index(i), depth)
		}
	}
}

// extent returns line:column-line:column of a span; the end is behind it.
func extent(s diag.Span) string {
	l1, c1 := s.Src.Position(s.Start)
	l2, c2 := s.Src.Position(s.End)
	return fmt.Sprintf("%d:%d-%d:%d", l1, c1, l2, c2)
}
