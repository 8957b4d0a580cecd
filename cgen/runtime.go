package cgen

import (
	"fmt"
	"strings"

	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/tail"
)

// runtimeCalls say how each function of ir.RuntimeFuncs is called in C.
var runtimeCalls = map[string]func(b *body, c *runtimeCall){
	"print":     func(b *body, c *runtimeCall) { b.line("tl_display_pp(%s, %d);", c.view(0), c.precision()) },
	"printbare": func(b *body, c *runtimeCall) { b.line("tl_print_bare(%s, %d);", c.view(0), c.precision()) },
	"format": func(b *body, c *runtimeCall) {
		c.fresh("tl_format(%s, %d, &%s)", c.view(0), c.precision(), c.made())
	},
	"picture": func(b *body, c *runtimeCall) {
		parts := make([]string, len(c.Args))
		for i := range c.Args {
			parts[i] = c.view(i)
		}
		c.fresh("tl_picture((const tl_view *const[]){%s}, %d, &%s)", strings.Join(parts, ", "), c.precision(), c.made())
	},
	"formatby": func(b *body, c *runtimeCall) {
		c.fresh("tl_format_by(%s, %s, %s, &%s)", c.site(), c.view(0), c.view(1), c.made())
	},
	"readtext": func(b *body, c *runtimeCall) {
		c.fresh("tl_read_text(%s, %s, &%s)", c.site(), c.view(0), c.made())
	},
	"readchars": (*body).readchars,
	"writetext": func(b *body, c *runtimeCall) {
		c.scalar(0, "tl_write_text(%s, %s, %s, %s)", c.site(), c.view(0), c.view(1), c.value(2))
	},
	"stop": func(b *body, c *runtimeCall) {
		code := c.Code
		if code == 0 {
			code = diag.Signalled
		}
		c.scalar(0, "tl_stop(%s, %s, %s, %s)", c.site(), c.view(0), c.value(1), stringLiteral(code.String()))
	},
	"readcsv": func(b *body, c *runtimeCall) {
		c.fresh("tl_read_csv(%s, %s, %s, &%s)", c.site(), c.view(0), elemTag(c.Results[0].Elem), c.made())
	},
	"csvtext": func(b *body, c *runtimeCall) { c.fresh("tl_csv_text(%s, &%s)", c.view(0), c.made()) },
	"readnpy": func(b *body, c *runtimeCall) {
		c.fresh("tl_read_npy(%s, %s, %s, %d, &%s)", c.site(), c.view(0), elemTag(c.Results[0].Elem), len(c.Results[0].Dims), c.made())
	},
	"writenpy": func(b *body, c *runtimeCall) {
		c.scalar(0, "tl_write_npy(%s, %s, %s)", c.site(), c.view(0), c.view(1))
	},
	"receive": func(b *body, c *runtimeCall) {
		c.fresh("tl_receive(%s, %s, %d, &%s)", c.value(0), elemTag(c.Results[0].Elem), len(c.Results[0].Dims), c.made())
	},
	"send":        func(b *body, c *runtimeCall) { c.scalar(0, "tl_send(%s, %s)", c.view(0), c.value(1)) },
	"argcount":    func(b *body, c *runtimeCall) { c.scalar(0, "tl_arg_count()") },
	"argtext":     func(b *body, c *runtimeCall) { c.fresh("tl_arg_text(%s, &%s)", c.value(0), c.made()) },
	"parsenumber": func(b *body, c *runtimeCall) { c.scalar(0, "tl_parse_number(%s, %s)", c.site(), c.view(0)) },
	"timestamp":   func(b *body, c *runtimeCall) { c.fill([]string{"7"}, "tl_timestamp(%s)", c.out()) },
	"clock":       func(b *body, c *runtimeCall) { c.fill([]string{"4"}, "tl_clock(%s)", c.out()) },
	"generator":   func(b *body, c *runtimeCall) { c.scalar(0, "tl_generator()") },
	"draws":       func(b *body, c *runtimeCall) { c.scalar(0, "tl_draws(%s)", c.value(0)) },
	"seed":        func(b *body, c *runtimeCall) { c.scalar(0, "tl_seed(%s)", c.value(0)) },
	"rolli":       func(b *body, c *runtimeCall) { c.scalar(0, "tl_rolli(%s)", c.value(0)) },
	"rolld":       func(b *body, c *runtimeCall) { c.scalar(0, "tl_rolld()") },
	"deal": func(b *body, c *runtimeCall) {
		count := c.value(0)
		c.fill([]string{count}, "tl_deal(%s, %s, %s)", count, c.value(1), c.out())
	},
	"gradeup":   func(b *body, c *runtimeCall) { c.grade(0) },
	"gradedown": func(b *body, c *runtimeCall) { c.grade(1) },
	"order":     (*body).order,
	"sorted":    (*body).order,
	"leading": func(b *body, c *runtimeCall) {
		width := 8
		if c.Results[0].Buf.Elem == ir.I32 {
			width = 4
		}
		c.fill([]string{c.value(2)}, "tl_leading(%s, %s, %s, %d, %s)", c.view(0), c.value(1), c.value(2), width, c.out())
	},
	"indexof": func(b *body, c *runtimeCall) {
		width := 8
		if b := c.Results[0].Buf; b != nil && b.Elem == ir.I32 {
			width = 4
		}
		host := fmt.Sprintf("tl_index_of(%s, %s, (int)%s, %d, %s)", c.view(0), c.view(1), c.value(2), width, c.out())
		c.fill(c.shape(1), "%s", c.computed(host, false))
	},
	"member": func(b *body, c *runtimeCall) {
		host := fmt.Sprintf("tl_member(%s, %s, (int)%s, %s)", c.view(0), c.view(1), c.value(2), c.out())
		c.fill(c.shape(0), "%s", c.computed(host, false))
	},
	"intervalindex": func(b *body, c *runtimeCall) {
		c.fill(c.shape(1), "tl_interval_index(%s, %s, %s)", c.view(0), c.view(1), c.out())
	},
	"find": func(b *body, c *runtimeCall) {
		c.fill(c.shape(1), "tl_find(%s, %s, (int)%s, %s)", c.view(0), c.view(1), c.value(2), c.out())
	},
	"nearest": (*body).nearest,
	"firstcell": func(b *body, c *runtimeCall) {
		host := fmt.Sprintf("tl_first_cell(%s, %s)", c.view(0), c.out())
		c.fill(c.shape(0)[:1], "%s", c.computed(host, false))
	},
	"firstitem": func(b *body, c *runtimeCall) {
		width := 8
		if b := c.Results[0].Buf; b != nil && b.Elem == ir.I32 {
			width = 4
		}
		c.fill(c.shape(2), "tl_first_item(%s, %s, %s, %d, %s)", c.view(0), c.view(1), c.view(2), width, c.out())
	},
	"unique": func(b *body, c *runtimeCall) {
		host := fmt.Sprintf("tl_unique(%s, (int)%s, %s)", c.view(0), c.value(1), c.out())
		c.shorten("%s", c.computed(host, true))
	},
	"without": func(b *body, c *runtimeCall) {
		host := fmt.Sprintf("tl_without(%s, %s, (int)%s, %s)", c.view(0), c.view(1), c.value(2), c.out())
		c.shorten("%s", c.computed(host, true))
	},
	"match": func(b *body, c *runtimeCall) {
		c.scalar(0, "(uint8_t)tl_match(%s, %s, (int)%s)", c.view(0), c.view(1), c.value(2))
	},
	"matinv": (*body).matinv,
	"matdiv": (*body).matdiv,
}

