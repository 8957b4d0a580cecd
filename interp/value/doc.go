// Package value holds the arrays that the interpreter computes with: of any
// rank and depth, with elements of one type or of several.
//
// An Array keeps a simple array of one type in a slice of that type, and every
// other array as Items. It is guaranteed that an array with Items is not a
// simple one of one type: those who make arrays from items call FromItems, which
// finds the narrowest form. Arrays are values: nobody writes to one that somebody
// else can see.
package value
