package prim

import (
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/interp/value"
)

// TextOf returns the characters of a vector or a scalar.
func TextOf(y *V, what string) (string, error) {
	if y.Kind == value.Mixed && len(y.Shape) == 0 && y.Ref == nil {
		y = y.Items[0]
	}
	if y.Rank() > 1 {
		return "", Errorf(diag.ArgumentRank, "%s is an array of rank %d", what, y.Rank())
	}
	if y.Kind != value.Char && y.Len() > 0 {
		return "", Errorf(diag.WrongDomain, "%s is no text", what)
	}
	return string(y.Chars), nil
}
