package clgen

import (
	"fmt"

	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/laila/flow"
	"github.com/tailor-lang/tailor/laila/ir"
)

// Level asks for the reductions of rows, the scans and the inner products of a statement to run at a
// level, whatever their number and length: a work-item, a slice of a work-group, a work-group or several
// groups for each row or scan; work-items for rows of products by themselves, or a group for each tile of them. At is
// the annotation that says so, Of the statement.
type Level struct {
	Name   string // thread, warp, block or grid
	At, Of diag.Span
}

// follow makes kernels run at the level that an annotation asks for. It returns why none does,
// or "".
func (pl *planner) follow(l Level) string {
	why := "no kernel of its own computes a reduction or a scan of this statement"
	followed := false
	for _, k := range pl.plan.list {
		switch {
		case !k.reducesIn(l.Of):
		case pl.plan.Schedule != Groups:
			why = "a CPU's work-items have contiguous chunks; the schedule for GPUs has levels"
		case l.Name == "warp" && (k.shape == scanShape || k.product != nil):
			why = "a warp makes neither scans nor inner products"
		case k.shape == scanShape:
			followed = true
			if l.Name != "grid" {
				k.level = l.Name
			}
		case k.product != nil && l.Name == "grid":
			why = "the terms of an inner product are added by one work-item"
		case k.product != nil:
			followed = true
			if l.Name == "thread" {
				k.product = nil
			}
		case k.shape == reduceShape && l.Name == "grid":
			followed = true
		case k.shape == reduceShape:
			why = "the whole array is reduced, by the grid"
		case k.rows == nil && l.Name == "thread":
			followed = true
		case k.rows == nil:
			why = "its kernel has other loops, too, and a work-item for each point"
		case l.Name == "warp" && !k.rows.single():
			why = "several reductions share a row"
		case l.Name == "grid" && !k.rows.divisible():
			why = "several reductions share a row, or doubles are added in the order that the C target has"
		default:
			k.level, followed = l.Name, true
		}
	}
	if followed {
		return ""
	}
	return why
}

// reducesIn reports whether a kernel has a reduction, or a scan, that a statement asks for.
func (k *kernel) reducesIn(of diag.Span) bool {
	if k.shape == reduceShape && k.nest != nil && of.Covers(k.nest.At) {
		return true
	}
	if k.product != nil {
		return of.Covers(k.at) || of.Covers(k.product.k.At)
	}
	if k.shape == scanShape {
		return k.scan.Keep == nil && of.Covers(k.at)
	}
	found := false
	for _, list := range [][]ir.Stmt{k.body, k.inner} {
		ir.Walk(list, func(s ir.Stmt) {
			switch s := s.(type) {
			case *ir.Nest:
				found = found || s.Kind == ir.SegRed && of.Covers(s.At)
			case *ir.For:
				scan, ok := flow.ScanOf(s, true)
				found = found || ok && scan.Keep == nil && of.Covers(k.at)
			}
		})
	}
	return found || k.rows != nil && of.Covers(k.at)
}

// Follows says of each annotation of a level whether it is followed, or why not.
func (p *Plan) Follows() (all []string) {
	for i, l := range p.Levels {
		line, _ := l.At.Src.Position(l.At.Start)
		text := fmt.Sprintf("line %d : <%s>   followed", line, l.Name)
		if why := p.unfollowed[i]; why != "" {
			text = fmt.Sprintf("line %d : <%s>   not followed: %s", line, l.Name, why)
		}
		all = append(all, text)
	}
	return all
}
