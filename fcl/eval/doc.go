// Package eval gives FCL programs their meaning: it is the dynamic semantics of the
// thesis (section 5.3.3) as an evaluator, and the oracle of the generated code.
//
// In: functions that package types has inferred, and data. Out: values, a Count of what
// the run cost, or a fault at a place of the source.
//
// Pull arrays are a length and a function of the place. Push arrays are a length and a
// function that writes. Programs are functions that run. Work has a place in the hierarchy:
// a group, a work-item of it, and a lane; push<l> gives each element a place of its own at
// level l, and interleave each of its programs. Two places that write one element
// of an array are a race, and a fault, as are elements that nobody writes, and indices
// outside an array.
//
// Division of an integer by zero is a fault. Operands are evaluated from left to right, but for the right
// ones of && and ||, and the branches of if, which are evaluated where they are needed.
package eval
