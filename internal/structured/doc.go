// Package structured makes dfns of functions with headers, and conditions and ⍣ of
// control structures, so that programs with them have static types.
//
// In goes the tree of a program; out comes a tree without headers and control words, or
// nothing where they do what no dfn does: branch into a loop, or trap errors. Every node has the span of the text that it stands for.
//
//	∇ r←sum v;x        sum←{
//	r←0                  v←⍵
//	:For x :In v         r←0
//	r←r+x                o←,v
//	:EndFor              (r z)←{(r k z)←⍵ ⋄ x←k⊃o ⋄ k←k+1 ⋄ r←r+x ⋄ r k ⍬}⍣(≢o)⊢r ⎕IO ⍬
//	∇                    r}
//
// The state of a loop is what it assigns and what is read in its next turn or behind it.
// The ⍬ in the strands keeps numbers of several types apart. What a condition changes is
// the result of a dfn with a guard for each clause; clauses that leave a loop or the
// function are guards of the dfn that they stand in. Labels and branches become conditions
// and loops first. A name that has no value on some way where it is read has a flag beside
// it, which is tested there.
//
// Names of functions with headers are dynamic: functions that they call see their locals.
// A program in which that makes a difference is left as it is. Names from outside that functions
// see which are called are assigned where they are, by ⊢, and are in no state.
package structured
