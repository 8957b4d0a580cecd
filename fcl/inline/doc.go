// Package inline handles FCL that stands in the comments of an APL program: the body of a
// dfn for the device.
//
//	dot←{ ⍝fcl: zipWith (*) ⍺ ⍵ |> reduce (+) 0
//	    ⍺+.×⍵
//	}
//
// In: an apl.Program. Out: its bodies; for each a verdict: the types for which it stands for
// the dfn, and the errors. A body is an expression of ⍺ and ⍵, or a program with a function
// main. It has the dfn's types: for every type of the arguments that it takes, the result is
// that of the dfn, or both types are an error. It has its meaning: both give the same for
// small arguments, or arguments for which they differ are an error.
//
// Arrays of APL are these of FCL: scalars and vectors are scalars and pull arrays; a matrix is
// an array of two axes, ['a]2, or, as all arrays of a higher rank, its extents and its elements,
// ((rows, cols), elements). Elements are bool, int and double.
package inline
