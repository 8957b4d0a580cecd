// Package syntax holds the external syntax of FCL: its tree, scanner, parser and
// printer. FCL is the hierarchical language for GPUs of M. Dybdal's thesis (Array
// abstractions for GPU programming, 2017, chapter 5).
//
// In: a source text. Out: a tree whose nodes have spans, or diagnostics. Parse of what
// Print writes gives the same tree.
//
//	program  = { signature | function }
//	signature= "sig" name ":" [ "forall" { "<" { level variable } ">" | type variable [ ":" kind ] } "." ] type
//	function = "fun" name [ "<" { level variable } ">" ] { pattern } "=" expr
//	type     = operand [ "->" type ]
//	operand  = name | 'a | "(" [ type { "," type } ] ")" | "[" type "]" [ "<" level ">" | number ]
//	         | "Program" "<" level ">" operand
//	level    = "Z" | "thread" | "warp" | "block" | "grid" | name | number "+" level
//	expr     = operators over applications; from weak to strong:
//	           |>   ||   &&   == != < <= > >= (one of them)   << >>   + -   * / %   - ! (one operand)
//	atom     = number | "true" | "false" | name [ "<" { level } ">" ] | "#" name | "(" operator ")"
//	         | "(" [ expr { "," expr } ] ")" | "do" [ "<" level ">" ] "{" { step ";" } expr "}"
//	         | "fn" pattern "=>" expr | "let" { binding } "in" expr | "if" expr "then" expr "else" expr
//	binding  = name [ "<" { level variable } ">" ] { pattern } "=" expr | pattern "=" expr
//	step     = pattern "<-" expr | "let" { binding }
//	pattern  = name | "_" | "(" [ pattern { "," pattern } ] ")"
//
// A name is letters, digits, quotes and underscores, or ⍺ or ⍵, which are the arguments of
// a body that stands in APL. Comments go from "--" to the end of the line. A name before "<" has level arguments
// where a list of levels and ">" follow; comparisons do not chain, so no program
// means anything else. Bindings of a let after the first, when they follow without another
// let, are of the form name = expr.
package syntax
