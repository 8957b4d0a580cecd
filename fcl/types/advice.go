package types

import (
	"fmt"
	"maps"
	"slices"

	"github.com/tailor-lang/tailor/fcl/syntax"
	"github.com/tailor-lang/tailor/internal/diag"
)

// foreign says how to write what other languages have names for.
var foreign = map[string]string{
	"and": "&& is and", "or": "|| is or", "mod": "% is the remainder", "div": "/ of integers goes towards zero",
	"fold": "foldl, reduceBlock and reduce are folds of a thread, a block and the grid", "filter": "compress flags arr keeps elements",
	"sum": "reduce (+) 0 is the sum of the grid",
}

// unknown fails at a name that nothing has.
func (in *inferrer) unknown(env *scope, e *syntax.Name) {
	fault := diag.Errorf(diag.UnknownName, e.At, "there is no function or variable %q", e.Name)
	names := slices.Collect(maps.Keys(BuiltinSchemes()))
	for s := in.current.Scope; s != nil; s = s.Outer {
		names = slices.AppendSeq(names, maps.Keys(s.Globals))
	}
	for ; env != nil; env = env.outer {
		names = append(names, env.name)
	}
	if fault.Fix = foreign[e.Name]; fault.Fix == "" {
		fault.Fix = diag.DidYouMean(e.Name, names)
	}
	panic(fault)
}

// Advice returns how to make what is needed of a value of another type, or "".
func Advice(given, needed Type) string { return newNamer().advice(given, needed) }

// advice returns how to make what is needed of a value of another type, or "". It goes into arrays,
// programs and results of functions to where the types differ.
func (n *namer) advice(given, needed Type) string {
	given, needed = Find(given), Find(needed)
	switch from := given.(type) {
	case *Fun:
		if to, ok := needed.(*Fun); ok {
			return n.advice(from.To, to.To)
		}
		return fmt.Sprintf("this is a function, which takes %s", diag.Count(Arity(from), "argument", "arguments"))
	case *Program:
		if to, ok := needed.(*Program); ok {
			return n.programs(from, to)
		}
		return fmt.Sprintf("a step x <- p of a do<%s> runs a program p and names its result x", n.level(from.Level))
	case *Pull:
		if rank, _ := Axes(needed); rank == 2 {
			return "matrix (rows, columns) a is the array of two axes with the elements of a"
		}
	}
	switch to := needed.(type) {
	case *Program:
		if c := (&unifier{}).unify(given, to.Of); c != fits {
			return n.advice(given, to.Of)
		}
		return fmt.Sprintf("return<%s> x is the program that gives x", n.level(to.Level))
	case *Push:
		switch from := given.(type) {
		case *Pull:
			return fmt.Sprintf("push<%s> makes a push array of a pull array", n.level(to.Level))
		case *Push:
			if (&unifier{}).unify(from.Elem, to.Elem) == fits {
				return fmt.Sprintf("push<%s> makes a push array of level %[1]s; this one has level %s", n.level(to.Level), n.level(from.Level))
			}
			return n.advice(from.Elem, to.Elem)
		}
	case *Pull:
		switch from := given.(type) {
		case *Pull:
			return n.advice(from.Elem, to.Elem)
		case *Push:
			return fmt.Sprintf("a step x <- force<%s> p of a do stores a push array p, and x is a pull array", n.level(from.Level))
		}
		if rank, _ := Axes(given); rank == 2 {
			return "elements makes a pull array of an array of two axes; its own functions are map2, zipWith2, index2 and others"
		}
	case *Var:
		if from, ok := given.(Scalar); ok && from.IsInt() && to.Kind == FLOAT {
			return n.advice(from, Double)
		}
	case Scalar:
		if from, ok := given.(Scalar); ok && from != to && from != Bool && to != Bool {
			return fmt.Sprintf("%s x converts a number x", to)
		}
	}
	return ""
}

// laterArgument returns which argument behind that of a number a type fits, or "". Types that are variables
// fit all, and do not count.
func laterArgument(arg, rest Type, number int) string {
	for f, ok := Find(rest).(*Fun); ok; f, ok = Find(f.To).(*Fun) {
		number++
		if _, free := Find(f.From).(*Var); !free && (&unifier{}).unify(arg, f.From) == fits {
			return fmt.Sprintf("it fits argument %d; arguments are missing, or in another order", number)
		}
	}
	return ""
}

// programs returns how to make a program of another one, of another level or result.
func (n *namer) programs(from, to *Program) string {
	l, m := FindLevel(from.Level), FindLevel(to.Level)
	up := m.Plus - l.Plus
	if l.Var != m.Var || up == 0 {
		return n.advice(from.Of, to.Of)
	}
	if up < 0 {
		return fmt.Sprintf("a program of level %s does not run within one of level %s", n.level(l), n.level(m))
	}
	return fmt.Sprintf("concat<%s>, interleave<%[1]s> and their like make a program of the level above of an array of programs of level %[1]s", n.level(l))
}

// operandAdvice is the advice on an operand of an operator: a number with a sign is no argument where a
// function stands before it.
func (n *namer) operandAdvice(e *syntax.Binary, operand, needed Type) string {
	if _, ok := Find(operand).(*Fun); ok && e.Op == "-" {
		if _, ok := e.Right.(*syntax.Number); ok {
			return fmt.Sprintf("an argument that is negative stands in parentheses: (-%s)", syntax.Text(e.Right))
		}
	}
	return n.advice(operand, needed)
}

// branchAdvice says how to choose between two values that are no scalars.
func branchAdvice(t Type) string {
	switch Find(t).(type) {
	case *Program, *Push:
		return "choose c p q is one of two programs, which give push arrays"
	case *Pull:
		return "choose elements: generate n (fn i => if c then index a i else index b i)"
	}
	return ""
}
