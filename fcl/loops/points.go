package loops

import (
	"slices"

	"github.com/tailor-lang/tailor/laila/ir"
)

// kernel writes what a kernel gives.
func (w *writer) kernel() string {
	k := w.k
	switch {
	case k.Fold != nil:
		return w.reduction()
	case k.Scan != nil:
		return w.scan()
	case k.Update != nil:
		return w.update()
	case k.Product != nil:
		return w.product()
	case k.Tiled:
		return w.tiles()
	case k.Function != "":
		return w.rows()
	case len(k.Dims) == 0:
		return w.inOrder(k.Body)
	}
	return w.maps()
}

// maps writes maps that share a launch: for each what its points store.
func (w *writer) maps() string {
	var list []string
	var all []ir.Stmt
	ok := true
	pieces := append([]Kernel{*w.k}, w.k.More...)
	for _, p := range pieces {
		w.space(p.Dims)
		all = append(all, looped(p.Dims, p.Body)...)
	}
	for _, p := range pieces {
		stored, fits := w.collect(p.Body, p.Dims)
		if ok = ok && fits; ok && len(stored) > 0 {
			w.gives = append(w.gives, stored)
			list = append(list, w.pushed(p.Dims, p.Body))
		}
	}
	switch {
	case !ok:
		w.gives = nil
		return w.inOrder(all)
	case len(list) == 0:
		return w.noted()
	}
	return tuple(list)
}

// noted writes a map that stores nothing: of each point, what it notes.
func (w *writer) noted() string {
	k := w.k
	clear(w.flags)
	w.fault = w.name("faults")
	var slots []slot
	for _, s := range w.changes(k.Body...) {
		if !s.array && s.before == "false" {
			slots = append(slots, s)
		}
	}
	if len(slots) == 0 || len(k.More) > 0 {
		panic(unknown("faults, which are all that it notes"))
	}
	text := w.block(k.Body, func() string { return names(slots) })
	for _, s := range slices.Backward(slots) {
		text = let(s.name, "false", text)
	}
	return call("push<grid>", operand(call("generate", w.counted(k.Dims), w.point(k.Dims, text))))
}

// pushed writes the push array of what the points of a map store.
func (w *writer) pushed(dims []ir.Dim, body []ir.Stmt) string {
	return call("push<grid>", operand(call("generate", w.counted(dims), w.point(dims, w.stores(body)))))
}

// collect makes the stores of a block results of the kernel. They are not ok where they are in loops, or loads
// follow of what they store elsewhere.
func (w *writer) collect(body []ir.Stmt, dims []ir.Dim) (stored []Result, ok bool) {
	local, stores := map[*ir.Buf]bool{}, map[*ir.Buf]*ir.Store{}
	ir.Walk(body, func(s ir.Stmt) {
		if d, ok := s.(*ir.DeclBuf); ok {
			local[d.Buf] = true
		}
	})
	same, loads := map[*ir.Var]ir.Expr{}, []*ir.Load(nil)
	ok = true
	place := func(x ir.Expr) ir.Expr { return ir.MapExpr(x, func(x ir.Expr) ir.Expr { return or(same, x) }) }
	ir.Walk(body, func(s ir.Stmt) {
		if d, is := s.(*ir.Decl); is && d.Init != nil && w.fixed(d.Var) && ir.IsLoadFree(d.Init) {
			same[d.Var] = place(d.Init)
		}
	})
	var visit func(list []ir.Stmt, kept bool)
	visit = func(list []ir.Stmt, kept bool) {
		for _, s := range list {
			ir.Walk([]ir.Stmt{s}, func(s ir.Stmt) {
				for _, x := range ir.Exprs(s) {
					ir.WalkExpr(x, func(x ir.Expr) {
						l, is := x.(*ir.Load)
						if !is || stores[l.Buf] == nil {
							return
						}
						to := w.sinks[stores[l.Buf]]
						ok = ok && !to.kept && ir.Same(place(l.Index), place(stores[l.Buf].Index))
						to.read, w.names[l], loads = true, to.x, append(loads, l)
					})
				}
			})
			switch s := s.(type) {
			case *ir.If:
				visit(s.Then, true)
				visit(s.Else, true)
			case *ir.Store:
				if local[s.Buf] {
					break
				}
				ok = ok && stores[s.Buf] == nil
				stores[s.Buf] = s
				plain := !kept && w.rowMajor(s.Index, dims)
				w.sinks[s] = &sink{keep: w.name("kept"), at: w.name("at"), x: w.name("x"), kept: kept, plain: plain, elem: s.Buf.Elem}
				stored = append(stored, Result{Buf: s.Buf, Placed: !plain, Kept: kept})
			default:
				ir.Walk([]ir.Stmt{s}, func(s ir.Stmt) {
					switch s := s.(type) {
					case *ir.Store:
						ok = ok && local[s.Buf]
					case *ir.Copy:
						ok = ok && local[s.Dst]
					}
				})
			}
		}
	}
	visit(body, false)
	if !ok {
		clear(w.sinks)
		for _, l := range loads {
			delete(w.names, l)
		}
	}
	return stored, ok
}

// or returns what stands for a variable, or the expression.
func or(same map[*ir.Var]ir.Expr, x ir.Expr) ir.Expr {
	if u, ok := x.(*ir.Use); ok && same[u.Var] != nil {
		return same[u.Var]
	}
	return x
}

// fixed reports whether nothing assigns to a variable that has been declared.
func (w *writer) fixed(v *ir.Var) bool { return !w.assigned[v] }

// stores writes statements, and then what they store, for results.
func (w *writer) stores(body []ir.Stmt) string {
	return w.results(body, func(tail func() string) string { return w.block(body, tail) })
}

// results writes what statements store behind a text whose end that is.
func (w *writer) results(body []ir.Stmt, write func(tail func() string) string) string {
	var sinks []*sink
	ir.Walk(body, func(s ir.Stmt) {
		if st, ok := s.(*ir.Store); ok && w.sinks[st] != nil {
			sinks = append(sinks, w.sinks[st])
		}
	})
	text := write(func() string {
		var list []string
		for _, s := range sinks {
			switch {
			case s.kept:
				list = append(list, tuple([]string{s.keep, s.at, s.x}))
			case s.plain:
				list = append(list, s.x)
			default:
				list = append(list, tuple([]string{s.at, s.x}))
			}
		}
		return tuple(list)
	})
	for _, s := range slices.Backward(sinks) {
		if s.kept {
			text = let(s.keep, "false", let(s.at, "0", let(s.x, zero(s.elem), text)))
		}
	}
	return text
}

// inOrder writes statements that one work-item executes, or points as if one did: they give what arrays and
// variables are then.
func (w *writer) inOrder(body []ir.Stmt) string {
	var list []string
	var gives []Result
	for _, b := range w.k.Writes {
		list = append(list, w.buf(b))
		gives = append(gives, Result{Buf: b, Whole: true})
		if !slices.Contains(w.k.Read, b) {
			w.params = append(w.params, Param{Name: w.buf(b), Buf: b})
		}
	}
	for _, v := range w.k.Outs {
		list = append(list, w.v(v))
		gives = append(gives, Result{Var: v})
	}
	w.gives = [][]Result{gives}
	return w.block(body, func() string { return tuple(list) })
}
