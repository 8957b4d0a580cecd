package memory

import (
	"slices"

	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/pass"
)

// sink has each branch of a conditional exchange an array for the one that it made, where
// all make one and the array is exchanged for it behind the conditional:
//
//	null b                          if c
//	if c                              alloc r: i64[n]
//	  alloc r: i64[n]                 swap s, r
//	  move b = r                      free r
//	else                            else
//	  alloc r_2: i64[m]               alloc r_2: i64[m]
//	  move b = r_2                    swap s, r_2
//	swap s, b                         free r_2
//	free b
//
// Requires: buffers that are declared once. Preserves: values, and the order of faults.
func sink(l *pass.Context, block []ir.Stmt) []ir.Stmt {
	for at := len(block) - 1; at >= 0; at = min(at, len(block)) - 1 {
		x, ok := block[at].(*ir.Swap)
		if !ok || l.Fixed[x.A] && l.Fixed[x.B] {
			continue
		}
		for _, p := range [][2]*ir.Buf{{x.A, x.B}, {x.B, x.A}} {
			if rest := sunk(block, at, p[0], p[1]); rest != nil {
				block = rest
				break
			}
		}
	}
	for _, s := range block {
		for _, inner := range ir.SequentialBlocks(s) {
			*inner = sink(l, *inner)
		}
	}
	return block
}

// sunk returns a block without its statement number at, which exchanges an array for the
// result of a conditional, whose branches do it then; nil where they cannot.
func sunk(block []ir.Stmt, at int, old, result *ir.Buf) []ir.Stmt {
	var rest []ir.Stmt
	var branch *ir.If
	for i, s := range block {
		if d, ok := s.(*ir.DeclBuf); ok && d.Buf == result {
			if d.Count != nil || result.Stack > 0 || i > at {
				return nil
			}
			continue
		}
		if f, ok := s.(*ir.Free); i == at || ok && f.Buf == result && i > at {
			continue
		}
		rest = append(rest, s)
		switch {
		case mentions(s, result):
			x, ok := s.(*ir.If)
			if !ok || branch != nil || i > at {
				return nil
			}
			branch = x
		case branch != nil && i < at && mentions(s, old):
			return nil
		}
	}
	if branch == nil || len(rest) != len(block)-3 || !eachMove(branch, old, result, func(*[]ir.Stmt, int) {}) {
		return nil
	}
	eachMove(branch, old, result, func(block *[]ir.Stmt, i int) {
		made := (*block)[i].(*ir.Move).Src
		*block = slices.Replace(*block, i, i+1, ir.Stmt(&ir.Swap{A: old, B: made}), ir.Stmt(&ir.Free{Buf: made}))
	})
	return rest
}

// eachMove calls f for the statement of each branch that makes an array the result. It
// reports whether each branch has one, which moves an array of that branch and behind which
// nothing mentions the array that is to be exchanged for the result.
func eachMove(x *ir.If, old, result *ir.Buf, f func(block *[]ir.Stmt, i int)) bool {
	for _, block := range ir.Blocks(x) {
		i := slices.IndexFunc(*block, func(s ir.Stmt) bool { return mentions(s, result) })
		if i < 0 {
			return false
		}
		for _, s := range (*block)[i+1:] {
			if mentions(s, result) || mentions(s, old) {
				return false
			}
		}
		switch s := (*block)[i].(type) {
		case *ir.If:
			if !eachMove(s, old, result, f) {
				return false
			}
		case *ir.Move:
			if s.Dst != result || !slices.ContainsFunc((*block)[:i], func(d ir.Stmt) bool {
				made, ok := d.(*ir.DeclBuf)
				return ok && made.Buf == s.Src
			}) {
				return false
			}
			f(block, i)
		default:
			return false
		}
	}
	return true
}

// early has a step exchange an array of its state for one that it makes of it as soon as
// that is there, where the step does not read the array of the state any more, and the one that
// it made only until the state is exchanged again:
//
//	alloc r: i64[d + 1]                alloc r: i64[d + 1]
//	segmap i = 0 … d: r[i] = s[i]      segmap i = 0 … d: r[i] = s[i]
//	r[d] = x                           r[d] = x
//	alloc r_2: i64[d + 2]              swap s, r
//	segmap i = 0 … d + 1               alloc r_2: i64[d + 2]
//	  r_2[i] = r[i]                    segmap i = 0 … d + 1
//	r_2[d + 1] = y                       r_2[i] = s[i]
//	swap s, r_2                        r_2[d + 1] = y
//	                                   swap s, r_2
//
// The block is in a loop; behind says what becomes of an array behind the block, inside are
// the arrays that the loop declares.
func early(l *pass.Context, block []ir.Stmt, inside map[*ir.Buf]bool, behind func(*ir.Buf) fate) []ir.Stmt {
	for at := 0; at < len(block); at++ {
		if d, ok := block[at].(*ir.DeclBuf); ok && d.Buf.Stack == 0 && !l.Fixed[d.Buf] {
			made, old := madeOf(block[at+1:], d.Buf, inside)
			rest := block[at+1+made:]
			if old == nil || l.Fixed[old] || old.Elem != d.Buf.Elem || !renamed(rest, d.Buf, nil) || fateOf(rest, old, behind) != replaced || usedBehind(rest, old, d.Buf) {
				continue
			}
			renamed(rest, d.Buf, old)
			block = slices.Concat(block[:at+1+made], []ir.Stmt{&ir.Swap{A: old, B: d.Buf}}, withoutIdle(rest))
			continue
		}
		inner := func(*ir.Buf) fate { return used }
		if _, ok := block[at].(*ir.If); ok {
			inner = func(b *ir.Buf) fate { return fateOf(block[at+1:], b, behind) }
		}
		for _, b := range ir.SequentialBlocks(block[at]) {
			*b = early(l, *b, inside, inner)
		}
	}
	return block
}

