package gradual

import (
	"errors"

	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/interp"
)

// impure is the error of a unit that has effects.
type impure struct{ where diag.Span }

func (impure) Error() string { return "it has effects" }

// unstored is the error of a unit of which a result cannot come out.
type unstored struct{ result int }

func (unstored) Error() string { return errNested.Error() }

// unfit returns for what a unit has no type, if it has none.
func unfit(u *interp.Unit) error {
	_, _, err := attempt(u)
	return blame(u, err)
}

// blame returns an error of a unit as one that says for what it cannot be compiled, where that is
// known.
func blame(u *interp.Unit, err error) error {
	var list diag.List
	var effect impure
	var result unstored
	switch {
	case errors.As(err, &result):
		return &interp.Unfit{Result: result.result}
	case errors.As(err, &effect):
		return within(u, err, effect.where)
	case errors.As(err, &list):
		places := []diag.Span{list[0].Span}
		for _, n := range list[0].Notes {
			places = append(places, n.Span)
		}
		return within(u, err, places...)
	}
	return err
}

// within returns an error as that of the first of some places that lies in the text of a unit.
func within(u *interp.Unit, err error, places ...diag.Span) error {
	for _, where := range places {
		if where.Src == u.Entry.Source {
			return &interp.Unfit{At: where.Start, Result: -1}
		}
	}
	return err
}
