package ir

// The methods of this file make nodes as they stand, where the constructors of
// fold.go simplify.

// Use is the value of v.
func (v *Var) Use() *Use { return &Use{v} }

// Decl declares v; init may be nil.
func (v *Var) Decl(init Expr) *Decl { return &Decl{v, init} }

// Assign is v = x.
func (v *Var) Assign(x Expr) *Assign { return &Assign{v, x} }

// Load is the element of b at an index.
func (b *Buf) Load(index Expr) *Load { return &Load{b, index} }

// Store is b[index] = x.
func (b *Buf) Store(index, x Expr) *Store { return &Store{b, index, x} }

// Of applies the operation to x.
func (op UnOp) Of(x Expr) *Unary { return &Unary{op, x} }

// Of applies the operation to x and y, which are of one kind.
func (op BinOp) Of(x, y Expr) *Binary { return &Binary{op, x, y} }

// Words returns the bits of a number as integers.
func Words(x Expr) []Expr {
	bits := func(d Expr) Expr { return &Math{Fn: "tl_bits_of", K: I64, Args: []Expr{d}} }
	switch x.Kind() {
	case F64:
		return []Expr{bits(x)}
	case C64:
		return []Expr{bits(&Math{Fn: "tl_rez", K: F64, Args: []Expr{x}}), bits(&Math{Fn: "tl_imz", K: F64, Args: []Expr{x}})}
	}
	return []Expr{ConvertTo(I64, x)}
}
