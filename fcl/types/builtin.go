package types

import (
	"fmt"
	"sync"

	"github.com/tailor-lang/tailor/fcl/syntax"
	"github.com/tailor-lang/tailor/internal/diag"
)

// Builtin is a built-in operator. Op is the name, Type its scheme in the syntax of
// signatures.
type Builtin struct {
	Op, Type, Doc string
}

// Builtins are the operators of figures 5.4 and 5.5, and more.
var Builtins = []Builtin{
	{"fst", "forall 'a : TYP 'b : TYP. ('a, 'b) -> 'a", "the first item of a pair"},
	{"snd", "forall 'a : TYP 'b : TYP. ('a, 'b) -> 'b", "the second item of a pair"},
	{"length", "forall 'a : GT. ['a] -> int", "the number of elements of a pull array"},
	{"lengthPush", "forall <l> 'a : BT. ['a]<l> -> int", "the number of elements of a push array"},
	{"map", "forall 'a : GT 'b : GT. ('a -> 'b) -> ['a] -> ['b]", "a function of every element"},
	{"mapPush", "forall <l> 'a : BT 'b : BT. ('a -> 'b) -> ['a]<l> -> ['b]<l>", "a function of every element of a push array"},
	{"mapPushIx", "forall <l> 'a : BT 'b : BT. (int -> 'a -> 'b) -> ['a]<l> -> ['b]<l>", "a function of the place and every element of a push array"},
	{"generate", "forall 'a : GT. int -> (int -> 'a) -> ['a]", "the pull array of a length whose element i is a function of i"},
	{"index", "forall 'a : GT. ['a] -> int -> 'a", "an element; a fault where there is none"},
	{"push", "forall <l> 'a : BT. ['a] -> ['a]<l>", "a pull array with the iteration scheme of a level"},
	{"force", "forall <l> 'a : BT. ['a]<l> -> Program<l> ['a]", "computes the elements, and stores them in the level's memory"},
	{"return", "forall <l> 'a : TYP. 'a -> Program<l> 'a", "the program that does nothing and gives a value"},
	{"bind", "forall <l> 'a : TYP 'b : TYP. Program<l> 'a -> ('a -> Program<l> 'b) -> Program<l> 'b", "a program, and then another one that gets its value"},
	{"interleave", "forall <l> 'a : BT. int -> ((int, int) -> int) -> [Program<l> ['a]<l>] -> Program<1+l> ['a]<1+l>", "runs programs side by side one level below; element j of the i-th goes to place f (i, j); each has as many elements as the first argument says"},
	{"interleaveSeq", "forall <l> 'a : BT. int -> ((int, int) -> int) -> [Program<l> ['a]<l>] -> Program<l> ['a]<l>", "interleave, with the programs one after the other at the same level"},
	{"assemble", "forall <l> 'a : BT. int -> ((int, int) -> int) -> [Program<l> ['a]<l>] -> Program<1+l> ['a]<1+l>", "interleave of programs with any number of elements each; the first argument is the length of the whole"},
	{"assembleSeq", "forall <l> 'a : BT. int -> ((int, int) -> int) -> [Program<l> ['a]<l>] -> Program<l> ['a]<l>", "assemble, with the programs one after the other at the same level"},
	{"choose", "forall <l> 'a : BT. bool -> Program<l> ['a]<l> -> Program<l> ['a]<l> -> Program<l> ['a]<l>", "the first program where a condition holds, and the second one elsewhere; both give arrays of one length"},
	{"power", "forall <l> 'a : BT. int -> (['a] -> Program<l> ['a]<l>) -> Program<l> ['a]<l> -> Program<l> ['a]", "a step that is repeated; arrays must not grow"},
	{"poweri", "forall <l> 'a : BT. int -> (int -> ['a] -> Program<l> ['a]<l>) -> Program<l> ['a]<l> -> Program<l> ['a]", "power, whose step gets the number of the repetition, too"},
	{"while", "forall <l> 'a : BT. (['a] -> bool) -> (['a] -> Program<l> ['a]<l>) -> Program<l> ['a]<l> -> Program<l> ['a]", "a step that is repeated as long as a condition on the array holds; arrays must not grow"},
	{"seqfor", "forall 'a : BT. int -> int -> ((int -> 'a) -> int -> (int, 'a)) -> ['a]<thread>", "an array of a length that a loop of so many iterations writes: each gives a place and an element, and may read what was written before"},
	{"seqforInit", "forall 'a : BT. ['a]<thread> -> int -> ((int -> 'a) -> int -> (int, 'a)) -> ['a]<thread>", "seqfor that begins with the elements of an array"},
	{"seqmap", "forall 's : BT 'a : BT. ['s]<thread> -> int -> ((int -> 's) -> int -> (int, 's, 'a)) -> ['a]<thread>", "the elements that a loop of so many iterations gives, which has an array of its own, at first that of the first argument: each may read that, writes one element of it, and gives one"},
	{"loop", "forall 's : GT. int -> (int -> 's -> 's) -> 's -> 's", "a value that so many steps have changed, one after the other: each gets its number, and what the one before gave"},
	{"until", "forall 's : GT. ('s -> bool) -> ('s -> 's) -> 's -> 's", "a value that a step has changed until a condition holds for it"},
	{"place", "forall <l> 'a : BT. int -> [(bool, int, 'a)]<l> -> ['a]<l>", "the array of a length that has each element at the place that stands before it, but for those where false stands before that"},
	{"accumulate", "forall <l>. (i32 -> i32 -> i32) -> i32 -> int -> [(bool, int, i32)]<l> -> Program<l> [i32]", "an array of a length, full of a number at first; where true stands before them, the elements join the number behind each place to that there, in any order, by a function that is one of +, min, max, bitAnd, bitOr and bitXor"},
	{"table", "int -> (int -> int) -> (int -> int -> Program<thread> bool) -> int -> Program<grid> [i32]", "the hash table of some numbers 0 … n-1 in at least so many slots, a power of 2 above n, by a function that gives the hash of a number and one that says whether two are the same: a slot is 0, or 1 more than the least of some numbers that are the same; these are in the first slot from their hash on that is theirs, and no slot before it is 0"},

	{"+", "forall 'a : NUM. 'a -> 'a -> 'a", "the sum; integers wrap"},
	{"-", "forall 'a : NUM. 'a -> 'a -> 'a", "the difference"},
	{"*", "forall 'a : NUM. 'a -> 'a -> 'a", "the product"},
	{"/", "forall 'a : NUM. 'a -> 'a -> 'a", "the quotient, of integers towards zero; a fault where an integer is divided by 0"},
	{"%", "forall 'a : INT. 'a -> 'a -> 'a", "the remainder of /, with the sign of the dividend"},
	{"<<", "forall 'a : INT. 'a -> 'a -> 'a", "bits to the left; the count is taken modulo the width"},
	{">>", "forall 'a : INT. 'a -> 'a -> 'a", "bits to the right, with the sign; the count is taken modulo the width"},
	{"<", "forall 'a : NUM. 'a -> 'a -> bool", "less"},
	{"<=", "forall 'a : NUM. 'a -> 'a -> bool", "less or equal"},
	{">", "forall 'a : NUM. 'a -> 'a -> bool", "greater"},
	{">=", "forall 'a : NUM. 'a -> 'a -> bool", "greater or equal"},
	{"==", "forall 'a : SCALAR. 'a -> 'a -> bool", "equal"},
	{"!=", "forall 'a : SCALAR. 'a -> 'a -> bool", "not equal"},
	{"&&", "bool -> bool -> bool", "and; the right operand is looked at only where the left one is true"},
	{"||", "bool -> bool -> bool", "or; the right operand is looked at only where the left one is false"},
	{"not", "bool -> bool", "the other truth value; also !"},
	{"neg", "forall 'a : NUM. 'a -> 'a", "the negative; also -"},
	{"min", "forall 'a : NUM. 'a -> 'a -> 'a", "the smaller one"},
	{"max", "forall 'a : NUM. 'a -> 'a -> 'a", "the larger one"},
	{"abs", "forall 'a : NUM. 'a -> 'a", "the magnitude"},
	{"bitAnd", "forall 'a : INT. 'a -> 'a -> 'a", "and of bits"},
	{"bitOr", "forall 'a : INT. 'a -> 'a -> 'a", "or of bits"},
	{"bitXor", "forall 'a : INT. 'a -> 'a -> 'a", "exclusive or of bits"},
	{"sqrt", "forall 'a : FLOAT. 'a -> 'a", "the square root"},
	{"exp", "forall 'a : FLOAT. 'a -> 'a", "e to the power"},
	{"log", "forall 'a : FLOAT. 'a -> 'a", "the natural logarithm"},
	{"sin", "forall 'a : FLOAT. 'a -> 'a", "the sine"},
	{"cos", "forall 'a : FLOAT. 'a -> 'a", "the cosine"},
	{"pow", "forall 'a : FLOAT. 'a -> 'a -> 'a", "the power"},
	{"floor", "forall 'a : FLOAT. 'a -> 'a", "the next whole number below"},
	{"bits", "double -> int", "the number that has the bits of a double"},
	{"bool", "forall 'a : SCALAR. 'a -> bool", "whether a number is not 0"},
	{"i8", "forall 'a : SCALAR. 'a -> i8", "conversion; integers wrap, fractions are cut"},
	{"i16", "forall 'a : SCALAR. 'a -> i16", "conversion"},
	{"i32", "forall 'a : SCALAR. 'a -> i32", "conversion"},
	{"int", "forall 'a : SCALAR. 'a -> int", "conversion"},
	{"float", "forall 'a : SCALAR. 'a -> float", "conversion"},
	{"double", "forall 'a : SCALAR. 'a -> double", "conversion"},
}

// BuiltinSchemes returns the scheme of every built-in operator.
var BuiltinSchemes = sync.OnceValue(func() map[string]*Scheme {
	all := make(map[string]*Scheme, len(Builtins))
	for _, b := range Builtins {
		p, err := syntax.Parse(diag.NewSource("", "sig x : "+b.Type))
		if err != nil {
			panic(fmt.Sprintf("types: %s: %v", b.Op, err))
		}
		scheme, fault := signature(p.Sigs[0])
		if fault != nil {
			panic(fmt.Sprintf("types: %s: %v", b.Op, fault))
		}
		all[b.Op] = scheme
	}
	return all
})
