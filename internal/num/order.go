package num

// The order of sums and products of doubles, and of sums of complex numbers. The
// terms are cut into blocks; in each of them term i is added to lane i mod Lanes. The
// lanes of a block are added from the first to the last, and so are the blocks of a
// super-block, and the super-blocks. So up to Lanes terms are added from the first to
// the last, long sums are vector code, and blocks can be shared among threads, with
// the same digits everywhere.
const (
	Lanes      = 16
	Block      = 1024
	SuperBlock = 1 << 20
)

// Ordered reduces n terms in this order: step adds term i to an accumulator, join
// adds two accumulators, and zero is their neutral element.
func Ordered[T any](n int, zero T, step func(acc T, i int) T, join func(x, y T) T) T {
	all := zero
	for from := 0; from < n; from += SuperBlock {
		super := zero
		for at := from; at < min(n, from+SuperBlock); at += Block {
			super = join(super, block(at, min(n, at+Block), zero, step, join))
		}
		all = join(all, super)
	}
	return all
}

// block reduces the terms from … to-1 of a block.
func block[T any](from, to int, zero T, step func(acc T, i int) T, join func(x, y T) T) T {
	lanes := [Lanes]T{}
	for l := range lanes {
		lanes[l] = zero
	}
	for i := from; i < to; i++ {
		l := (i - from) % Lanes
		lanes[l] = step(lanes[l], i)
	}
	sum := lanes[0]
	for _, x := range lanes[1:] {
		sum = join(sum, x)
	}
	return sum
}

// Number is what is added up in order.
type Number interface{ float64 | complex128 }

// Fold adds up the elements of v in order, or multiplies them.
func Fold[T Number](v []T, product bool) T {
	if d, ok := any(v).([]float64); ok {
		return any(FoldDoubles(d, product)).(T)
	}
	if len(v) > 0 && len(v) <= Lanes {
		z := v[0]
		for _, x := range v[1:] {
			z = combined(z, x, product)
		}
		return z
	}
	join := func(x, y T) T { return combined(x, y, product) }
	return Ordered(len(v), neutral[T](product), func(acc T, i int) T { return combined(acc, v[i], product) }, join)
}

// FoldRows is Fold of each column of a matrix v of n rows, into dst.
func FoldRows[T Number](dst, v []T, n int, product bool) {
	width := len(dst)
	lanes, super := make([]T, Lanes*width), make([]T, width)
	zero := neutral[T](product)
	fill(dst, zero)
	for from := 0; from < n; from += SuperBlock {
		fill(super, zero)
		for at := from; at < min(n, from+SuperBlock); at += Block {
			fill(lanes, zero)
			for i := at; i < min(n, at+Block); i++ {
				l := (i - at) % Lanes * width
				combineRows(lanes[l:l+width], v[i*width:(i+1)*width], product)
			}
			sum := lanes[:width]
			for l := width; l < len(lanes); l += width {
				combineRows(sum, lanes[l:l+width], product)
			}
			combineRows(super, sum, product)
		}
		combineRows(dst, super, product)
	}
}

func combineRows[T Number](acc, x []T, product bool) {
	x = x[:len(acc)]
	if product {
		for j := range acc {
			acc[j] *= x[j]
		}
		return
	}
	for j := range acc {
		acc[j] += x[j]
	}
}

func combined[T Number](x, y T, product bool) T {
	if product {
		return x * y
	}
	return x + y
}

// neutral returns the neutral element: of sums ¯0, which keeps the sign of zeros.
func neutral[T Number](product bool) T {
	if product {
		return 1
	}
	var zero T
	return -zero
}

func fill[T any](v []T, x T) {
	for i := range v {
		v[i] = x
	}
}
