package value

// Shaped returns items in a shape; each is enclosed where the array is a scalar.
func Shaped(shape []int, items []*Array) *Array {
	switch {
	case len(items) == 0:
		return Empty(shape, Int64(0))
	case len(shape) == 0:
		return Enclose(items[0])
	}
	return FromItems(shape, items)
}