// grade writes a grade.
func (c *runtimeCall) grade(down int) {
	c.fill(c.shape(0)[:1], "%s", c.computed(fmt.Sprintf("tl_grade(%s, %d, %s)", c.view(0), down, c.out()), false))
}

// runtimeCall is a call of a run-time function on its way to C.
type runtimeCall struct {
	*ir.Runtime
	b      *body
	result string // the C name of the array that the call makes
}

// precision returns the print precision of a call.
func (c *runtimeCall) precision() int {
	switch {
	case c.PP > 0:
		return c.PP
	case c.b.prog.PP > 0:
		return c.b.prog.PP
	}
	return 10
}

func (b *body) runtime(s *ir.Runtime) {
	write, ok := runtimeCalls[s.Fn]
	if !ok {
		panic("internal error: no such run-time function: " + s.Fn)
	}
	write(b, &runtimeCall{Runtime: s, b: b})
}

// shape returns the extents of array argument i.
func (c *runtimeCall) shape(i int) []string {
	var extents []string
	for _, d := range c.Args[i].Array.Dims {
		extents = append(extents, c.b.once(d))
	}
	return extents
}

// view returns a pointer to a view of array argument i.
func (c *runtimeCall) view(i int) string {
	a := c.Args[i].Array
	switch {
	case a == nil: // a scalar given as an expression
		x := c.Args[i].X
		return fmt.Sprintf("&(const tl_view){%s, 0, NULL, (const %s[]){%s}}", elemTag(x.Kind()), ctype(x.Kind()), c.b.expr(x))
	case a.Buf == nil:
		k := a.Scalar.Kind
		return fmt.Sprintf("&(const tl_view){%s, 0, NULL, (const %s[]){%s}}", elemTag(k), ctype(k), c.b.varName(a.Scalar))
	}
	return fmt.Sprintf("&(const tl_view){%s, %s, %s}", elemTag(a.Buf.Elem), shapeText(c.shape(i)), c.b.offset(a.Buf, a.At))
}

