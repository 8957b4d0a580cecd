package flow

import "github.com/tailor-lang/tailor/laila/ir"

// MoveFrees moves every Free to the place after the last statement of its block
// that mentions the buffer.
func MoveFrees(f *ir.Func) { f.Body, _ = tidyBlock(f.Body) }

// tidyBlock returns the block with its frees moved, and the buffers that it
// mentions.
func tidyBlock(block []ir.Stmt) ([]ir.Stmt, map[*ir.Buf]bool) {
	last := map[*ir.Buf]int{}
	free := map[*ir.Buf]bool{}
	mentioned := map[*ir.Buf]bool{}
	for i, s := range block {
		if f, ok := s.(*ir.Free); ok {
			free[f.Buf] = true
			continue
		}
		for b := range tidyStmt(s) {
			last[b] = i
			mentioned[b] = true
		}
	}
	if len(free) == 0 {
		return block, mentioned
	}
	after := map[int][]*ir.Buf{}
	for _, s := range block {
		if f, ok := s.(*ir.Free); ok {
			i := -1
			if n, ok := last[f.Buf]; ok {
				i = n
			}
			after[i] = append(after[i], f.Buf)
		}
	}
	var out []ir.Stmt
	for i, s := range block {
		if _, ok := s.(*ir.Free); !ok {
			out = append(out, s)
		}
		for _, b := range after[i] {
			out = append(out, &ir.Free{Buf: b})
		}
	}
	return out, mentioned
}

// tidyStmt tidies the blocks of s and returns the buffers it mentions.
func tidyStmt(s ir.Stmt) map[*ir.Buf]bool {
	m := map[*ir.Buf]bool{}
	sub := func(block *[]ir.Stmt) {
		var inner map[*ir.Buf]bool
		*block, inner = tidyBlock(*block)
		for b := range inner {
			m[b] = true
		}
	}
	for _, blk := range ir.Blocks(s) {
		sub(blk)
	}
	ir.EachBuffer(s, func(b *ir.Buf) { m[b] = true })
	return m
}
