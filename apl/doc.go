// Package apl reads APL: it turns source text into a syntax tree in which
// nothing is left to interpretation.
//
// In goes a diag.Source; out comes a *Program, or a diag.List of every fault
// found (a fault ends its statement, not the reading). The dialect is Dyalog's
// dfns APL; grammar.md beside this file is the grammar. The tree guarantees:
//
//   - every node has a span, and the text under it is what the node was read
//     from;
//   - every name is classified: a use is a *Var, a *FuncName or an *OpName, and
//     what it refers to was assigned before it in this body, or anywhere in an
//     enclosing one. A name keeps one class in one body;
//   - bindings are resolved: brackets, strands, operators with their operands,
//     trains, arguments and assignments, from the strongest to the weakest. /
//     ⌿ \ ⍀ are *Prim where they are functions and *PrimOp where they are
//     operators;
//   - glyphs are canonical (∊ for ∈), system names are in upper case, literals
//     are arrays. A number without decimal point whose value is integral and
//     fits 64 bits is an int (5, 1E6); every other one is a double (5., 0.5,
//     1E20) or complex. A literal of one number or one character is a scalar;
//   - the tree is at most 10,000 nodes high, and brackets nest at most 1,000
//     deep, so it may be walked recursively;
//   - Text(Parse(s)) parses to a tree that is Equal to Parse(s).
//
// Whether ⍺⍺ and ⍵⍵ are functions or arrays depends on the operands that an
// operator is applied to. A *Dop is read with functions where that is
// possible; Dop.Reading gives the other readings. ⍺ is an array even where
// `⍺←⊢` gives it a function as its default: `⍺ f ⍵` is then a *Dyadic that
// means ⍺ (f ⍵), that is f ⍵, when there is no left argument.
//
// Reading takes time linear in the source. It never panics on any input; what
// is correct APL but not in the dialect (branches, control structures,
// traditional functions, namespaces, keyboard input, array
// notation) is refused by name with an error of kind Unsupported.
//
// For `life←{(n=3)∨⍵∧4=n←⊃+/(¯1 0 1)∘.⊖(¯1 0 1)∘.⌽⊂⍵}`, `tailor emit ast` shows
// what Dump writes: a FuncDef whose Dfn holds a Dyadic ∨, whose right side is
// a Dyadic ∧, and so on down to the Derived of ∘. and ⊖.
package apl
