// Package options has the options that ⍠ gives to system functions.
package options

import (
	"strings"

	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/interp/prim"
	"github.com/tailor-lang/tailor/interp/value"
)

// Set is the options that ⍠ gives to a function.
type Set map[string]*value.Array

// With sets options: a name and a value, pairs of them, or the value of the
// principal option alone. Names are those that there are, the principal one first.
func (o Set) With(given *value.Array, names string) (Set, error) {
	all := strings.Fields(names)
	pairs := []*value.Array{given}
	switch {
	case IsPair(given):
	case given.Kind == value.Mixed && given.Rank() == 1 && given.Len() > 0 && IsPair(given.Items[0]):
		pairs = given.Items
	default:
		pairs = []*value.Array{value.Vector(value.Text(all[0]), given)}
	}
	out := Set{}
	for k, v := range o {
		out[k] = v
	}
	for _, p := range pairs {
		if !IsPair(p) {
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

// IsPair reports whether v is the name of an option and a value.
func IsPair(v *value.Array) bool {
	return v.Rank() == 1 && v.Len() == 2 && v.Kind == value.Mixed && v.Items[0].Kind == value.Char && v.Items[0].Rank() == 1
}

// Number returns an option that is an integer.
func (o Set) Number(name string, otherwise int) (int, error) {
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

// Flag returns an option that is 0 or 1.
func (o Set) Flag(name string, otherwise bool) (bool, error) {
	n, err := o.Number(name, -1)
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

// Word returns an option that is one of some words.
func (o Set) Word(name string, words ...string) (string, error) {
	v := o[name]
	if v == nil {
		return words[0], nil
	}
	s, err := prim.TextOf(v, "the option "+name)
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

// Character returns an option that is a character or empty: 0.
func (o Set) Character(name string, otherwise rune) (rune, error) {
	v := o[name]
	if v == nil {
		return otherwise, nil
	}
	s, err := prim.TextOf(v, "the option "+name)
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

// Text returns an option that is a text, "" where it is not given.
func (o Set) Text(name string) (string, error) {
	if o[name] == nil {
		return "", nil
	}
	return prim.TextOf(o[name], "the option "+name)
}