// value returns scalar argument i.
func (c *runtimeCall) value(i int) string {
	if a := c.Args[i].Array; a != nil {
		return c.b.varName(a.Scalar)
	}
	return c.b.once(c.Args[i].X)
}

// site returns a pointer to the place in the source, for faults.
func (c *runtimeCall) site() string {
	d := &diag.Error{Code: diag.FileOrTool, Span: c.At}
	where := ""
	if c.At.Valid() {
		where = c.At.Lead()
	}
	return fmt.Sprintf("&(const tl_site){%s, %s}", stringLiteral(where), c.b.place(d.Details()))
}

// scalar declares scalar result i with the value of a call.
func (c *runtimeCall) scalar(i int, format string, args ...any) {
	call := fmt.Sprintf(format, args...)
	if v := c.Results[i].Scalar; c.b.survey.read[v] {
		c.b.receiveVar(v, call)
		return
	}
	c.b.line("(void)%s;", call)
}

// made declares the tl_array that a call fills and returns its name.
func (c *runtimeCall) made() string {
	c.result = c.b.names.fresh("made")
	return c.result
}

// fresh writes a call that makes an array, and declares the result from it.
func (c *runtimeCall) fresh(format string, args ...any) {
	c.b.line("tl_array %s;", c.result)
	c.b.line("%s;", fmt.Sprintf(format, args...))
	r := c.Results[len(c.Results)-1]
	if r.Buf == nil { // an array of rank 0
		if c.b.survey.read[r.Scalar] {
			c.b.receiveVar(r.Scalar, fmt.Sprintf("*(%s *)%s.data", ctype(r.Scalar.Kind), c.result))
		}
		c.b.line("tl_drop(&%s);", c.result)
		return
	}
	c.b.receiveBuf(r.Buf, c.result+".data")
	for i, d := range r.Dims {
		c.extent(d, fmt.Sprintf("%s.shape[%d]", c.result, i))
	}
}

// extent declares an extent of a result.
func (c *runtimeCall) extent(d ir.Expr, value string) {
	if u, ok := d.(*ir.Use); ok {
		c.b.receiveVar(u.Var, value)
	}
}

// out returns the name of the storage that a call writes its result to; for a
// scalar result, a pointer to it.
func (c *runtimeCall) out() string {
	r := c.Results[len(c.Results)-1]
	if r.Buf == nil {
		c.result = c.b.names.fresh("value")
		return "&" + c.result
	}
	if c.b.hoistedBufs[r.Buf] {
		c.result = c.b.bufName(r.Buf)
	} else {
		c.result = c.b.declareBuf(r.Buf)
	}
	return c.result
}

// fill allocates the result with the given shape and writes the call that
// fills it.
func (c *runtimeCall) fill(shape []string, format string, args ...any) {
	r := c.Results[len(c.Results)-1]
	if r.Buf == nil {
		c.b.line("%s %s;", ctype(r.Scalar.Kind), c.result)
		c.b.line("%s;", fmt.Sprintf(format, args...))
		c.b.receiveVar(r.Scalar, c.result)
		return
	}
	c.allocate(shape)
	c.b.line("%s;", fmt.Sprintf(format, args...))
	for i, d := range r.Dims {
		c.extent(d, shape[i])
	}
}

