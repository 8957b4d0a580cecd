package eval

// slotSet is a set of small numbers.
type slotSet []uint64

func (b slotSet) has(i int) bool { return i>>6 < len(b) && b[i>>6]>>(i&63)&1 != 0 }

func (b *slotSet) add(i int) {
	for i>>6 >= len(*b) {
		*b = append(*b, 0)
	}
	(*b)[i>>6] |= 1 << (i & 63)
}

func (b slotSet) remove(i int) {
	if i>>6 < len(b) {
		b[i>>6] &^= 1 << (i & 63)
	}
}

func (b slotSet) clone() slotSet { return append(slotSet{}, b...) }

// merge adds the elements of c.
func (b *slotSet) merge(c slotSet) {
	for len(*b) < len(c) {
		*b = append(*b, 0)
	}
	for i, w := range c {
		(*b)[i] |= w
	}
}
