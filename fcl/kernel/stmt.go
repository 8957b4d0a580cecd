package kernel

import "github.com/tailor-lang/tailor/fcl/types"

// Stmt is a statement.
type Stmt interface{ stmt() }

type (
	// Decl declares a variable; Init is nil where it is assigned later.
	Decl struct {
		Var  *Var
		Init Expr
	}
	// Assign assigns to a mutable variable.
	Assign struct {
		Var   *Var
		Value Expr
	}
	// Store writes an element.
	Store struct {
		Array        *Array
		Index, Value Expr
	}
	// Exchange does cmpxchg, min, add and the like, as OpenCL has them, with an element of an array of i32, which
	// was Old.
	Exchange struct {
		Op    string
		Array *Array
		Index Expr
		Args  []Expr
		Old   *Var
	}
	// Alloc makes an array. The host allocates global ones.
	Alloc struct{ Array *Array }
	// Swap exchanges two arrays.
	Swap struct{ A, B *Array }
	// For is a sequential loop from From to N.
	For struct {
		Var     *Var
		From, N Expr
		Body    []Stmt
	}
	// Each is a parallel loop over 0 … N-1.
	Each struct {
		By   Who
		Var  *Var
		N    Expr
		Body []Stmt
	}
	// If is a conditional.
	If struct {
		Cond       Expr
		Then, Else []Stmt
	}
	// Loop repeats until a Break in it.
	Loop struct{ Body []Stmt }
	// Break ends the Loop where the condition does not hold.
	Break struct{ Unless Expr }
	// Barrier lets the work-items of a group, or of a sub-group, wait for each other.
	Barrier struct{ Sub bool }
	// Launch starts a kernel.
	Launch struct{ Kernel *Kernel }
	// Foreign is code of another compiler, which reads Args and declares Results; Text
	// returns its lines. Where it is Pure nothing else comes of it.
	Foreign struct {
		Args    []Expr
		Results []*Var
		Pure    bool
		Text    func(args, results []string) string
	}
)

// Who runs the iterations of an Each.
type Who uint8

// The workers. The zero value is unset.
const (
	Nobody Who = iota
	Items      // of a group
	Groups
	AllItems  // of all groups
	SubGroups // of a group
	Lanes     // of a sub-group
)

func (*Decl) stmt()     {}
func (*Assign) stmt()   {}
func (*Store) stmt()    {}
func (*Alloc) stmt()    {}
func (*Exchange) stmt() {}
func (*Swap) stmt()     {}
func (*For) stmt()      {}
func (*Each) stmt()     {}
func (*If) stmt()       {}
func (*Loop) stmt()     {}
func (*Break) stmt()    {}
func (*Barrier) stmt()  {}
func (*Launch) stmt()   {}
func (*Foreign) stmt()  {}

// Kernel is a kernel. Its parameters are the arrays and variables that it uses from
// outside. N is the number of iterations of its outermost loop, and Groups says whether
// groups run these, or single work-items. Group is the number of work-items of a group.
type Kernel struct {
	Name   string
	Around *Around // or nil
	Body   []Stmt
	N      Expr
	Groups bool
	Group  int64

	Arrays  []*Array // global and scratch ones
	Scalars []*Var
	Slots   []*Slot // of local memory, which a launch gives; some for each sub-group
	Fixed   []*Slot // of local memory, which the kernel declares
	Objects map[*Object]*Slot
	// Once reports that a launch has a group, or a work-item, for each iteration of the outermost
	// loop. Where work-items have memory of their own (Scratch) launches are bounded.
	Once bool
	axes map[*Array]bool // in registers, of several axes
}

// Around is what another compiler puts around the code of a kernel that has code of its own:
// parameters before and after those of FCL, and lines at both ends of the body.
type Around struct {
	First, Last []string // parameters
	Enter, End  string
}

