package clgen

import "github.com/tailor-lang/tailor/opencl"

// rowShape is how a segmented reduction runs.
type rowShape uint8

// The shapes. The zero value is "unset".
const (
	noRowShape rowShape = iota
	itemRows            // a work-item a segment
	groupRows           // a work-group a segment
	partRows            // several work-groups a segment
)

// rowShape chooses the shape for a number of segments of a length, and the
// number of work-groups that share one. Asked is what the program asks for.
func (t Thresholds) rowShape(asked rowShape, segments, length int64, divisible bool) (rowShape, int64) {
	switch {
	case asked == partRows:
		return partRows, max(1, min(length/(t.GroupSize*t.PerItem), t.MaxGroups/max(segments, 1)))
	case asked != noRowShape:
		return asked, 1
	case segments >= t.SegmentItems || length < t.SegmentLength:
		return itemRows, 1
	case segments >= t.SegmentGroups || !divisible:
		return groupRows, 1
	}
	parts := min(length/(t.GroupSize*t.PerItem), t.MaxGroups/max(segments, 1))
	if parts <= 1 {
		return groupRows, 1
	}
	return partRows, parts
}

// launchRows runs a segmented reduction on the device; sizes ends with the
// bounds of a segment's axes.
func (m *machine) launchRows(l *launcher, fr *frame, segments int64, sizes []int64) {
	k := l.k
	length := int64(1)
	for i := 2*len(k.dims) + 1; i < len(sizes); i += 2 {
		length *= sizes[i]
	}
	shape, parts := m.rowShape(k.level, segments, length, k.rows.divisible())
	switch shape {
	case itemRows:
		global, local := m.spread(k, segments, sizes)
		m.enqueue(m.arguments(l, k.name, fr, sizes, nil), global, local)
	case groupRows:
		m.enqueue(m.arguments(l, k.name+"_group", fr, sizes, nil), segments*m.GroupSize, m.GroupSize)
	case partRows:
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
