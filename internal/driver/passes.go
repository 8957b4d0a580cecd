package driver

import (
	"github.com/tailor-lang/tailor/laila"
	"github.com/tailor-lang/tailor/tail/opt"
)

// Passes returns the names of the passes that can be left out, and what they
// do: those over TAIL, then those that make its arrays into loops.
func Passes() (names, docs []string) {
	names, docs = opt.Passes()
	more, moreDocs := laila.Passes()
	return append(names, more...), append(docs, moreDocs...)
}

// DumpedPasses returns the names of those after which there is a program to look at.
func DumpedPasses() []string {
	names, _ := opt.Passes()
	return append(names, laila.Rewrites()...)
}

// skipped returns the set of passes that are left out.
func (o *Options) skipped() map[string]bool {
	names := o.Skip
	if o.Level0 {
		names, _ = Passes()
	}
	skip := map[string]bool{}
	for _, name := range names {
		skip[name] = true
	}
	return skip
}
