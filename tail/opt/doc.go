// Package opt makes programs of TAIL faster. The passes are a table (passes), in the
// order in which they run; each keeps what the program prints, its faults included, and
// the types (tail.Check runs after every pass in tests).
//
//   - General passes: simplify with its laws, constfold, copyprop, cse with naming,
//     deadcode, hoist, inline, params.
//   - Loops and recursion: loops makes loops of functions that call themselves last,
//     or add up the results of such calls (accumulate.go), or of those that call themselves
//     a known number of times (unwind.go); powers counts their steps, flat makes their state
//     one tuple of what changes, planes cuts their state into parts, results and states keep
//     truth values in it, and initials reads from it what it began with.
//   - Narrower elements: truths, integers, bits.
//   - Lengths: lengths computes those of items before the items, as far as sizer finds
//     them; runs finds the runs of a mask.
package opt
