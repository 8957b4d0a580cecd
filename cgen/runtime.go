package cgen

import "github.com/tailor-lang/tailor/laila"

func (b *body) runtime(s *laila.Runtime) { panic("internal error: run-time function " + s.Fn) }
