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
