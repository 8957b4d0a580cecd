// Package reduce lowers reductions, scans and inner products to loops.
//
//	reduce.go ordered*.go            reductions; sums in the order of num.Ordered
//	reducewindows.go windows.go      reductions of windows, sliding sums
//	scan.go                          scans
//	onehot.go panels.go              sums of groups, of columns a panel at a time
//	inner.go product.go terms.go     inner products, chains of terms
//	strides.go                       terms that are read at a stride
//	block.go thin.go                 inner products in packed blocks, of long axes
package reduce
