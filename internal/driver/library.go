package driver

import (
	"github.com/tailor-lang/tailor/laila/ir"
)

// Library returns the path of a shared object of the program, whose entry is called by
// the name Options.Export, and the lowered entry, whose parameters and results cgen
// passes in words.
func (c *Compilation) Library(cache *Cache, cc *Compiler) (path string, entry *ir.Func, err error) {
	source, err := c.C("")
	if err != nil {
		return "", nil, err
	}
	err = c.timed("cc", func() (err error) {
		path, err = cache.Binary(cc, source, c.Options)
		return err
	})
	if err != nil {
		return "", nil, err
	}
	return path, c.loops.Entry, nil
}

// Part returns the key of the program among Parts, and the lowered entry as Library
// does.
func (c *Compilation) Part() (name string, entry *ir.Func, err error) {
	source, err := c.C("")
	if err != nil {
		return "", nil, err
	}
	return key(source), c.loops.Entry, nil
}

// Kept is Library where the cache has the shared object; ok is false where it is to be
// made.
func (c *Compilation) Kept(cache *Cache, cc *Compiler) (path string, entry *ir.Func, ok bool) {
	source, err := c.C("")
	if err != nil || cache.probe(cc) != nil {
		return "", nil, false
	}
	path, ok = cache.lookup(binaryName(cc, source, cc.Flags(c.Options, source)))
	return path, c.loops.Entry, ok
}
