// Package session holds the state between lines of APL, whoever types them: a
// terminal (internal/repl), a page (internal/play) or a notebook (internal/kernel).
//
// A Session takes lines of APL and commands and gives what they show, as text or, to
// those that can draw, as values with their types. Names keep their values from line to
// line: a line is a program of its own in which the arrays of earlier lines are
// constants, or parameters where a compiler takes part (compile.go), and their functions
// are defined again, so that redefining a function re-types what uses it. What has no
// static type the interpreter runs (dynamic.go).
package session