// allocate gives the result storage.
func (c *runtimeCall) allocate(shape []string) {
	r := c.Results[len(c.Results)-1]
	elem, left := ctype(r.Buf.Elem), ""
	if !c.b.hoistedBufs[r.Buf] {
		left = elem + " *"
	}
	count := strings.Join(shape, " * ")
	if len(shape) > 1 {
		count = "tl_try_count(" + shapeText(shape) + ")"
	}
	c.b.line("%s%s = tl_try_alloc(%s, sizeof(%s));", left, c.result, count, elem)
	c.b.line("if (!%s) %s;", c.result, c.b.faultText(tail.FaultMemory, c.At, tail.Blame{}, []string{"tl_arg_shape(" + shapeText(shape) + ")"}))
}

// shorten writes a call that fills a vector in part and returns its length.
func (c *runtimeCall) shorten(format string, args ...any) {
	c.allocate(c.shape(0)[:1])
	n := c.b.names.fresh("count")
	c.b.line("const int64_t %s = %s;", n, fmt.Sprintf(format, args...))
	used := false
	for _, d := range c.Results[0].Dims {
		c.extent(d, n)
		if u, ok := d.(*ir.Use); ok && c.b.survey.read[u.Var] {
			used = true
		}
	}
	if !used {
		c.b.line("(void)%s;", n)
	}
}

// ofKind is what the names of functions of complex numbers end with.
func ofKind(a *ir.Array) string {
	if a.Elem == ir.C64 {
		return "z"
	}
	return ""
}

// matinv writes a matrix inverse.
func (b *body) matinv(c *runtimeCall) {
	s := c.shape(0)
	out := c.out()
	c.allocate([]string{s[1], s[0]})
	c.scalar(0, "(uint8_t)tl_matinv%s(%s, %s, %s, %s)", ofKind(c.Args[0].Array), b.bufName(c.Args[0].Array.Buf), s[0], s[1], out)
	for i, d := range c.Results[1].Dims {
		c.extent(d, s[1-i])
	}
}

// matdiv writes the solution of linear equations.
func (b *body) matdiv(c *runtimeCall) {
	right, s := c.shape(0), c.shape(1)
	out, columns, shape := c.out(), "1", s[1:]
	if len(right) > 1 {
		columns, shape = right[1], []string{s[1], right[1]}
	}
	c.allocate(shape)
	c.scalar(0, "(uint8_t)tl_matdiv%s(%s, %s, %s, %s, %s, %s)", ofKind(c.Args[1].Array), b.bufName(c.Args[0].Array.Buf), columns,
		b.bufName(c.Args[1].Array.Buf), s[0], s[1], out)
	for i, d := range c.Results[1].Dims {
		c.extent(d, shape[i])
	}
}

// readchars writes the reading of a text into bytes or characters.
func (b *body) readchars(c *runtimeCall) {
	bytes, chars := b.names.fresh("made"), b.names.fresh("made")
	b.line("tl_array %s, %s;", bytes, chars)
	c.scalar(0, "(uint8_t)tl_read_chars(%s, %s, %s, &%s, &%s)", c.site(), c.view(0), c.value(1), bytes, chars)
	b.receiveBuf(c.Results[1].Buf, bytes+".data")
	b.receiveBuf(c.Results[2].Buf, chars+".data")
	c.extent(c.Results[1].Dims[0], bytes+".shape[0]")
}

// order writes the grade of a vector, its sorted elements, or both.
func (b *body) order(c *runtimeCall) {
	places, sorted, width := "NULL", "NULL", 0
	made := make([]string, len(c.Results))
	for i, r := range c.Results {
		made[i] = b.names.fresh("made")
		b.line("tl_array %s;", made[i])
		if c.Fn == "order" && i == 0 {
			places, width = "&"+made[i], 8
			if r.Buf.Elem == ir.I32 {
				width = 4
			}
		} else {
			sorted = "&" + made[i]
		}
	}
	b.line("tl_order(%s, %s, %d, %s, %s);", c.view(0), c.value(1), width, places, sorted)
	for i, r := range c.Results {
		b.receiveBuf(r.Buf, made[i]+".data")
		c.extent(r.Dims[0], made[i]+".shape[0]")
	}
}
