package syntax

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/internal/repo"
)

// roundTrip prints a program, parses that, and prints it again: both texts are equal.
func roundTrip(t *testing.T, text string) {
	p, err := Parse(diag.NewSource("a", text))
	if err != nil {
		return
	}
	printed := Print(p)
	q, err := Parse(diag.NewSource("b", printed))
	require.NoError(t, err, "%s\nbecame\n%s", text, printed)
	assert.Equal(t, printed, Print(q), text)
}

func programs(t testing.TB) []string {
	files, err := filepath.Glob(filepath.Join(repo.Root(), "testdata", "fcl", "*.fcl"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	all := []string{
		"fun f x = - (-x) - -1 * (x - (2 - 3))",
		"fun f x = (x < 1) == (2 <= x) && !(x > 3 || x != 4)",
		"fun f x = x |> g |> (fn y => y |> h)",
		"fun f<l m> (a, (b, _)) () = g<1+l m> a (b < 2) h<thread> 3",
		"fun f x = do { y <- g x; let z = y a = z; (p, _) <- h a; let q = 2 in q }",
		"fun f x = let g<l> y = y in if x <-1 then let a = 1 in a else (fn _ => x) (if true then 1.5e-3 else 2e9)",
		"fun f x = (+) x ((<<) 1 2) >> 3 << #BlockSize % 2",
		"sig f : forall <l> 'a : NUM 'b. (('a -> 'b) -> ()) -> [[('a, bool)]<2+l>] -> Program<l> ('a -> 'b)",
		"sig f : forall 'a. [['a -> 'a]2]3 -> Program<grid> ['a]8",
	}
	for _, f := range files {
		text, err := os.ReadFile(f)
		require.NoError(t, err)
		all = append(all, string(text))
	}
	return all
}

func TestRoundTrip(t *testing.T) {
	for _, text := range programs(t) {
		_, err := Parse(diag.NewSource("a", text))
		require.NoError(t, err, text)
		roundTrip(t, text)
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range programs(f) {
		f.Add(text)
	}
	f.Fuzz(roundTrip)
}

// TestTrees holds what the parser makes of a text, with all parentheses that its tree has.
func TestTrees(t *testing.T) {
	for text, want := range map[string]string{
		"1 + 2 * 3 - 4":               "((1 + (2 * 3)) - 4)",
		"f x (g y) |> h 1":            "(((f x) (g y)) |> (h 1))",
		"x <-1":                       "(x < (-1))",
		"f<block> x":                  "(f<block> x)",
		"x < block":                   "(x < block)",
		"a < b >> 1":                  "(a < (b >> 1))",
		"-f x * y":                    "((-(f x)) * y)",
		"g fn x => x + 1":             "(g (fn x => (x + 1)))",
		"1 << 2 == 3 && true || f":    "((((1 << 2) == 3) && true) || f)",
		"if a then b else c + d":      "(if a then b else (c + d))",
		"let x = f y z = x + 1 in z":  "(let x = (f y) in (let z = (x + 1) in z))",
		"do<grid> { x <- f; g x }":    "(do<grid> { x <- f; (g x) })",
		"f (reduce <1+l> g) ((a), b)": "((f (reduce<1+l> g)) (a, b))",
	} {
		p, err := Parse(diag.NewSource("", "fun main = "+text))
		require.NoError(t, err, text)
		assert.Equal(t, want, full(p.Funs[0].Body), text)
	}
}

// full writes an expression with all parentheses, on one line.
func full(e Expr) string {
	switch e := e.(type) {
	case *Apply:
		return "(" + full(e.Fn) + " " + full(e.Arg) + ")"
	case *Binary:
		return "(" + full(e.Left) + " " + e.Op + " " + full(e.Right) + ")"
	case *Unary:
		return "(" + e.Op + full(e.X) + ")"
	case *Fn:
		return "(fn " + e.Param.String() + " => " + full(e.Body) + ")"
	case *If:
		return "(if " + full(e.Cond) + " then " + full(e.Then) + " else " + full(e.Else) + ")"
	case *Let:
		return "(let " + e.Pattern.String() + " = " + full(e.Value) + " in " + full(e.Body) + ")"
	case *Do:
		text := "(do<" + e.Level.String() + "> { "
		for _, s := range e.Steps {
			text += s.Pattern.String() + " <- " + full(s.Value) + "; "
		}
		return text + full(e.Last) + " })"
	case *Tuple:
		text := ""
		for _, item := range e.Items {
			text += ", " + full(item)
		}
		return "(" + text[2:] + ")"
	}
	return Text(e)
}

// TestErrors holds the headlines of faulty programs.
func TestErrors(t *testing.T) {
	for text, want := range map[string]string{
		"fun f x = (1 + 2":       `a:1:17: SYNTAX ERROR: ")" is expected after what stands in parentheses, not the end of the program`,
		"fun f x = x < 1 < 2":    `a:1:17: SYNTAX ERROR: comparisons do not chain: put one of them into parentheses`,
		"fun f x":                `a:1:8: SYNTAX ERROR: a name or a tuple of names is expected, not the end of the program`,
		"fun f x = 1 $ 2":        `a:1:13: SYNTAX ERROR: there is no symbol '$'`,
		"fun f x = let y = 1":    `a:1:20: SYNTAX ERROR: "in" is expected after the bindings of a let, not the end of the program`,
		"f x = 1":                `a:1:1: SYNTAX ERROR: "fun" or "sig" is expected, not "f"`,
		"fun f = do { g; h }":    `a:1:15: SYNTAX ERROR: only the last step of a do is an expression: bind its result, as in _ <- e`,
		"sig f : ['a]9":          `a:1:13: SYNTAX ERROR: an array has 1 to 8 axes, not 9`,
		"sig f : forall 'a ['a]": `a:1:19: SYNTAX ERROR: a variable or "." is expected in a forall, not "["`,
		"fun f = \xff":           "a:1:9: SYNTAX ERROR: the source is not UTF-8",
	} {
		_, err := Parse(diag.NewSource("a", text))
		if assert.Error(t, err, text) {
			assert.Equal(t, want, err.Error(), text)
		}
	}
}
