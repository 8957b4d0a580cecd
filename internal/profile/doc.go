// Package profile says where a program spends its time and memory, by lines of its
// source.
//
// What comes in is counted while the program runs: by a Meter in the evaluator and the
// interpreter, by cgen/rt/profile.c in compiled programs, whose file Read reads. What
// goes out is a Profile, which is written as a table or as JSON.
//
//	line  share              time    runs    bytes  allocs
//	   2  ███████▍    93%  81.0 ms       1    80 MB       1  x←?1e7⍴0
//	   3  ·                                                  y←x×x
//	   4  ▌            6%   5.3 ms       1                   s←+/y
//
// The time of a line is its own: that of the functions that it calls is theirs. Lines
// without numbers have no code of their own: they are computed in one pass with others.
package profile
