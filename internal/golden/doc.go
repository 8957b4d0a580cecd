// Package golden runs programs through every route and compares what they
// print: the evaluator on TAIL as inference makes it, the evaluator after every
// pass of the optimiser, and C. The evaluator before optimisation is the
// oracle; the others must print the same characters and end with the same
// message and exit status.
//
// Cases are .txtar files with the sections
//
//	program.apl  the program
//	args         its command-line arguments, one a line (optional)
//	stdout       what it prints
//	stderr       how it fails (optional)
//	tail         its TAIL after optimisation (optional)
//	stats        counts of loops, nests, allocations and functions (optional)
//
// The exit status follows from stderr: the message says what kind of error it
// is. Run the tests with -update to rewrite the sections.
package golden
