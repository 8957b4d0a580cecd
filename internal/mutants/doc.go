// Package mutants tests the tests: it plants the faults of mutants.txt into a
// copy of the sources, one at a time, and says which of them the tests do not
// find. Its test runs where TAILOR_TEST_MUTANTS is set, to all or to a part of
// the names of faults (make test-mutants).
package mutants
