// Package elements says what one element of an array in TAIL is computed from: it
// follows variables, transpositions, functions of elements and of cells from an element
// at indices that stand for all places of an axis.
//
//	(∘.-⍨x)[i;j]  is  x[i] - x[j]
//
// Passes that look for a formula, as nearest points or repeated rows, compare elements
// in place of the ways to write them.
package elements
