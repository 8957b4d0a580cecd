// Package repl is the interactive session.
//
// A Session takes lines of APL and commands and writes what they show; it knows
// nothing of terminals. Names keep their values from line to line: a line is a
// program of its own in which the arrays of earlier lines are constants, or parameters
// where a compiler takes part (compile.go), and
// their functions are defined again, so that redefining a function re-types
// what uses it. Run reads lines from a terminal, with glyph entry, history and
// completion, or from a pipe.
package repl
