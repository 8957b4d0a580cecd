// Package coverage makes docs/coverage.md: what of the language is compiled,
// interpreted and refused, counted against the table of glyphs. The rows come from
// the tables of the front end; whether a row is exercised comes from the cases under
// testdata/expr and testdata/interp, whose programs are parsed and searched for the
// form. The conformance tests run the former through the evaluator, the optimiser,
// C and the interpreter, and the latter through the interpreter; the tests of this
// package run what is said not to be compiled and compare the messages, and fail when
// the page is stale.
package coverage
