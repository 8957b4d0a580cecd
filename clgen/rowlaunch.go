package clgen

import (
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/opencl"
)

// rowShape chooses the shape for a number of segments of a length, and the
// number of work-groups that share one. Asked is what the program asks for.
func (t Thresholds) rowShape(asked ir.RowShape, segments, length int64, divisible bool) (ir.RowShape, int64) {
	switch {
	case asked == ir.PartRows:
		return ir.PartRows, max(1, min(length/(t.GroupSize*t.PerItem), t.MaxGroups/max(segments, 1)))
	case asked != ir.NoRows:
		return asked, 1
	case segments >= t.SegmentItems || length < t.SegmentLength:
		return ir.ItemRows, 1
	case segments >= t.SegmentGroups || !divisible:
		return ir.GroupRows, 1
	}
	parts := min(length/(t.GroupSize*t.PerItem), t.MaxGroups/max(segments, 1))
	if parts <= 1 {
		return ir.GroupRows, 1
	}
	return ir.PartRows, parts
}

// launchRows runs a segmented reduction of segments of a length on the device; sizes ends
// with the bounds of a segment's axes.
func (m *machine) launchRows(l *launcher, fr *frame, segments, length int64, sizes []int64) {
	k := l.k
	shape, parts := m.rowShape(k.level, segments, length, k.rows.divisible())
	switch shape {
	case ir.ItemRows:
		global, local := m.spread(k, segments, sizes)
		m.enqueue(m.arguments(l, k.name, fr, sizes, nil), global, local)
	case ir.GroupRows:
		m.enqueue(m.arguments(l, k.name+"_group", fr, sizes, nil), segments*m.GroupSize, m.GroupSize)
	case ir.PartRows:
		partials := m.partials(k, segments*parts)
		m.enqueue(m.arguments(l, k.name+"_part", fr, sizes, partials, parts), segments*parts*m.GroupSize, m.GroupSize)
		m.enqueue(m.arguments(l, k.name+"_rows", fr, sizes, partials, parts), segments*m.GroupSize, m.GroupSize)
		m.giveBack(partials)
	}
}

// giveBack returns buffers to the pool.
func (m *machine) giveBack(list []*opencl.Buffer) {
	for _, b := range list {
		m.pool[b.Size] = append(m.pool[b.Size], b)
	}
}
