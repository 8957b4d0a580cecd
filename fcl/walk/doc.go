// Package walk goes through the expressions of FCL, for the evaluator, whose values are numbers and
// arrays, and for the compiler, whose values are code.
//
// In: functions that package types has inferred, and a Meaning: what constants, conditionals and
// operators give. Out: the value of a function. Names have values, or are evaluated at each use where
// they were generalised; operands are evaluated from left to right, but for the right ones of && and ||
// and the branches of if, which the Meaning asks for.
package walk
