package library

import (
	"fmt"
	"strings"
)

// dyadic reports whether the function has a left argument in Dyalog; several
// arrays of a strand are the right one.
func (i *Instance) dyadic() bool { return len(i.Of.params) == 2 && len(i.Args) == 2 }

// DyalogHeader returns the header of the covering function, without the result.
func (i *Instance) DyalogHeader() string {
	text := i.C() + " y;out"
	if i.dyadic() {
		return "x " + text
	}
	if len(i.Args) > 1 {
		text += ";" + strings.Join(i.dyalogNames(), ";")
	}
	return text
}

func (i *Instance) dyalogNames() []string {
	var names []string
	for _, s := range i.Args {
		names = append(names, s.Name)
	}
	return names
}

// DyalogUnpack returns the statement that names the items of the right argument, or "".
func (i *Instance) DyalogUnpack() string {
	if i.dyadic() || len(i.Args) == 1 {
		return ""
	}
	return "(" + strings.Join(i.dyalogNames(), " ") + ")←y"
}

// DyalogRanks returns the statement that tests the ranks of the arguments.
func (i *Instance) DyalogRanks() string {
	var tests []string
	for _, s := range i.Args {
		tests = append(tests, fmt.Sprintf("(%d=≢⍴%s)", s.Rank, s.Name))
	}
	return "'RANK ERROR'⎕SIGNAL(~" + strings.Join(tests, "∧") + ")/4"
}

// DyalogWords returns what the external function is called with, but for allocator and
// error.
func (i *Instance) DyalogWords() string {
	var words []string
	for _, s := range i.Args {
		switch {
		case s.Rank == 0:
			words = append(words, s.Name)
		case s.Few():
			words = append(words, "(,"+s.Name+")")
			for _, k := range s.Axes() {
				words = append(words, fmt.Sprintf("(%d⊃⍴%s)", k+1, s.Name))
			}
		default:
			words = append(words, "(,"+s.Name+")", "(⍴"+s.Name+")")
		}
	}
	for range i.Results {
		words = append(words, "0")
	}
	return strings.Join(words, " ")
}

// DyalogResult returns the expression of the result.
func (i *Instance) DyalogResult() string {
	var items []string
	for k, s := range i.Results {
		item := fmt.Sprintf("%d⊃out", k+2)
		if s.Rank > 0 {
			item = "Take∆ " + item
		}
		if len(i.Results) > 1 {
			item = "(" + item + ")"
		}
		items = append(items, item)
	}
	return strings.Join(items, "")
}
