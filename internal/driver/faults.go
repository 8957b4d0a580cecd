package driver

import (
	"embed"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/tailor-lang/tailor/internal/seal"
)

// A compilerFault is a fault of some C compilers: the program in probe/, whose
// exit status is 1 where it was compiled wrongly, and the narrowest flags under
// which it is not.
type compilerFault struct {
	name  string
	avoid []string
}

//go:embed probe/*.c
var probes embed.FS

// compilerFaults are looked for once for every compiler and processor.
var compilerFaults = []compilerFault{
	{"widecopy", []string{"-mmove-max=128", "-mstore-max=128"}},
}

// probe finds the faults of the compiler, or what was found before, and has
// later compilations avoid them.
func (c *Cache) probe(cc *Compiler) error {
	if cc.probed {
		return nil
	}
	path, err := c.make("faults-"+key(runTimeHash(), cc.identity()), func(path string) error {
		found, err := cc.examine(filepath.Dir(path))
		if err != nil {
			return err
		}
		return os.WriteFile(path, []byte(strings.Join(found, " ")), 0o600)
	})
	if err != nil {
		return err
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	found, _ := seal.Contents(text)
	cc.around, cc.probed = strings.Fields(string(found)), true
	return nil
}

// examine compiles and runs the probes, and returns the flags that avoid what
// they show. Flags that do not help are left out.
func (cc *Compiler) examine(dir string) ([]string, error) {
	if err := cc.try(dir, nil); err != nil {
		return nil, err
	}
	var around []string
	for _, f := range compilerFaults {
		if cc.shows(dir, f.name, nil) && !cc.shows(dir, f.name, f.avoid) && cc.try(dir, f.avoid) == nil {
			around = append(around, f.avoid...)
		}
	}
	return around, nil
}

// shows reports whether a probe runs and finds its fault.
func (cc *Compiler) shows(dir, name string, more []string) bool {
	text, err := probes.ReadFile("probe/" + name + ".c")
	file, program := filepath.Join(dir, name+".c"), filepath.Join(dir, name)
	if err != nil || os.WriteFile(file, text, 0o600) != nil {
		return false
	}
	args := append(append(cc.flags(Options{Target: C}, []string{"-O3"}), more...), "-o", program, file)
	if _, err := cc.start(dir, args...); err != nil {
		return false
	}
	err = exec.Command(program).Run()
	exit, ok := err.(*exec.ExitError)
	return ok && exit.ExitCode() == 1
}
