package laila

import "github.com/tailor-lang/tailor/tail"

// oneNest reports whether all uses of a let-bound array are read at the same
// index by one consumer, so that it can stay delayed and each element is
// computed once.
func oneNest(e *tail.Let, live *liveness) bool { return false }