// fate is what becomes of an array.
type fate int

const (
	unused   fate = iota
	used          // it may be used
	replaced      // it is exchanged for another one, and freed, before it is used
)

// fateOf says what becomes of b in a block, and behind it.
func fateOf(block []ir.Stmt, b *ir.Buf, behind func(*ir.Buf) fate) fate {
	if f := fateIn(block, b); f != unused {
		return f
	}
	return behind(b)
}

func fateIn(block []ir.Stmt, b *ir.Buf) fate {
	for i, s := range block {
		switch s := s.(type) {
		case *ir.Swap:
			if s.A == b && freesFirst(block[i+1:], s.B) || s.B == b && freesFirst(block[i+1:], s.A) {
				return replaced
			} else if s.A == b || s.B == b {
				return used
			}
		case *ir.If:
			f := fateIn(s.Then, b)
			if f != fateIn(s.Else, b) || mentionsIn(s.Cond, b) {
				return used
			} else if f != unused {
				return f
			}
		case *ir.BreakIf, *ir.Return:
			return used
		default:
			if mentions(s, b) || ir.Has[*ir.Return]([]ir.Stmt{s}) {
				return used
			}
		}
	}
	return unused
}

// usedBehind reports whether a block uses b behind the exchange that replaces old.
func usedBehind(block []ir.Stmt, old, b *ir.Buf) bool {
	for i, s := range block {
		found := false
		switch s := s.(type) {
		case *ir.Swap:
			if s.A != old && s.B != old {
				continue
			}
		case *ir.If:
			if fateIn([]ir.Stmt{s}, old) != replaced {
				continue
			}
			found = usedBehind(s.Then, old, b) || usedBehind(s.Else, old, b)
		default:
			continue
		}
		return found || slices.ContainsFunc(block[i+1:], func(s ir.Stmt) bool {
			_, free := s.(*ir.Free)
			return !free && mentions(s, b)
		})
	}
	return false
}

// freesFirst reports whether a block frees b before anything else uses it.
func freesFirst(block []ir.Stmt, b *ir.Buf) bool {
	i := slices.IndexFunc(block, func(s ir.Stmt) bool { return mentions(s, b) })
	if i < 0 {
		return false
	}
	_, ok := block[i].(*ir.Free)
	return ok
}

func mentionsIn(x ir.Expr, b *ir.Buf) (found bool) {
	ir.EachLoad(x, func(c *ir.Buf) { found = found || c == b })
	return found
}

// madeOf returns how many statements of a block make all elements of fresh, and from which
// array from outside of the loop they copy some.
func madeOf(block []ir.Stmt, fresh *ir.Buf, inside map[*ir.Buf]bool) (made int, old *ir.Buf) {
	into := map[*ir.Buf]bool{fresh: true}
	for i, s := range block {
		if !mentions(s, fresh) {
			continue
		}
		if !makesOnly(s, fresh) {
			break
		}
		made = i + 1
		ir.Walk([]ir.Stmt{s}, func(x ir.Stmt) {
			if m, ok := x.(*ir.Move); ok && m.Dst == fresh {
				into[m.Src] = true
			}
		})
	}
	ir.Walk(block[:made], func(x ir.Stmt) {
		var src, dst *ir.Buf
		switch x := x.(type) {
		case *ir.Copy:
			src, dst = x.Src, x.Dst
		case *ir.Nest:
			if store := copied(x); store != nil {
				src, dst = store.X.(*ir.Load).Buf, store.Buf
			}
		}
		if into[dst] && src != nil && !inside[src] && !src.Const && old == nil {
			old = src
		}
	})
	return made, old
}

// makesOnly reports whether a statement does nothing with b but to store elements, or to move
// an array there.
func makesOnly(s ir.Stmt, b *ir.Buf) bool {
	only := true
	ir.Walk([]ir.Stmt{s}, func(x ir.Stmt) {
		switch y := x.(type) {
		case *ir.Move:
			only = only && y.Src != b
		case *ir.If, *ir.For, *ir.Loop:
			for _, z := range ir.Exprs(x) {
				only = only && !mentionsIn(z, b)
			}
		default:
			only = only && storesOnly(&ir.If{Cond: ir.Boolean(true), Then: []ir.Stmt{x}}, b)
		}
	})
	return only
}

// renamed puts an array in the place of another one in a block, where it is not nil. It
// reports whether the block uses that only as it may be renamed.
func renamed(block []ir.Stmt, was, now *ir.Buf) bool {
	ok := true
	put := func(b **ir.Buf) {
		if *b == was && now != nil {
			*b = now
		}
	}
	ir.Walk(block, func(s ir.Stmt) {
		switch s := s.(type) {
		case *ir.Store:
			put(&s.Buf)
		case *ir.Copy:
			put(&s.Dst)
			put(&s.Src)
		case *ir.Swap:
			put(&s.A)
			put(&s.B)
		case *ir.Free:
		default:
			ir.Buffers(s, func(b *ir.Buf) { ok = ok && b != was })
		}
		if now != nil {
			ir.MapExprs(s, func(x ir.Expr) ir.Expr {
				if ld, ok := x.(*ir.Load); ok && ld.Buf == was {
					return now.Load(ld.Index)
				}
				return x
			})
		}
	})
	return ok
}

// withoutIdle returns a block without exchanges of an array for itself.
func withoutIdle(block []ir.Stmt) []ir.Stmt {
	var out []ir.Stmt
	for _, s := range block {
		for _, inner := range ir.Blocks(s) {
			*inner = withoutIdle(*inner)
		}
		if x, ok := s.(*ir.Swap); !ok || x.A != x.B {
			out = append(out, s)
		}
	}
	return out
}
