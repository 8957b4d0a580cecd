package interp

import (
	"strings"

	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/interp/prim"
	"github.com/tailor-lang/tailor/interp/value"
)

// options are the options that ⍠ gives to a function.
type options map[string]*V

// variant is a row of the table of system functions that take options: their names,
// the principal one first.
type variant struct {
	call  func(in *Interp, o options, x, y *V) (*V, error)
	names string
}

// configured is a system function with options.
type configured struct {
	row     *variant
	options options
}

func (c *configured) Call(in *Interp, x, y *V) (*V, error) { return c.row.call(in, c.options, x, y) }

func (c *configured) with(given *V) (Function, error) {
	o, err := c.options.with(given, c.row.names)
	return &configured{c.row, o}, err
}

// with sets options: a name and a value, pairs of them, or the value of the
// principal option alone. Names are those that there are, the principal one first.
func (o options) with(given *V, names string) (options, error) {
	all := strings.Fields(names)
	pairs := []*V{given}
	switch {
	case isPair(given):
	case given.Kind == value.Mixed && given.Rank() == 1 && given.Len() > 0 && isPair(given.Items[0]):
		pairs = given.Items
	default:
		pairs = []*V{value.Vector(value.Text(all[0]), given)}
	}
	out := options{}
	for k, v := range o {
		out[k] = v
	}
	for _, p := range pairs {
		if !isPair(p) {
			return nil, prim.Errorf(diag.WrongDomain, "an option is a name and a value")
		}
		name := string(p.Item(0).Chars)
		if !strings.Contains(" "+names+" ", " "+name+" ") {
			return nil, prim.Errorf(diag.WrongDomain, "there is no option %s", name)
		}
		out[name] = p.Item(1)
	}
	return out, nil
}

// isPair reports whether v is the name of an option and a value.
func isPair(v *V) bool {
	return v.Rank() == 1 && v.Len() == 2 && v.Kind == value.Mixed && v.Items[0].Kind == value.Char && v.Items[0].Rank() == 1
}

// number returns an option that is an integer.
func (o options) number(name string, otherwise int) (int, error) {
	v := o[name]
	if v == nil {
		return otherwise, nil
	}
	n, err := prim.Whole(v)
	if err != nil {
		return 0, prim.Errorf(diag.WrongDomain, "the option %s is a number", name)
	}
	return n, nil
}

// flag returns an option that is 0 or 1.
func (o options) flag(name string, otherwise bool) (bool, error) {
	n, err := o.number(name, -1)
	switch {
	case err != nil:
		return false, err
	case n == -1 && o[name] == nil:
		return otherwise, nil
	case n != 0 && n != 1:
		return false, prim.Errorf(diag.WrongDomain, "the option %s is 0 or 1", name)
	}
	return n == 1, nil
}

// word returns an option that is one of some words.
func (o options) word(name string, words ...string) (string, error) {
	v := o[name]
	if v == nil {
		return words[0], nil
	}
	s, err := text(v, "the option "+name)
	if err != nil {
		return "", err
	}
	for _, w := range words {
		if s == w {
			return s, nil
		}
	}
	return "", prim.Errorf(diag.WrongDomain, "the option %s is one of %s", name, strings.Join(words, ", "))
}

// character returns an option that is a character or empty: 0.
func (o options) character(name string, otherwise rune) (rune, error) {
	v := o[name]
	if v == nil {
		return otherwise, nil
	}
	s, err := text(v, "the option "+name)
	r := []rune(s)
	switch {
	case err != nil:
		return 0, err
	case len(r) == 0:
		return 0, nil
	case len(r) > 1:
		return 0, prim.Errorf(diag.WrongLength, "the option %s is one character", name)
	}
	return r[0], nil
}
