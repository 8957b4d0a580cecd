package types

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/fcl/syntax"
	"github.com/tailor-lang/tailor/internal/diag"
)

// infer returns the type of the last function of a program.
func infer(t *testing.T, text string) (string, error) {
	p, err := syntax.Parse(diag.NewSource("a", text))
	require.NoError(t, err, text)
	s, err := NewScope(nil, p)
	if err != nil {
		return "", err
	}
	info := NewInfo()
	for _, g := range s.Order {
		if err := Infer(g, info); err != nil {
			return "", err
		}
	}
	return s.Order[len(s.Order)-1].Scheme.String(), nil
}

func TestBuiltins(t *testing.T) {
	for _, b := range Builtins {
		if b.Op[0] >= 'a' && b.Op[0] <= 'z' {
			got, err := infer(t, "fun f = "+b.Op)
			require.NoError(t, err, b.Op)
			assert.NotEmpty(t, got, b.Op)
		}
		assert.NotEmpty(t, b.Doc, b.Op)
	}
	assert.Len(t, BuiltinSchemes(), len(Builtins))
}

func TestInfer(t *testing.T) {
	for text, want := range map[string]string{
		"fun f x = x":                          "forall 'a : TYP. 'a -> 'a",
		"fun f x = x + 1":                      "forall 'a : NUM. 'a -> 'a",
		"fun f x = x + 1.5":                    "forall 'a : FLOAT. 'a -> 'a",
		"fun f x y = x % y < 1":                "forall 'a : INT. 'a -> 'a -> bool",
		"fun f arr = push arr":                 "forall <l> 'a : BT. ['a] -> ['a]<l>",
		"fun f arr = return (push<block> arr)": "forall <l> 'a : BT. ['a] -> Program<l> ['a]<block>",
		"fun f arr = do { x <- force (push arr); return (index x 0) }":                          "forall <l> 'a : BT. ['a] -> Program<l> 'a",
		"fun f n arr = interleave n (fn (i, j) => i * n + j) arr":                               "forall <l> 'a : BT. int -> [Program<l> ['a]<l>] -> Program<1+l> ['a]<1+l>",
		"fun f<m> g x = power<1+m> 2 g x":                                                       "forall <m> 'a : BT. (['a] -> Program<1+m> ['a]<1+m>) -> Program<1+m> ['a]<1+m> -> Program<1+m> ['a]",
		"fun f n p = do<block> { a <- interleave n snd p; return a }":                           "forall 'a : BT. int -> [Program<thread> ['a]<thread>] -> Program<block> ['a]<block>",
		"fun f n p = interleave<warp> n snd p":                                                  "forall 'a : BT. int -> [Program<warp> ['a]<warp>] -> Program<block> ['a]<block>",
		"fun f = let g x = (x, x) in (g 1, g true)":                                             "forall 'a : NUM. (('a, 'a), (bool, bool))",
		"fun f = let p<l> a = push<l> a in fn a => (p<block> a, p<grid> a)":                     "forall 'a : BT. ['a] -> (['a]<block>, ['a]<grid>)",
		"fun f x = let (a, _) = x in if a then fst x else snd x":                                "(bool, bool) -> bool",
		"sig f : forall 'a. ['a] -> ['a]<grid>\nfun f x = push x":                               "forall 'a : BT. ['a] -> ['a]<grid>",
		"sig f : 'b -> int\nfun f x = length (generate 1 (fn _ => x))":                          "forall 'b. 'b -> int",
		"fun g x = h x\nfun h x = x + 1\nfun f x = g (i32 x)":                                   "forall 'a : SCALAR. 'a -> i32",
		"sig f : forall 'a. ['a]2 -> [int]\nfun f ((h, w), _) = generate h (fn _ => w)":         "forall 'a : TYP. ['a]2 -> [int]",
		"fun f<l> a = do<l> { return<l> ((length a, length a), fn (y, x) => index a (y + x)) }": "forall <l> 'a. ['a] -> Program<l> ['a]2",
		"fun f = (+)": "forall 'a : NUM. 'a -> 'a -> 'a",
	} {
		got, err := infer(t, text)
		if assert.NoError(t, err, text) {
			assert.Equal(t, want, got, text)
		}
	}
}

// TestErrors walks programs without a type. The place of the error is marked.
func TestErrors(t *testing.T) {
	for text, want := range map[string]string{
		"fun f = length «1»": `argument 1 of "length" has type number, but must be ['a]`,
		"fun f = «g»":        `there is no function or variable "g"`,
		"fun f x = «x» x":    `"x" is applied, but is no function`,
		"fun «f» x = f x":    `"f" calls itself: FCL has no recursion; use power, while or seqfor`,
		"fun f a = «if true then a else push<block> (map fst a)»":           "the branches of an if have types [('a, 'b)] and ['a]<block>",
		"fun f a = «if true then length else length»":                       "the branches of an if must be scalars and tuples of scalars, and this is ['a] -> int",
		"fun f a = «1 + true»":                                              `"+" takes two numbers of one type, not number and bool`,
		"fun f a = «(1 < 2) && 3»":                                          `"&&" takes two of bool, not bool and number`,
		"fun f a = force<block> «(push<grid> a)»":                           `argument 1 of "force" has type ['a]<grid>, but must be ['a]<block>`,
		"fun f a = force<«blok»> (push a)":                                  `there is no level "blok"; the levels are thread, warp, block, grid, and the level variables of the function`,
		"fun f a = «length<block>» a":                                       `"length" takes 0 levels, not 1`,
		"sig f : forall 'a. 'a -> int\nfun f x = «x»":                       `the body of "f" has type 'a, but its signature says int`,
		"sig f : forall <l> 'a. ['a] -> ['a]<l>\nfun f x = «push<block> x»": `the body of "f" has type ['a]<block>, but its signature says ['a]<l>`,
		"sig f : forall 'a. «'b» -> int\nfun f x = 1":                       `the forall does not bind 'b`,
		"sig f : «string» -> int\nfun f x = 1":                              `there is no type "string"; the scalar types are bool, i8, i16, i32, int, float and double`,
		"sig «g» : int\nfun f x = 1":                                        `there is no function "g" for this signature`,
		"fun f = 1 fun «f» = 2":                                             `"f" is defined twice`,
		"fun f a = index a «1.5»":                                           `argument 2 of "index" has type double, but must be int`,
		"fun f a = do<block> { x <- «force<grid> (push a)»; return x }":     "a step of do<block> is a program at this level, but this has type Program<grid> ['a]",
		"sig f : forall 'a. [«'a -> 'a»] -> int\nfun f x = 1":               "elements of a pull array are any type but functions, not 'a -> 'a",
	} {
		start := strings.Index(text, "«")
		end := strings.Index(text, "»") - len("«")
		_, err := infer(t, strings.NewReplacer("«", "", "»", "").Replace(text))
		var e *diag.Error
		if assert.ErrorAs(t, err, &e, text) {
			assert.Equal(t, want, e.Message, text)
			assert.Equal(t, [2]int{start, end}, [2]int{e.Span.Start, e.Span.End}, text)
		}
	}
}
