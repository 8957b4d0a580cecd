package gradual

import (
	"os"
	"runtime"
	"sync"

	"github.com/tailor-lang/tailor/internal/seal"
	"github.com/tailor-lang/tailor/interp"
)

// Units returns the functions that Compile made, in order.
func (c *Compiler) Units() []*interp.Unit {
	var all []*interp.Unit
	for _, f := range c.log {
		all = append(all, f.unit)
	}
	return all
}

// Compiled returns the contents of the shared objects of units by their keys (see
// driver.Parts). Units that cannot be compiled are left out.
func (c *Compiler) Compiled(units []*interp.Unit) map[string][]byte {
	if c.once.Do(c.start); c.cc == nil {
		return nil
	}
	parts := map[string][]byte{}
	work := make(chan *interp.Unit)
	var lock sync.Mutex
	var wait sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wait.Go(func() {
			for u := range work {
				if name, object := c.object(u); object != nil {
					lock.Lock()
					parts[name] = object
					lock.Unlock()
				}
			}
		})
	}
	for _, u := range units {
		work <- u
	}
	close(work)
	wait.Wait()
	return parts
}

// Stretches returns the statements among units.
func Stretches(units []*interp.Unit) (all []interp.Stretch) {
	for _, u := range units {
		if u.Once {
			all = append(all, interp.Stretch{From: u.Where.Start, To: u.Where.End, Scalars: u.Scalars})
		}
	}
	return all
}

// object returns the key and the contents of the shared object of a unit; nil if it
// has none.
func (c *Compiler) object(u *interp.Unit) (name string, object []byte) {
	defer func() {
		if recover() != nil { // it has no type
			object = nil
		}
	}()
	p := c.compilation(u)
	path, _, err := p.Library(c.cache, c.cc)
	if err != nil {
		return "", nil
	}
	if object, err = os.ReadFile(path); err != nil {
		return "", nil
	}
	object, _ = seal.Contents(object)
	name, _, _ = p.Part()
	return name, object
}
