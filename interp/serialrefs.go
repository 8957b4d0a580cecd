package interp

import (
	"bytes"
	"encoding/binary"
	"strings"

	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/interp/prim"
	"github.com/tailor-lang/tailor/interp/value"
)

// A reference is serialised as one of these bytes in place of a kind. A namespace has a
// number, and behind its first reference its name and the names in it: arrays, and the
// lines of functions and operators.
const (
	serialSpace = 0x40 + iota
	serialRoot
	serialSession
	serialNull
	serialForm
)

// serialWriter writes arrays with references.
type serialWriter struct {
	in      *Interp
	out     *bytes.Buffer
	ids     map[*value.Namespace]int
	outside map[*value.Namespace]bool // namespaces that are not in one of the array
	at      *value.Namespace          // whose names are being written, or nil
}

// reference writes a reference.
func (w *serialWriter) reference(v *V) error {
	switch r := v.Ref.(type) {
	case *value.Namespace:
		return w.space(r)
	case *value.Null:
		w.out.WriteByte(serialNull)
		return nil
	case *functionForm:
		w.out.WriteByte(serialForm)
		w.text(r.name)
		w.text(strings.Join(r.lines, "\n"))
		return nil
	}
	return prim.Errorf(diag.WrongDomain, "the reference %s is not serialised", prim.Plain(v, 10))
}

// space writes a reference to a namespace. One that is not in the array is copied; it may
// refer to what is in the namespace around it, and to nothing else.
func (w *serialWriter) space(n *value.Namespace) error {
	switch n {
	case w.in.root:
		w.out.WriteByte(serialRoot)
		return nil
	case w.in.session:
		w.out.WriteByte(serialSession)
		return nil
	}
	w.out.WriteByte(serialSpace)
	if id, ok := w.ids[n]; ok {
		put(w.out, int64(id))
		return nil
	}
	outer := w.in.spaceOf(n, w.in.root).outer
	if w.at != nil && !w.holds(outer) {
		if w.outside[w.at] && outer != w.in.spaceOf(w.at, w.in.root).outer {
			return prim.Errorf(diag.WrongDomain, "namespace is not self contained")
		}
		w.outside[n] = true
	}
	id := len(w.ids)
	w.ids[n] = id
	put(w.out, int64(id))
	title := n.Title
	w.text(title[strings.LastIndexByte(title, '.')+1:])
	names := w.in.frameOf(n).bindings()
	put(w.out, int64(len(names)))
	at := w.at
	w.at = n
	defer func() { w.at = at }()
	for _, b := range names {
		if err := w.name(b); err != nil {
			return err
		}
	}
	return nil
}

// holds reports whether a namespace is one that is written, or inside one.
func (w *serialWriter) holds(n *value.Namespace) bool {
	for n != w.in.root {
		if _, ok := w.ids[n]; ok {
			return true
		}
		n = w.in.spaceOf(n, w.in.root).outer
	}
	return false
}

// name writes a name and its value.
func (w *serialWriter) name(b binding) error {
	w.text(b.name)
	if a, ok := b.value.(*V); ok {
		w.text("")
		return w.array(a)
	}
	lines := w.in.sourceLines(b.name, b.value)
	if lines == nil {
		return prim.Errorf(diag.WrongDomain, "%s has no source", b.name)
	}
	w.text(strings.Join(lines, "\n"))
	return nil
}

// text writes a text behind the number of its bytes.
func (w *serialWriter) text(s string) {
	put(w.out, int64(len(s)))
	w.out.WriteString(s)
}

// serialReader reads what serialWriter writes.
type serialReader struct {
	*bytes.Reader
	in     *Interp
	home   *Frame
	spaces []*value.Namespace
}

// reference reads a reference behind its byte.
func (r *serialReader) reference(kind byte) (*V, error) {
	switch kind {
	case serialRoot:
		return value.Reference(r.in.root), nil
	case serialSession:
		return r.in.specialSpace(r.home, "⎕SE"), nil
	case serialNull:
		return value.Reference(value.TheNull), nil
	case serialForm:
		name, err := r.text()
		if err != nil {
			return nil, err
		}
		lines, err := r.text()
		if err != nil {
			return nil, err
		}
		inner := r.in.frameOf(value.NewNamespace(""))
		if err := r.in.define1(inner, name, lines); err != nil {
			return nil, err
		}
		return r.in.formOf(name, inner.own(name)), nil
	}
	id, err := r.number()
	if err != nil || id < 0 || id > len(r.spaces) {
		return nil, errSerial
	}
	if id < len(r.spaces) {
		return value.Reference(r.spaces[id]), nil
	}
	title, err := r.text()
	if err != nil {
		return nil, err
	}
	if strings.HasPrefix(title, "[") {
		title = ""
	}
	n := r.in.newSpace(r.home, title)
	r.spaces = append(r.spaces, n)
	count, err := r.number()
	if err != nil {
		return nil, err
	}
	for range count {
		if err := r.name(n); err != nil {
			return nil, err
		}
	}
	return value.Reference(n), nil
}

// name reads a name of a namespace and its value.
func (r *serialReader) name(n *value.Namespace) error {
	name, err := r.text()
	if err != nil {
		return err
	}
	lines, err := r.text()
	if err != nil {
		return err
	}
	if lines != "" {
		return r.in.define1(r.in.frameOf(n), name, lines)
	}
	a, err := r.array()
	if err != nil {
		return err
	}
	if inner, ok := a.Ref.(*value.Namespace); ok && inner.Title != "" && strings.HasSuffix(inner.Title, "."+name) {
		r.in.spaceOf(inner, n).outer = n
		inner.Title = n.Path() + "." + name
	}
	r.in.frameOf(n).set(name, a)
	return nil
}

// define1 gives a name the function or the operator of a source.
func (in *Interp) define1(f *Frame, name, lines string) error {
	hide := in.hide
	defer func() { in.hide = hide }()
	got, err := fix(in, f, nil, value.Texts(strings.Split(lines, "\n")))
	if err == nil && (got.Kind != value.Char || f.own(name) == nil) {
		_, err = in.execute(f, lines)
	}
	if err != nil || f.own(name) == nil {
		return errSerial
	}
	return nil
}

func (r *serialReader) number() (int, error) {
	var k int64
	if binary.Read(r, binary.LittleEndian, &k) != nil || k < 0 || k > 1<<48 {
		return 0, errSerial
	}
	return int(k), nil
}

func (r *serialReader) text() (string, error) {
	n, err := r.number()
	if err != nil || n > r.Len() {
		return "", errSerial
	}
	b := make([]byte, n)
	_, _ = r.Read(b)
	return string(b), nil
}
