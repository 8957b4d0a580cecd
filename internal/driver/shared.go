package driver

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"github.com/tailor-lang/tailor/cgen"
	"github.com/tailor-lang/tailor/laila/ir"
)

// Exported returns the C source of a program whose entry is called by the name
// Options.Export, and the lowered entry.
func (c *Compilation) Exported() (source string, entry *ir.Func, err error) {
	source, err = c.C("")
	if err != nil {
		return "", nil, err
	}
	return source, c.loops.Entry, nil
}

// Shared returns the path of a shared object of several C sources and the run-time
// library, which exports the symbols of some patterns.
func (c *Cache) Shared(cc *Compiler, sources []string, o Options, exports []string) (string, error) {
	if err := c.probe(cc); err != nil {
		return "", err
	}
	if o.Target == OpenMP {
		if err := c.CheckOpenMP(cc); err != nil {
			return "", err
		}
	}
	all := strings.Join(sources, "\x00")
	name := "so-" + key(all, strings.Join(exports, " "), runTimeHash(), cc.identity(), strings.Join(cc.Flags(o, ""), "\x00"))
	return c.make(name, func(path string) error {
		dir := filepath.Dir(path)
		if err := writeRunTime(dir); err != nil {
			return err
		}
		objects, err := cc.objects(dir, sources, o)
		if err != nil {
			return err
		}
		library, err := c.runTimeObjects(cc, o, cgen.AllParts())
		if err != nil {
			return err
		}
		limits, err := exportFlags(dir, exports)
		if err != nil {
			return err
		}
		args := append(append(cc.Flags(o, ""), "-shared", "-o", path), limits...)
		args = append(append(args, objects...), library...)
		return cc.run(dir, append(append(args, cc.libraries(o)...), "-lpthread")...)
	})
}

// objects compiles C sources, some at a time, and returns the paths of the objects.
func (cc *Compiler) objects(dir string, sources []string, o Options) ([]string, error) {
	paths, errs := make([]string, len(sources)), make([]error, len(sources))
	var wait sync.WaitGroup
	free := make(chan bool, runtime.GOMAXPROCS(0))
	for i, source := range sources {
		file := filepath.Join(dir, fmt.Sprintf("unit%d.c", i))
		paths[i] = strings.TrimSuffix(file, ".c") + ".o"
		if err := os.WriteFile(file, []byte(source), 0o600); err != nil {
			return nil, err
		}
		wait.Go(func() {
			free <- true
			errs[i] = cc.run(dir, append(cc.Flags(o, source), "-c", "-o", paths[i], file)...)
			<-free
		})
	}
	wait.Wait()
	return paths, errors.Join(errs...)
}

// exportFlags returns what tells the linker to export the symbols of patterns only.
func exportFlags(dir string, patterns []string) (flags []string, err error) {
	if runtime.GOOS == "darwin" {
		for _, p := range patterns {
			flags = append(flags, "-Wl,-exported_symbol,_"+p)
		}
		return flags, nil
	}
	script := filepath.Join(dir, "exports.map")
	text := fmt.Sprintf("{ global: %s; local: *; };\n", strings.Join(patterns, "; "))
	return []string{"-Wl,--version-script=" + script}, os.WriteFile(script, []byte(text), 0o600)
}
