package infer

import (
	"fmt"
	"strings"

	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/tail"
)

// indexCount says that there are as many indices as given, and how an array of
// some shape is indexed.
func indexCount(n tail.Size, shape []tail.Size, s site) (message, fix string) {
	count := plainSize(n) + " indices"
	if k, ok := n.IsConst(); ok && k == 1 {
		count = "1 index"
	}
	name := short(s.left, "x", true)
	if i := strings.IndexByte(name, '['); i > 0 {
		name = name[:i]
	}
	switch {
	case len(shape) == 0:
		return count + " for a scalar, which has no axes", "a scalar is not indexed"
	case len(shape) == 1:
		fix = fmt.Sprintf("a vector takes one: %s[i]", name)
	default:
		axes := []string{"i", "j", "k", "l"}[:min(len(shape), 4)]
		fix = fmt.Sprintf("semicolons stand between the axes: %s[%s]; %s[i%s] is all of the others", name,
			strings.Join(axes, ";"), name, strings.Repeat(";", len(shape)-1))
	}
	parts := make([]string, len(shape))
	for i, x := range shape {
		parts[i] = plainSize(x)
	}
	return count + " for an array of shape " + strings.Join(parts, " "), fix
}

// indexFault makes the message of an index that is outside count as the program
// does, and says where indices begin.
func (g *infer) indexFault(e *diag.Error, m *tail.Mismatch) {
	k, ok := m.Args[0].(tail.Size)
	if !ok || len(m.Args) != 3 {
		return
	}
	index, constant := k.IsConst()
	switch {
	case !constant:
	case g.origin == 0:
		n, known := m.Args[1].(tail.Size)
		if known {
			e.Message = tail.IndexFromZero(k.Minus(tail.ConstSize(1)).String(), n.Minus(tail.ConstSize(1)).String(), fmt.Sprint(m.Args[2]))
		}
	case index == 0:
		e.Fix = "indices count from ⎕IO, which is 1"
	case index < 0:
		e.Fix = "indices are positive; ¯1↑ takes from the end, ⌽ turns round"
	}
}
