package laila

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tailor-lang/tailor/laila/arith"
	"github.com/tailor-lang/tailor/laila/flow"
	"github.com/tailor-lang/tailor/laila/idiom"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/loop"
	"github.com/tailor-lang/tailor/laila/memory"
	"github.com/tailor-lang/tailor/laila/pass"
	"github.com/tailor-lang/tailor/laila/place"
	"github.com/tailor-lang/tailor/laila/updates"
	"github.com/tailor-lang/tailor/tail"
)

// entry is a step of the lowering that makes programs faster and that can be
// left out: without it they compute the same. Its name is no name of a pass of
// package tail.
//
// A pass without a function acts while arrays become loops, or within another
// pass: what it does asks for it by name (pass.Context.On). The others rewrite the
// program, each all functions before the next one begins, and what they leave is
// well-formed (ir.Check).
type entry struct {
	name, doc string
	on        targets
	relaxed   bool   // runs only where results may differ in their last digits
	always    bool   // cannot be left out, and is not listed
	within    string // the pass that asks for it
	sweeps    bool   // leaves dead code, which is dropped
	run       func(c *pass.Context, f *ir.Func)
	whole     func(c *pass.Context) // in place of run, for one of all functions at once
}

// targets is a set of targets.
type targets uint8

func setOf(list ...pass.Target) targets {
	var set targets
	for _, t := range list {
		set |= 1 << t
	}
	return set
}

var (
	onAll     = setOf(pass.Anywhere, pass.CPU, pass.CPUKernels, pass.GPUKernels)
	onCPU     = setOf(pass.CPU)
	onVectors = setOf(pass.CPU, pass.CPUKernels) // what becomes vector code of a CPU
)

