package cgen

import "embed"

// RunTime holds the run-time library: rt/tailor.h, which emitted code
// includes, and rt/rt.c, the one translation unit to compile and link, with
// what they include.
//
//go:embed rt/*.c rt/*.h
var RunTime embed.FS
