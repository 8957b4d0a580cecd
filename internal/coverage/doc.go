// Package coverage makes docs/coverage.md: what of the language is compiled,
// counted against the table of glyphs. The rows come from the tables of the
// front end; whether a row is exercised comes from the cases under
// testdata/expr, whose programs are parsed and searched for the form. The
// conformance tests run these cases through the evaluator, the optimiser and
// C; the tests of this package run what is said to be refused and compare the
// messages, and fail when the page is stale.
package coverage
