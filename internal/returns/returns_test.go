package returns

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/tailor-lang/tailor/tail"
)

func TestFollows(t *testing.T) {
	n, m, k := tail.VarSize("n"), tail.VarSize("m"), tail.VarSize("k")
	one := constant(1)
	assert.True(t, follows(nil, n), "variables are natural numbers")
	assert.False(t, follows(nil, minus(n, one)))
	assert.True(t, follows([]tail.Size{minus(n, m), minus(m, one)}, minus(n, one)), "n≥m, m≥1")
	assert.False(t, follows([]tail.Size{minus(n, m)}, minus(n, one)))
	assert.True(t, follows([]tail.Size{minus(n, m), minus(m, n), minus(m, k)}, minus(n, k)), "n=m, m≥k")
	assert.True(t, follows([]tail.Size{minus(n.Times(2), constant(5))}, minus(n, constant(2))), "2×n≥5")
	assert.False(t, follows([]tail.Size{minus(n.Times(2), constant(5))}, minus(n, constant(4))))
	assert.True(t, follows([]tail.Size{minus(constant(3), plus(n, m)), minus(n, constant(3))}, minus(constant(0), m)), "n+m≤3, n≥3")
	assert.True(t, contradict([]tail.Size{minus(n, one), minus(constant(0), n)}))
	assert.False(t, contradict([]tail.Size{minus(n, one), minus(constant(1), n)}))
}
