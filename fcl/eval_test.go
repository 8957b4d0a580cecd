package fcl

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/fcl/eval"
	"github.com/tailor-lang/tailor/internal/diag"
)

// value runs a program without arguments.
func value(t *testing.T, text string) (string, eval.Count, error) {
	p, err := Load(diag.NewSource("a", text))
	if err != nil {
		require.FailNow(t, text, err.(*diag.Error).Render())
	}
	v, c, err := p.Run(nil, DefaultParams)
	return eval.Text(v), c, err
}

func TestScalars(t *testing.T) {
	for text, want := range map[string]string{
		"7 / -2":                                 "-3",
		"-7 % 3":                                 "-1",
		"i8 127 + 1":                             "-128",
		"1 << 65":                                "2",
		"-8 >> 1":                                "-4",
		"i32 2.9":                                "2",
		"(i64 2.9, f64 1 / 4.0, f32 0.1)":        "(2, 0.25, 0.1)",
		"i8 1000.0":                              "127",
		"int (0.0 / 0.0)":                        "0",
		"float 0.1":                              "0.1",
		"double (float 0.1)":                     "0.10000000149011612",
		"1.0 / 0.0":                              "+Inf",
		"(min 2 3, max 2.0 3.0)":                 "(2, 3.0)",
		"true && (false || !false)":              "true",
		"bitXor 5 3 + bitAnd 5 3":                "7",
		"abs (-3) + length (iota 4)":             "7",
		"false && 1 / 0 == 0":                    "false",
		"if true then 1 else 1 / 0":              "1",
		"(fn (a, (b, _)) => a - b) (5, (3, ()))": "2",
		"loop 5 (fn i => fn (a, b) => (b, a + b * i)) (0, 1)":               "(7, 30)",
		"loop (-1) (fn i => fn s => s + 1) 3":                               "3",
		"until (fn s => s > 100) (fn s => s * 3) 1":                         "243",
		"index (loop 3 (fn i => fn a => map (fn x => x + i) a) (iota 2)) 1": "4",
		"sqrt 2.25 + pow 2.0 3.0 + floor (-0.5)":                            "8.5",
	} {
		got, _, err := value(t, "fun main = "+text)
		if assert.NoError(t, err, text) {
			assert.Equal(t, want, got, text)
		}
	}
}

// TestFaults walks the faults of the evaluator.
func TestFaults(t *testing.T) {
	for text, want := range map[string]string{
		"1 / (1 - 1)":                  "DOMAIN ERROR: an integer is divided by 0",
		"index (iota 3) 3":             "INDEX ERROR: there is no element 3 in an array of 3 elements",
		"generate (0 - 1) (fn i => i)": "DOMAIN ERROR: an array of -1 elements",
		"push<grid> (iota 3) |> fn p => interleave<block> 2 (fn _ => 0) (generate 1 (fn _ => return<block> (push<block> (iota 2))))":                  "DOMAIN ERROR: race: element 0 is written by work-item 0 of group 0 and by work-item 1 of group 0",
		"interleave<block> 1 (fn _ => 0) (generate 2 (fn i => return<block> (push<block> (replicate 1 i))))":                                          "DOMAIN ERROR: race: element 0 is written by work-item 0 of group 0 and by work-item 0 of group 1",
		"interleave<block> 1 (fn (i, _) => 2 * i) (generate 2 (fn i => return<block> (push<block> (iota 1))))":                                        "INDEX ERROR: element 0 of program 1 goes to place 2, and there are 2",
		"assemble<block> 3 fst (generate 2 (fn i => return<block> (push<block> (iota 1))))":                                                           "DOMAIN ERROR: element 2 of 3 is never written",
		"interleave<block> 2 fst (generate 2 (fn i => return<block> (push<block> (iota 1))))":                                                         "LENGTH ERROR: program 0 makes 1 element, not 2",
		"do<grid> { a <- power<grid> 1 (fn a => return<grid> (push<grid> (append a a))) (return<grid> (push<grid> (iota 2))); return<grid> a }":       "LENGTH ERROR: a step makes 4 elements of an array that began with 2",
		"concat<block> 1 (generate 1 (fn _ => concat<thread> 1 (generate 1 (fn _ => return<thread> (seqfor 1 1 (fn read => fn i => (0, read 0)))))))": "DOMAIN ERROR: element 0 is read before it is written",
		"#Tile": "VALUE ERROR: #Tile has no value: give it one by --param Tile=VALUE",
	} {
		_, _, err := value(t, "fun main = "+text)
		var e *diag.Error
		if assert.ErrorAs(t, err, &e, text) {
			assert.Equal(t, want, e.Kind().String()+": "+e.Message, text)
			assert.True(t, e.RunTime && e.Span.Valid(), text)
		}
	}
}

// TestCount holds what a reduction by blocks costs: each block of 8 reads 8 elements, and
// stores 4, 2 and 1 in local memory, with a barrier after each.
func TestCount(t *testing.T) {
	_, c, err := value(t, `
fun step<l> arr =
  let (x, y) = halve arr in return<l> (push<l> (zipWith (+) x y))
fun sum arr =
  do<block> { a <- while<block> (fn a => length a != 1) step (step<block> arr); return<block> (push<block> a) }
fun main =
  do<grid> { arr <- force<grid> (push<grid> (iota 32)); splitUp 8 arr |> map sum |> concat 1 }`)
	require.NoError(t, err)
	assert.Equal(t, eval.Count{
		Kernels: 2, Barriers: 4 * 3,
		Read:    [3]int64{0, 4 * (4 + 2 + 1) * 8, 32 * 8},
		Written: [3]int64{0, 4 * (4 + 2 + 1) * 8, (32 + 4) * 8},
	}, c)
}

// TestData reads arguments as they are written on the command line.
func TestData(t *testing.T) {
	for text, want := range map[string]string{
		"3": "3", "-2.5": "-2.5", "true": "true", "[1, 2,3]": "[1, 2, 3]", "[]": "[]", "[1, 2.5]": "[1.0, 2.5]", "[true false]": "[true, false]",
		"x": "", "[1": "", "1 2": "", "[1, true]": "",
	} {
		d, err := ReadData(text)
		if want == "" {
			assert.Error(t, err, text)
			continue
		}
		require.NoError(t, err, text)
		elem, ok := d.fit(d.Type())
		assert.True(t, ok, text)
		assert.Equal(t, want, eval.Text(d.value(elem)), text)
	}
}

// TestLevels runs mains whose levels are variables, which are grid, and refuses those
// that are of another level.
func TestLevels(t *testing.T) {
	got, _, err := value(t, "fun main = return (push (iota 3))")
	require.NoError(t, err)
	assert.Equal(t, "[0, 1, 2]", got)
	for _, text := range []string{"fun main = push<block> (iota 3)", "fun main = return<thread> 1", "fun main = (1, return<grid> (push<block> (iota 1)))"} {
		_, _, err := value(t, text)
		assert.ErrorContains(t, err, "only what is of level grid can be run", text)
	}
}
