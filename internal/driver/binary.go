package driver

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"github.com/tailor-lang/tailor/cgen"
	"github.com/tailor-lang/tailor/internal/seal"
)

// runTimeObjects returns the paths of objects of the run-time library, each compiled
// once for a compiler and flags.
func (c *Cache) runTimeObjects(cc *Compiler, o Options, parts []cgen.Part) ([]string, error) {
	if o.Target == OpenCL {
		parts = []cgen.Part{{File: "rt.c"}}
	}
	paths, errs := make([]string, len(parts)), make([]error, len(parts))
	var wait sync.WaitGroup
	free := make(chan bool, runtime.GOMAXPROCS(0))
	for i, p := range parts {
		wait.Go(func() {
			free <- true
			paths[i], errs[i] = c.runTimeObject(cc, o, p)
			<-free
		})
	}
	wait.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return paths, nil
}

// runTimeObject returns the path of the object of a part of the library.
func (c *Cache) runTimeObject(cc *Compiler, o Options, p cgen.Part) (string, error) {
	flags := cc.flags(o, libraryLevel)
	if p.Rare {
		flags = cc.flags(o, rareLevel)
	}
	name := "rt-" + key(runTimeHash(), cc.identity(), p.File, strings.Join(flags, "\x00"))
	return c.make(name+".o", func(path string) error {
		dir := filepath.Dir(path)
		if err := writeRunTime(dir); err != nil {
			return err
		}
		return cc.run(dir, append(append([]string{}, flags...), "-c", "-o", path, filepath.Join(dir, p.File))...)
	})
}

// CheckOpenMP returns a *MissingTool when the compiler cannot link OpenMP
// programs: clang's library is a package of its own.
func (c *Cache) CheckOpenMP(cc *Compiler) error {
	_, err := c.make("omp-"+key(cc.identity()), func(path string) error {
		dir, file := filepath.Dir(path), path+".c"
		if err := os.WriteFile(file, []byte("#include <omp.h>\nint main(void) { return omp_get_max_threads() < 1; }\n"), 0o600); err != nil {
			return err
		}
		out, err := cc.start(dir, append(append([]string{}, cc.Args...), "-fopenmp", "-o", path, file)...)
		if err == nil {
			return nil
		}
		if missing := cc.try(dir, nil); missing != nil {
			return missing
		}
		return &MissingTool{fmt.Sprintf("target omp needs OpenMP, which %s does not have here (%s); install libomp-dev for clang, set CC=gcc, or use --target c", cc.Path, firstError(out, err))}
	})
	return err
}

// binaryName is the name of the cache's entry for a C source.
func binaryName(cc *Compiler, source string, flags []string) string {
	return "c-" + key(source, runTimeHash(), cc.identity(), strings.Join(flags, "\x00"))
}

// Binary returns the path of a program compiled from C, from the cache when
// it is there.
func (c *Cache) Binary(cc *Compiler, source string, o Options) (string, error) {
	if err := c.probe(cc); err != nil {
		return "", err
	}
	if o.Target == OpenMP {
		if err := c.CheckOpenMP(cc); err != nil {
			return "", err
		}
	}
	flags := cc.Flags(o, source)
	return c.make(binaryName(cc, source, flags), func(path string) error {
		library := make(chan result, 1)
		go func() {
			objects, err := c.runTimeObjects(cc, o, cgen.Parts(source))
			library <- result{objects, err}
		}()
		object, err := cc.object(filepath.Dir(path), source, flags)
		made := <-library
		if err == nil {
			err = made.err
		}
		if err != nil {
			return err
		}
		if err = cc.link(o, flags, path, object, made.paths); err == nil || len(made.paths) == len(cgen.AllParts()) {
			return err
		}
		all, err := c.runTimeObjects(cc, o, cgen.AllParts()) // the source did not show what it needs
		if err != nil {
			return err
		}
		return cc.link(o, flags, path, object, all)
	})
}

// link makes a program of its object and those of the library.
func (cc *Compiler) link(o Options, flags []string, path, object string, library []string) error {
	args := append(append([]string{}, flags...), "-o", path, object)
	args = append(args, library...)
	if o.Export != "" {
		args = append(args, "-shared")
	}
	return cc.run(filepath.Dir(path), append(args, cc.libraries(o)...)...)
}

// object compiles a program in a directory, and returns the path of the object.
func (cc *Compiler) object(dir, source string, flags []string) (string, error) {
	if err := writeRunTime(dir); err != nil {
		return "", err
	}
	file, object := filepath.Join(dir, "program.c"), filepath.Join(dir, "program.o")
	if err := os.WriteFile(file, []byte(source), 0o600); err != nil {
		return "", err
	}
	return object, cc.run(dir, append(append([]string{}, flags...), "-c", "-o", object, file)...)
}

// result is files that were made, or why they were not.
type result struct {
	paths []string
	err   error
}

// sourceEntry is the name of the cache's entry for a source: a link to the
// binary, found without running the front end.
func (c *Compilation) sourceEntry(cc *Compiler) string {
	return "run-" + key(selfIdentity(), cc.identity(), c.Source.Name, c.Source.Text, string(c.Target),
		boolText(c.Wrap), boolText(c.Trust), boolText(c.Reproducible), boolText(c.Relaxed), boolText(c.Level0), boolText(c.Quick), boolText(c.ShareAll), boolText(c.Profile), boolText(c.Progress), fmt.Sprint(c.Device), strings.Join(c.Skip, ","), fmt.Sprint(c.Upto), strings.Join(c.Flags, "\x00"))
}

func boolText(b bool) string {
	if b {
		return "1"
	}
	return "0"
}

// selfIdentity is a text that changes when this program does.
func selfIdentity() string {
	path, err := os.Executable()
	if err != nil {
		return ""
	}
	info, err := os.Stat(path)
	if err != nil {
		return path
	}
	return path + info.ModTime().String()
}

// Build returns the path of the compiled program, in the cache. Where passes
// are to be looked at, they run even if the program is there.
func (c *Compilation) Build(cache *Cache, cc *Compiler) (string, error) {
	if c.Verify || c.Dump != nil {
		return c.binary(cache, cc)
	}
	return cache.make(c.sourceEntry(cc), func(path string) error {
		binary, err := c.binary(cache, cc)
		if err != nil {
			return err
		}
		if os.Link(binary, path) == nil { // a second name for the same file
			return nil
		}
		return CopyExecutable(binary, path)
	})
}

// Ready returns the path of the compiled program where the cache has it.
func (c *Compilation) Ready(cache *Cache, cc *Compiler) (path string, ok bool) {
	return cache.lookup(c.sourceEntry(cc))
}

// binary compiles the program.
func (c *Compilation) binary(cache *Cache, cc *Compiler) (path string, err error) {
	source, err := c.C("")
	if err != nil {
		return "", err
	}
	err = c.timed("cc", func() (err error) {
		path, err = cache.Binary(cc, source, c.Options)
		return err
	})
	return path, err
}

// CopyExecutable copies a compiled program out of the cache.
func CopyExecutable(path, out string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	text, _ = seal.Contents(text)
	// A running program cannot be written to, but its name can be reused.
	os.Remove(out)
	if err := os.WriteFile(out, text, 0o755); err != nil {
		return writeError(out, err)
	}
	return nil
}

// writeError returns a message without the name of the system call.
func writeError(name string, err error) error {
	return fmt.Errorf("cannot write %s: %w", name, systemError(err))
}
