//go:build !amd64

package prim

// fused: Go's loops are used.
const fused = false

func fmaTile(z *float64, zBytes int, x *float64, xBytes int, y *float64, n int) {
	panic("internal error: prim: no tiles of products on this processor")
}

func fmaLanes(sums *float64, x, y *float64, n int) {
	panic("internal error: prim: no lanes of products on this processor")
}