// passes are the passes in their order: those that act while arrays become loops,
// then those over the loops.
var passes = []entry{
	{name: "delay", on: onAll, doc: "compute named arrays where they are used, not where they are named"},
	{name: "share", on: onAll, doc: "compute an array once for several uses in one nest, in registers"},
	{name: "recompute", on: onAll, doc: "compute cheap elements again at each of few uses"},
	{name: "knowledge", on: onAll, doc: "use what guards and tests of extents say about indices"},
	{name: "versions", on: onCPU, doc: "continue the body of a loop in two versions where a reshape may keep the number of elements"},
	{name: "split", on: onAll, doc: "split index sets where the body of a loop tests the indices"},
	{name: "pieces", on: onCPU, doc: "run pieces of a split index set at once where they read the same elements"},
	{name: "draws", on: onAll, doc: "make random numbers of their places, not one after the other"},
	{name: "narrow", on: onAll, doc: "store integers in as few bytes as their range needs"},
	{name: "bytes", on: onCPU, doc: "store characters below 256 in bytes; compile what follows the reading of a text for them, too"},
	{name: "member", on: onAll, doc: "test for membership in few constants, and look up numbers in few, by comparisons"},
	{name: "ranged", on: onCPU, doc: "look integers and characters up in tables over the range of what is searched, where it is small"},
	{name: "halves", on: onAll, doc: "search in ascending vectors by halves where the places are used, in the same steps for all elements"},
	{name: "marks", on: onCPU, doc: "mark which of the elements that are looked for a computed table has, and store none of it"},
	{name: "patterns", on: onAll, doc: "compare with short patterns where ⍷ looks for them in vectors"},
	{name: "first", on: onAll, doc: "look for the first element that passes a test up to there, and store no tests"},
	{name: "nearest", on: onCPU, doc: "find the nearest of few points by approximate distances, and by exact ones only where these do not decide"},
	{name: "order", on: onCPU, doc: "sort by a grade where it is made, and not by a look-up of each element"},
	{name: "network", on: onCPU, doc: "sort few integers by exchanges that are the same for all points of a nest"},
	{name: "filter", on: onCPU, doc: "keep elements of vectors by words of masks"},
	{name: "pointwise", on: onAll, doc: "run all steps of a ⍣ that works by elements on one group of elements after the other"},
	{name: "selections", on: onAll, doc: "choose between finite numbers where they are multiplied by truth values and added, in the steps of a ⍣"},
	{name: "counted", on: onAll, doc: "make a loop over a range of a loop that ends when a number that grows by 1 reaches a limit"},
	{name: "steps", on: onAll, doc: "compute scalars to which every step of a loop adds a constant from the number of the step"},
	{name: "unroll", on: onVectors, doc: "reduce short axes of scalars by an expression"},
	{name: "neighbours", on: onAll, doc: "reduce small windows that move with a loop by expressions, and store none of them"},
	{name: "sliding", on: onCPU, doc: "make sums of wide windows of integers from those of the windows before"},
	{name: "blocks", on: onCPU, doc: "compute large inner products in packed blocks that stay in the caches, their tiles in registers"},
	{name: "thin", on: onAll, doc: "compute small inner products of long axes in one pass over these"},
	{name: "groups", on: onAll, doc: "sum groups of rows in one pass where a matrix says which row is in which group"},
	{name: "panels", on: onCPU, doc: "sum the columns of large matrices a panel at a time"},
	{name: "rotate", on: onAll, doc: "exchange arrays of a loop's state that become each other instead of copying them"},
	{name: "cuts", on: onCPU, doc: "pass parts of stored vectors to functions where they are, and do not copy them"},
	{name: "circuits", on: onAll, sweeps: true, run: memory.CopyCircuits, doc: "compute arrays where they are copied to"},
	{name: "parts", on: onAll, sweeps: true, run: arith.Parts, doc: "compute real and imaginary parts of complex numbers as doubles"},
	{name: "fuse", on: onAll, sweeps: true, run: place.FuseNests, doc: "join nests over one space, so that arrays between them need not be stored"},
	{name: "remake", on: onAll, sweeps: true, run: place.Remake, doc: "compute elements of vectors again where that costs less than memory"},
	{name: "producers", on: onAll, run: onFuncs(place.Producers), doc: "compute elements of a matrix in the one reduction that uses them"},
	{name: "streams", on: onCPU, sweeps: true, run: place.Streams, doc: "run maps, scans, filters and reductions that read each other's elements a strip at a time, and store no more of them"},
	{name: "circuits", on: onAll, sweeps: true, run: memory.Circuits},
	{name: "ends", on: onCPU, sweeps: true, run: memory.Ends, doc: "let arrays of a loop's state grow and shrink at their ends where they are"},
	{name: "state", on: onCPU, sweeps: true, run: loop.States, doc: "run loops over arrays of integers on copies in 16 or 32 bits while their values fit"},
	{name: "variables", on: onAll, sweeps: true, run: memory.Variables, doc: "keep the elements of small arrays that change hands, at constant places, in variables"},
	{name: "circuits", on: onAll, sweeps: true, run: memory.Circuits},
	{name: "inplace", on: onCPU, sweeps: true, run: memory.InPlace, doc: "store the next value of an array of a loop's state over the old one"},
	{name: "factors", on: onAll, sweeps: true, run: arith.Factors, doc: "leave out products by 0, 1 and ¯1 and terms 0 that constant arrays give"},
	{name: "tables", on: onAll, sweeps: true, run: arith.Tables, doc: "bound the elements of arrays of integers that loops update one by one, and store them in few bytes"},
	{name: "bounds", on: onCPU, sweeps: true, run: arith.Bounds, doc: "bound integers, and the elements of arrays, by all that they are set to, and store these in few bytes"},
	{name: "sumtests", on: onCPU, sweeps: true, run: onNests(arith.HoistSumTests), doc: "test sums for overflow by the magnitudes of their terms, and each step only where these do not decide"},
	{name: "abreast", on: onCPU, run: place.Abreast, doc: "update tables in one loop where several loops over one range do"},
	{name: "defer", on: onCPU, run: updates.DeferUpdates, doc: "queue updates of a matrix by a row and a column, and apply several in one pass over it"},
	{name: "sums", on: onCPU, run: onNests(arith.NarrowSums), doc: "sum narrow numbers in few bits"},
	{name: "tallies", on: onCPU, within: "sums", doc: "sum truth values in bytes"},
	{name: "indices", on: onCPU, run: onNests(loop.IndexTests), doc: "note indices that are out of range, and look for the first one afterwards"},
	{name: "bittables", on: onCPU, sweeps: true, run: onNests(idiom.TableBits), doc: "split linear functions of the bits of an index into one of a block of indices and a table for the places in it"},
	{name: "distribute", on: onCPU, sweeps: true, run: loop.Distribute, doc: "compute what the steps of a loop do not compute from the steps before in loops of their own, a strip at a time"},
	{name: "lookups", on: onCPU, sweeps: true, run: loop.Lookups, doc: "look bytes up in small tables a strip at a time"},
	{name: "tabulate", on: onCPU, sweeps: true, run: arith.Tabulate, doc: "compute elementary functions of an integer of a small range once for each integer"},
	{name: "exponents", on: onCPU, sweeps: true, run: arith.Exponents, doc: "make the powers of a number in a short loop one from the other"},
	{name: "reciprocals", on: onAll, relaxed: true, run: arith.Reciprocals, doc: "multiply by reciprocals of constants, with --relaxed"},
	{name: "contraction", on: onAll, relaxed: true, sweeps: true, run: arith.Contraction, doc: "add products without rounding them before, with --relaxed"},
	{name: "indexsets", on: onVectors, sweeps: true, run: loop.IndexSets, doc: "split loops where they compare their index with what stays"},
	{name: "turned", on: onCPU, run: onNests(loop.Turned), doc: "compute transposed arrays in tiles, in the order of what they are computed from"},
	{name: "lanes", on: onVectors, run: onNests(loop.Lanes), doc: "run groups of iterations that have short loops or branches a statement at a time"},
	{name: "apart", on: onCPU, sweeps: true, run: loop.Apart, doc: "run iterations of a loop side by side where none reads or writes what another one writes"},
	{name: "reuse", on: onCPU, run: memory.Reuse, doc: "put arrays into the storage of others that are not used any more"},
	{name: "allocs", on: onAll, run: memory.HoistAllocs, doc: "allocate once what is allocated in every step of a loop"},
	{name: "wholes", on: onCPU, run: arith.Wholes, doc: "divide by constants with products that give the same digits"},
	{name: "crossings", on: onCPU, run: onNests(loop.Crossings), doc: "read arrays across their rows, as transpositions do, in blocks that stay in the first cache"},
	{name: "widths", on: onVectors, run: arith.Widths, doc: "compute integers of loops in 32 bits where their ranges allow"},
	{name: "widths", on: onVectors, run: arith.Widths},
	{name: "breaks", on: onCPU, run: onFuncs(loop.Breaks), doc: "leave a loop where it is decided that it ends"},
	{name: "contraction", on: onAll, relaxed: true, run: arith.Accumulations},
	{name: "frees", on: onAll, always: true, run: onFuncs(flow.MoveFrees), doc: "free buffers behind their last uses"},
	{name: "stack", on: onAll, run: onFuncs(memory.Stacked), doc: "keep small arrays whose storage does not change hands in the stack frame"},
	{name: "handover", on: onCPU, whole: memory.Handover, doc: "give functions the arguments that the caller does not need any more, and copies their storage"},
}

