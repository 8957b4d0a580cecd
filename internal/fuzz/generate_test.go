package fuzz

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestGenerateIsDeterministic(t *testing.T) {
	for seed := int64(0); seed < 50; seed++ {
		assert.Equal(t, Generate(seed).Text(), Generate(seed).Text())
	}
}

func TestShrinkKeepsTheFault(t *testing.T) {
	fails := func(p *Program) bool { return strings.Contains(p.Text(), "⌽") }
	for seed := int64(0); seed < 50; seed++ {
		p := Generate(seed)
		if !fails(p) {
			continue
		}
		small := Shrink(p, fails)
		assert.True(t, fails(small))
		assert.LessOrEqual(t, nodes(small.lines...), nodes(p.lines...))
	}
}

// nodes counts the nodes of expressions.
func nodes(list ...*node) int {
	n := len(list)
	for _, x := range list {
		n += nodes(x.kids...)
	}
	return n
}
