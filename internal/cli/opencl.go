package cli

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tailor-lang/tailor/clgen"
	"github.com/tailor-lang/tailor/fcl"
	"github.com/tailor-lang/tailor/fcl/inline"
	"github.com/tailor-lang/tailor/internal/driver"
)

// openclFlags are the flags of the OpenCL target.
type openclFlags struct {
	schedule string
	trace    bool
	float    int
	clgen.Thresholds
}

func (f *openclFlags) register(cmd *cobra.Command) {
	d := clgen.DefaultThresholds()
	fs := cmd.Flags()
	fs.BoolVar(&f.trace, "trace", false, "with opencl: print launches and copies to stderr, and how many there were")
	fs.IntVar(&f.float, "float", 64, "with opencl: the width of doubles on the device, 64 or 32")
	fs.StringVar(&f.schedule, "schedule", "", "with opencl: groups (for GPUs) or chunks (for CPUs), by default what suits the device")
	fs.Int64Var(&f.HostWork, "host-work", d.HostWork, "with opencl: nests of less work run on the host")
	fs.Int64Var(&f.GroupSize, "group-size", d.GroupSize, "with opencl: work-items in a work-group, a power of 2")
	fs.Int64Var(&f.MaxGroups, "max-groups", d.MaxGroups, "with opencl: work-groups of a reduction")
	fs.Int64Var(&f.PerItem, "per-item", d.PerItem, "with opencl: elements for each work-item of a reduction")
	fs.Int64Var(&f.ItemsAUnit, "items-a-unit", d.ItemsAUnit, "with opencl: work-items for each compute unit of a CPU")
	fs.Int64Var(&f.ChunkWork, "chunk-work", d.ChunkWork, "with opencl: work for each work-item of a CPU")
	fs.Int64Var(&f.SortLength, "sort-length", d.SortLength, "with opencl: elements from which a vector that the host has is graded on the device")
	for _, name := range []string{"host-work", "group-size", "max-groups", "per-item", "items-a-unit", "chunk-work", "sort-length"} {
		fs.MarkHidden(name)
	}
}

// options checks the flags.
func (f *openclFlags) options() (clgen.Options, error) {
	o := clgen.Options{Thresholds: f.Thresholds, Narrow: f.float == 32}
	switch f.schedule {
	case "":
	case "chunks":
		o.Schedule = clgen.Chunks
	case "groups":
		o.Schedule = clgen.Groups
	default:
		return o, fmt.Errorf("there is no schedule %q; the schedules are groups and chunks", f.schedule)
	}
	switch t := o.Thresholds; {
	case f.float != 64 && f.float != 32:
		return o, fmt.Errorf("--float is 64 or 32, not %d", f.float)
	case t.GroupSize < 1 || t.GroupSize > 1024 || t.GroupSize&(t.GroupSize-1) != 0:
		return o, fmt.Errorf("BlockSize (--group-size) is a power of 2 up to 1024, not %d", t.GroupSize)
	case t.MaxGroups < 1 || t.PerItem < 1 || t.ItemsAUnit < 1:
		return o, fmt.Errorf("--max-groups, --per-item and --items-a-unit are positive")
	}
	return o, nil
}

// unfollowed prints the levels that the program asks for and kernels do not follow.
func unfollowed(w io.Writer, c *driver.Compilation) {
	for _, line := range c.Levels {
		if strings.Contains(line, "not followed") {
			fmt.Fprintf(w, "note: %s: %s\n", c.Source.Name, line)
		}
	}
}

// device returns the options for the device, with the parameters of FCL's library that
// --param gives; two of them are flags of their own as well.
func (f *compileFlags) device() (clgen.Options, error) {
	params, err := f.fcl.given()
	if err != nil {
		return clgen.Options{}, err
	}
	if n, ok := params["BlockSize"]; ok {
		f.cl.GroupSize = n
	}
	if n, ok := params["Groups"]; ok {
		f.cl.MaxGroups = n
	}
	o, err := f.cl.options()
	o.Params = params
	return o, err
}

// withBodies makes bodies in FCL compute the calls of dfns that have them, and returns them;
// nil where there are none.
func withBodies(f *compileFlags, c *driver.Compilation) (*inline.Bodies, error) {
	if filepath.Ext(c.Source.Name) == ".tail" {
		return nil, nil
	}
	tree, err := c.AST()
	if err != nil {
		return nil, nil // what comes next says why
	}
	params := fcl.DefaultParams
	if all, errs := inline.Find(tree); len(all)+len(errs) > 0 {
		params = defaultParams() // which looks for devices
	}
	_, params, err = f.fcl.arguments(c.Source, params)
	if err != nil {
		return nil, err
	}
	bodies, err := inline.Load(tree, params)
	if err != nil || bodies == nil {
		return nil, err
	}
	c.Device.Foreign, c.Keep = bodies, bodies.Keeps
	return bodies, nil
}

// runOpenCL runs a program on a device.
func runOpenCL(f *compileFlags, cmd *cobra.Command, c *driver.Compilation, args []string) error {
	o, err := f.device()
	if err != nil {
		return err
	}
	o.Foreign = c.Device.Foreign
	if _, err := c.Loops(); err != nil {
		return err
	}
	q, err := driver.Device(f.time, o.Narrow)
	if err != nil {
		return err
	}
	defer q.Close()
	var trace io.Writer
	if f.cl.trace {
		trace = cmd.ErrOrStderr()
	}
	stats, err := c.RunOpenCL(q, o, cmd.OutOrStdout(), trace, args)
	unfollowed(cmd.ErrOrStderr(), c)
	if f.cl.trace {
		fmt.Fprint(trace, stats)
	}
	if err != nil {
		return err
	}
	f.report(cmd.ErrOrStderr(), c)
	if f.time {
		fmt.Fprintf(cmd.ErrOrStderr(), "%-10s %9.3f ms\n", "kernels", float64(stats.Device.Microseconds())/1000)
	}
	return nil
}