// onNests makes a pass of a function that rewrites the bodies of functions, onFuncs of
// one of functions.
func onNests(rewrite func(*pass.Context, []ir.Stmt) []ir.Stmt) func(*pass.Context, *ir.Func) {
	return func(c *pass.Context, f *ir.Func) { f.Body = rewrite(c, f.Body) }
}

func onFuncs(rewrite func(*ir.Func)) func(*pass.Context, *ir.Func) {
	return func(_ *pass.Context, f *ir.Func) { rewrite(f) }
}

// Passes returns the names of the passes and what they do, in their order.
func Passes() (names, docs []string) {
	for _, p := range passes {
		if p.doc != "" && !p.always {
			names, docs = append(names, p.name), append(docs, p.doc)
		}
	}
	return names, docs
}

// Rewrites returns the names of the passes that Options.After sees.
func Rewrites() []string {
	var names []string
	for _, p := range passes {
		if (p.run != nil || p.whole != nil) && !slices.Contains(names, p.name) {
			names = append(names, p.name)
		}
	}
	return names
}

// runs reports whether the options ask for a pass.
func (o *Options) runs(p entry) bool {
	return p.always || p.on&setOf(o.Target) != 0 && (!p.relaxed || o.Relaxed) && !o.Skip[p.name]
}

// pipeline is a program on its way through the passes, with the options.
type pipeline struct {
	*pass.Context
	opts Options
}

// newPipeline makes what p becomes; there are no loops in it yet.
func newPipeline(p *tail.Program, o Options) *pipeline {
	out := &ir.Program{Source: p.Source, PP: o.PP, CT: p.CT}
	c := pass.NewContext(out, o.Target)
	c.Relaxed, c.Threads = o.Relaxed, o.Threads
	return &pipeline{Context: c, opts: o}
}

// enable notes which passes act while arrays become loops and within others.
func (l *pipeline) enable() {
	for _, p := range passes {
		l.Enabled[p.name] = l.opts.runs(p) && (p.run != nil || l.begins(p))
	}
}

// begins asks whether a pass is to run.
func (l *pipeline) begins(p entry) bool {
	return p.always || l.opts.Before == nil || l.opts.Before(p.name)
}

// dropDead removes dead code, but for the extents of the arrays of a loop's state.
func (l *pipeline) dropDead() {
	extents := map[ir.Stmt][]ir.Expr{}
	for loop, info := range l.Loops {
		for _, a := range info.Arrays {
			extents[loop] = append(extents[loop], a.Dims...)
		}
	}
	l.each(func(f *ir.Func) { flow.DropDead(f, extents) })
}

// rewrite runs the passes over the loops of all functions.
func (l *pipeline) rewrite() {
	l.verify("the making")
	l.dropDead()
	l.verify("dead code")
	for _, p := range passes {
		switch {
		case p.whole != nil && l.On(p.name):
			p.whole(l.Context)
		case p.run != nil && l.opts.runs(p) && l.begins(p):
			l.each(func(f *ir.Func) { p.run(l.Context, f) })
		default:
			continue
		}
		if p.sweeps {
			l.dropDead()
		}
		l.verify(p.name)
		if l.opts.After != nil {
			l.opts.After(p.name, l.Out)
		}
	}
}

// each calls do with every function.
func (l *pipeline) each(do func(f *ir.Func)) {
	for _, f := range l.Out.Funcs {
		do(f)
	}
	do(l.Out.Main)
}

// verify panics with a checkError where the program is not well-formed after a
// pass, if the options ask for that.
func (l *pipeline) verify(pass string) {
	if !l.opts.Verify {
		return
	}
	if err := ir.Check(l.Out); err != nil {
		panic(&checkError{fmt.Errorf("internal error: after %s of loops: %s", pass, strings.TrimPrefix(err.Error(), "internal error: "))})
	}
}

// checkError leaves a lowering.
type checkError struct{ error }
