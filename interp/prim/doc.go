// Package prim holds the primitive functions of APL on values of any rank and
// depth.
//
// In go one or two arrays and the state that a primitive may depend on (index
// origin, comparison tolerance, random numbers); out comes an array or a
// *diag.Error without a place, which the caller knows. The tables Monadic and
// Dyadic list the functions by their glyphs. Arguments are never written to.
//
// A primitive works on whole typed slices. Functions that move elements compute
// the places of the elements in the argument and gather them, whatever their type.
package prim
