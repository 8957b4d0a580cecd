package num

// Blocks of doubles, eight lanes at a time: the accumulators stay in registers.

// half is the number of lanes that one pass through a block takes.
const half = Lanes / 2

// FoldDoubles is Fold of doubles.
func FoldDoubles(v []float64, product bool) float64 {
	if len(v) > 0 && len(v) <= Lanes {
		return foldShort(v, product)
	}
	zero := neutral[float64](product)
	all := zero
	for ; len(v) > 0; v = v[min(SuperBlock, len(v)):] {
		super := zero
		for part := v[:min(SuperBlock, len(v))]; len(part) > 0; part = part[min(Block, len(part)):] {
			super = combined(super, foldBlock(part[:min(Block, len(part))], product), product)
		}
		all = combined(all, super, product)
	}
	return all
}

// foldShort reduces at least one double from the first to the last.
func foldShort(v []float64, product bool) float64 {
	z := v[0]
	for _, x := range v[1:] {
		z = combined(z, x, product)
	}
	return z
}

// foldBlock reduces the doubles of a block.
func foldBlock(v []float64, product bool) float64 {
	var lanes [Lanes]float64
	fill(lanes[:], neutral[float64](product))
	whole := v[:len(v)/Lanes*Lanes]
	low, high := (*[half]float64)(lanes[:half]), (*[half]float64)(lanes[half:])
	if product {
		multiplyLanes(low, whole, 0)
		multiplyLanes(high, whole, half)
	} else {
		addLanes(low, whole, 0)
		addLanes(high, whole, half)
	}
	for l, x := range v[len(whole):] {
		lanes[l] = combined(lanes[l], x, product)
	}
	return foldShort(lanes[:], product)
}

// addLanes adds eight terms of every Lanes of v, from term at on, to their lanes.
func addLanes(lanes *[half]float64, v []float64, at int) {
	a, b, c, d, e, f, g, h := lanes[0], lanes[1], lanes[2], lanes[3], lanes[4], lanes[5], lanes[6], lanes[7]
	for i := at; i <= len(v)-half; i += Lanes {
		x := (*[half]float64)(v[i:])
		a += x[0]
		b += x[1]
		c += x[2]
		d += x[3]
		e += x[4]
		f += x[5]
		g += x[6]
		h += x[7]
	}
	*lanes = [half]float64{a, b, c, d, e, f, g, h}
}

// multiplyLanes is addLanes of products.
func multiplyLanes(lanes *[half]float64, v []float64, at int) {
	a, b, c, d, e, f, g, h := lanes[0], lanes[1], lanes[2], lanes[3], lanes[4], lanes[5], lanes[6], lanes[7]
	for i := at; i <= len(v)-half; i += Lanes {
		x := (*[half]float64)(v[i:])
		a *= x[0]
		b *= x[1]
		c *= x[2]
		d *= x[3]
		e *= x[4]
		f *= x[5]
		g *= x[6]
		h *= x[7]
	}
	*lanes = [half]float64{a, b, c, d, e, f, g, h}
}
