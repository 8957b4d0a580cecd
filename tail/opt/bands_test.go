package opt

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/tail"
)

// TestBands says which products are made in bands: those of which an expression reads each
// row by itself, and with at most one op that may fault.
func TestBands(t *testing.T) {
	const (
		product = "chain(fmad,0.0,q,p)"
		sums    = "reduce(addd,0.0," + product + ")"
		rows    = "cells[1](fn r:<double>700 => takeV(2,gradeup(r)),"
	)
	for _, c := range []struct {
		n, made string
		bands   string
		rest    bool
	}{
		{"400", sums, "iotaV(8)", false},
		{"397", sums, "iotaV(8)", true},
		{"397", "cells[1](fn r:<double>700 => print(first(r))," + product + ")", "iotaV(8)", true},
		{"400", "zipWith(addd," + sums + ",outer(addd,1.0,reduce(addd,0.0,q)))", "iotaV(8)", false},
		{"400", rows + product + ")", "iotaV(8)", false},
		{"400", rows + "zipWith(subd," + product + ",outer(addd,reduce(addd,0.0,q),p1)))", "iotaV(8)", false},
		{"400", "cells2[1,1](fn (r:<double>700, s:<double>2) => reduce(addd,first(s),r)," + product + ",q)", "iotaV(8)", false},
		{"400", "let d:[400,700]double = " + product + " in " + rows + "d)", "iotaV(8)", false},
		{"400", "chain(fmad,0.0,each(fn v:[double]0 => addd(v,1.0)," + product + "),transp(p))", "iotaV(8)", false},
		{"400", "let d:[400,700]double = " + product + " in zipWith(addd,reduce(addd,0.0,d),reduce(maxd,0.0,d))", "", false}, // read twice
		{"400", "each(fn v:[double]0 => addd(v,1.0)," + product + ")", "", false},                                            // stored as it is
		{"400", "reduce[0](addd,0.0," + product + ")", "", false},                                                            // of columns
		{"300", sums, "", false}, // too few rows
	} {
		text := "main =\n  let q:[" + c.n + ",2]double = reshape([" + c.n + ",2],each(i2d,iotaV(800))) in\n" +
			"  let p:[2,700]double = reshape([2,700],each(i2d,iotaV(1400))) in\n" +
			"  let p1:<double>700 = index(p,1,all()) in\n  print(" + c.made + ")"
		p, err := tail.ParseText(text)
		require.NoError(t, err, text)
		p.Sticky = true
		before := outcome(p)
		skip := map[string]bool{}
		names, _ := Passes()
		for _, name := range names {
			skip[name] = name != "bands"
		}
		require.NoError(t, Run(p, Options{Skip: skip, Verify: true}))
		out := tail.ExprString(p.Main)
		assert.Equal(t, before, outcome(p), out)
		if c.bands == "" {
			assert.NotContains(t, out, "cells[0]", out)
			continue
		}
		assert.Contains(t, out, "cells[0]", out)
		assert.Contains(t, out, c.bands, out)
		if c.rest {
			assert.Contains(t, out, "cat", out)
		}
	}
}
