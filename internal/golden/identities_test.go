package golden

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/internal/driver"
)

// vectors and matrices are arguments for identities, by what their elements are.
var (
	vectors = map[byte][]string{
		'i': {"0⍴5", ",3", "3 ¯1 4 1 ¯5 9 2 6", "1 2", "5 5 5", "⍳12", "6 5 4 3 2 1"},
		'b': {"0⍴1", ",1", ",0", "1 0 1 1 0", "0 0 0", "1 1 1 1 1 1"},
		'n': {"0.5 ¯1.25 3 2.75", "1E10 ¯3.5"},
		'c': {"''", ",'a'", "'hello world'", "'  ab  c '", "'mississippi'"},
	}
	matrices = map[byte][]string{
		'i': {"3 4⍴5 3 ¯8 6 2", "1 1⍴7", "0 3⍴1", "3 0⍴1", "4 1⍴⍳4", "3 3⍴⍳9", "5 2⍴1 2 3 4 1 2"},
		'b': {"3 4⍴1 0 0", "0 2⍴1", "2 2⍴1", "1 5⍴0 1"},
		'n': {"2 3⍴0.5 ¯2 7.25"},
		'c': {"3 3⍴'abcabcxyz'", "2 0⍴' '", "1 4⍴'word'", "4 2⍴'ab'"},
	}
	others = map[byte][]string{
		'i': {"7", "2 2 2⍴⍳8"},
		'b': {"1"},
		'n': {"¯2.5"},
		'c': {"'q'", "2 1 2⍴'xyzw'"},
	}
)

// arguments returns the arrays of a kind, as identities.txt has it.
func arguments(kind string) (all []string) {
	elems := map[byte]string{'i': "ib", 'b': "b", 'n': "nib", 'c': "c", 'x': "ibnc"}[kind[1]]
	for _, e := range []byte(elems) {
		if kind[0] != 'm' {
			all = append(all, vectors[e]...)
		}
		if kind[0] != 'v' {
			all = append(all, matrices[e]...)
		}
		if kind[0] == 'a' {
			all = append(all, others[e]...)
		}
	}
	return all
}

// TestIdentities evaluates two expressions that mean the same for many
// arguments, of which the compiler knows the values and the lengths or not.
// What one evaluator gets wrong for all targets shows here.
func TestIdentities(t *testing.T) {
	t.Parallel()
	file, err := os.Open(filepath.Join("testdata", "identities", "identities.txt"))
	require.NoError(t, err)
	defer file.Close()
	refused, all := 0, 0
	for lines := bufio.NewScanner(file); lines.Scan(); {
		line := lines.Text()
		if strings.HasPrefix(line, "⍝") || line == "" {
			continue
		}
		kind, rule, _ := strings.Cut(line, " ")
		left, right, ok := strings.Cut(rule, " ↔ ")
		require.True(t, ok, line)
		args := arguments(kind)
		for i, y := range args {
			x := args[(i+i/3+1)%len(args)]
			for _, bind := range []string{"%s←%s\n", "%[1]s←(?(≢%[1]s)⍴1)⌿%[1]s←%[2]s\n"} {
				if strings.Contains(bind, "?") && !strings.ContainsAny(y, " ,⍴'⍳") {
					continue
				}
				given := fmt.Sprintf(bind, "Y", y)
				if strings.Contains(rule, "X") {
					given += fmt.Sprintf(bind, "X", x)
				}
				all++
				same := Evaluate(Program{Source: given + "(" + left + ")≡" + right})
				switch {
				case strings.Contains(same.Stderr, "NOT SUPPORTED"), driver.SaysGoesOn(same.Stderr):
					refused++
				case same.Status != 0: // then both fault
					for _, side := range []string{left, right} {
						if o := Evaluate(Program{Source: given + side}); o.Status == 0 {
							assert.Fail(t, "one side faults", "%s\n%s%s", line, given, same.Stderr)
							break
						}
					}
				default:
					assert.Equal(t, "1\n", same.Stdout, "%s\n%s", line, given)
				}
			}
		}
	}
	t.Logf("%d of %d refused", refused, all)
}
