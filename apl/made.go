package apl

// NewDfn returns a dfn whose body was not read from a text: its nodes have spans, but in
// any order.
func NewDfn(at At, body []Stmt, dyadic bool) *Dfn {
	f := newNames(nil)
	f.body(body)
	return &Dfn{At: at, Body: body, Dyadic: dyadic, names: &f.names, made: true}
}

// Made reports whether NewDfn made d.
func (d *Dfn) Made() bool { return d.made }

// With returns the dfn with another body that mentions the same special names.
func (d *Dfn) With(body []Stmt) *Dfn {
	f, r := newNames(nil), *d
	f.body(body)
	r.Body, r.names = body, &f.names
	return &r
}

// With returns the program with another body, which nothing keeps from being compiled.
func (prog *Program) With(body []Stmt) *Program {
	return &Program{At: prog.At, Source: prog.Source, Body: body, Levels: prog.Levels, names: prog.names, made: true}
}

// Made reports whether With made the program.
func (prog *Program) Made() bool { return prog.made }
