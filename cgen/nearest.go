package cgen

import (
	"fmt"

	"github.com/tailor-lang/tailor/laila/ir"
)

// nearest writes the search for the nearest of few points.
func (b *body) nearest(c *runtimeCall) {
	// An argument is the first element, and how far rows and columns are apart.
	matrix := func(i int) (text, rows, columns string) {
		s := c.shape(i)
		name := b.bufName(c.Args[i].Array.Buf)
		if c.Args[2+i].X.(*ir.Int).Val == 1 {
			return fmt.Sprintf("%s, 1, %s", name, s[1]), s[1], s[0]
		}
		return fmt.Sprintf("%s, %s, 1", name, s[1]), s[0], s[1]
	}
	x, n, d := matrix(0)
	y, k, _ := matrix(1)
	out := c.out()
	c.fill([]string{n}, "tl_nearest(%s, %s, %s, %s, %s, %s, sizeof *%s)", x, y, n, k, d, out, out)
}