// Slot is a piece of local memory, of Bytes bytes, or such a piece for each sub-group.
type Slot struct {
	Name  string
	Bytes Expr
	Sub   bool
	elem  types.Scalar // of the arrays in it, where they have one type
	last  int
}

// Walk calls a function for every statement, and for those in it after that.
func Walk(list []Stmt, visit func(Stmt)) {
	for _, s := range list {
		visit(s)
		for _, inner := range bodies(s) {
			Walk(*inner, visit)
		}
	}
}

// bodies returns the lists of statements in a statement.
func bodies(s Stmt) []*[]Stmt {
	switch s := s.(type) {
	case *For:
		return []*[]Stmt{&s.Body}
	case *Each:
		return []*[]Stmt{&s.Body}
	case *If:
		return []*[]Stmt{&s.Then, &s.Else}
	case *Loop:
		return []*[]Stmt{&s.Body}
	}
	return nil
}

// exprs returns the expressions of a statement itself.
func exprs(s Stmt) []Expr {
	switch s := s.(type) {
	case *Decl:
		if s.Init == nil {
			return nil
		}
		return []Expr{s.Init}
	case *Assign:
		return []Expr{s.Value}
	case *Store:
		return []Expr{s.Index, s.Value}
	case *Exchange:
		return append([]Expr{s.Index}, s.Args...)
	case *For:
		return []Expr{s.From, s.N}
	case *Each:
		return []Expr{s.N}
	case *If:
		return []Expr{s.Cond}
	case *Break:
		return []Expr{s.Unless}
	case *Foreign:
		return s.Args
	}
	return nil
}

// within calls a function for an expression and all those in it.
func within(e Expr, visit func(Expr)) {
	visit(e)
	for _, c := range Children(e) {
		within(c, visit)
	}
}

// arrays returns what a statement reads and writes, those in it included.
func arrays(s Stmt) (reads, writes []*Array) {
	Walk([]Stmt{s}, func(s Stmt) {
		for _, e := range exprs(s) {
			within(e, func(e Expr) {
				if l, ok := e.(*Load); ok {
					reads = append(reads, l.Array)
				}
			})
		}
		switch s := s.(type) {
		case *Store:
			writes = append(writes, s.Array)
		case *Exchange:
			reads, writes = append(reads, s.Array), append(writes, s.Array)
		}
	})
	return reads, writes
}

// hostExprs returns what the host computes for a launch.
func (k *Kernel) hostExprs() []Expr {
	all := []Expr{k.N}
	for _, s := range k.Slots {
		all = append(all, s.Bytes)
	}
	for _, a := range k.Arrays {
		if a.Space == Scratch {
			all = append(all, a.Len)
		}
	}
	return all
}

// Outside returns an expression without the variables that statements declare, which are what they
// are defined as; nil where only the statements can compute it.
func Outside(list []Stmt, e Expr) Expr {
	declared := map[*Var]bool{}
	Walk(list, func(s Stmt) {
		if d, ok := s.(*Decl); ok {
			declared[d.Var] = true
		}
	})
	return outside(declared, e)
}

func outside(declared map[*Var]bool, e Expr) Expr {
	inside := false
	within(e, func(e Expr) {
		v, ok := e.(*Var)
		inside = inside || ok && declared[v]
	})
	op, isOp := e.(*Op)
	switch d := definition(e); {
	case checks(e):
		return nil
	case !inside:
		return e
	case d != e:
		return outside(declared, d)
	case !isOp:
		return nil
	}
	made := &Op{Name: op.Name, Of: op.Of}
	for _, a := range op.Args {
		if a = outside(declared, a); a == nil {
			return nil
		}
		made.Args = append(made.Args, a)
	}
	return made
}

// checks reports whether an expression may note a fault.
func checks(e Expr) bool {
	found := false
	within(e, func(e Expr) {
		if op, ok := e.(*Op); ok && (op.Site > 0 || op.Name == "check" || op.Name == "size" || op.Name == "fit" || op.Name == "same") {
			found = true
		}
	})
	return found
}
