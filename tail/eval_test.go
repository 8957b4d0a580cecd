package tail

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/tailor-lang/tailor/internal/display"
)

// evalText runs a program in the text form and returns what it printed,
// followed by the display of its values, or by the fault.
func evalText(t *testing.T, src string) string {
	t.Helper()
	p, err := ParseText(src)
	require.NoError(t, err, src)
	var out bytes.Buffer
	values, err := evalMain(p, &Env{Stdout: &out, Args: []string{"one", "two"}, MaxDepth: 1000})
	if err != nil {
		return out.String() + err.Error()
	}
	for _, v := range values {
		out.WriteString(display.Format(v, 10))
	}
	return out.String()
}

// evalCases has, an op, programs and what they give.
type evalCase struct{ src, want string }

func runCases(t *testing.T, cases []evalCase) {
	for _, c := range cases {
		assert.Equal(t, strings.TrimSuffix(c.want, "\n"), strings.TrimSuffix(evalText(t, c.src), "\n"), c.src)
	}
}

func TestEvalSmoke(t *testing.T) {
	runCases(t, []evalCase{
		{figure31, "¯27.870466"},
		{`addi(1,2)`, "3"},
		{`reduce(subi,0,iota(5))`, "3"},
		{`scan(subi,iota(5))`, "1 ¯1 2 ¯2 3"},
		{`reduce1(fn (a:int, b:int) => addi(a,muli(2,b)),[1,2,3])`, "17"},
		{`addi(9223372036854775807,1)`, "DOMAIN ERROR: integer overflow"},
		{`let x:[int]1 = [3,4,5] in let y:[int]1 = x in let z:[int]1 = update(x,2,9) in (x,y,z)`, "3 4 5\n3 4 5\n3 9 5"},
		{`outer(muli,iota(3),iota(4))`, "1 2 3  4\n2 4 6  8\n3 6 9 12"},
		{`inner(addi,muli,0,reshape([2,3],iota(6)),reshape([3,2],iota(6)))`, "22 28\n49 64"},
		{figure36, "65780"},
	})
}
