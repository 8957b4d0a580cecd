package prim

import "golang.org/x/sys/cpu"

// fused reports whether the processor has the instructions of fmaTile.
var fused = cpu.X86.HasAVX2 && cpu.X86.HasFMA

// fmaTile adds to four rows of eight sums, rows zBytes apart, the products of n terms:
// those of four rows at x, xBytes apart, and of n rows of eight at y, each in one fused
// multiply-add, in the order of the terms.
//
//go:noescape
func fmaTile(z *float64, zBytes int, x *float64, xBytes int, y *float64, n int)

// fmaLanes adds to sixteen sums in turn the products of n elements, a positive multiple
// of sixteen, each in one fused multiply-add.
//
//go:noescape
func fmaLanes(sums *float64, x, y *float64, n int)
