package cli

import (
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tailor-lang/tailor/fcl"
	"github.com/tailor-lang/tailor/fcl/device"
	"github.com/tailor-lang/tailor/fcl/eval"
	"github.com/tailor-lang/tailor/fcl/lib"
	"github.com/tailor-lang/tailor/fcl/syntax"
	"github.com/tailor-lang/tailor/internal/data"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/internal/driver"
)

// fclFlags are the flags of programs in FCL.
type fclFlags struct {
	data   []string
	params []string
	out    string
	count  bool
}

func (f *fclFlags) register(cmd *cobra.Command) {
	fs := cmd.Flags()
	fs.StringArrayVar(&f.data, "data", nil, "with .fcl: an argument of main: a .npy file, a number, or a list as '[1, 2, 3]'")
	fs.StringArrayVar(&f.params, "param", nil, "the value of a #name of FCL or its library, as BlockSize=128")
	fs.StringVar(&f.out, "out", "", "with .fcl: the .npy file to write the result to, instead of printing it")
	fs.BoolVar(&f.count, "count", false, "with .fcl: print kernels, barriers and bytes of the evaluator to stderr")
}

var paramName = regexp.MustCompile(`#(\pL[\pL\pN_]*)`)

// isFCL reports whether the program of a command line is a file of FCL.
func isFCL(f *compileFlags, args []string) bool {
	return f.expr == "" && len(args) > 0 && filepath.Ext(args[0]) == ".fcl"
}

// arguments reads the data and the parameters that the flags give to a program; others are those
// of a device.
func (f *fclFlags) arguments(src *diag.Source, defaults map[string]int64) ([]fcl.Data, map[string]int64, error) {
	var args []fcl.Data
	for _, text := range f.data {
		d, err := fcl.ReadData(text)
		if err != nil {
			return nil, nil, fmt.Errorf("--data: %w", err)
		}
		args = append(args, d)
	}
	given, err := f.given()
	if err != nil {
		return nil, nil, err
	}
	params := maps.Clone(defaults)
	all := slices.Collect(maps.Keys(defaults))
	for _, m := range paramName.FindAllStringSubmatch(src.Text, -1) {
		all = append(all, m[1])
	}
	slices.Sort(all)
	for name, n := range given {
		if !slices.Contains(all, name) {
			hint := diag.DidYouMean(name, all)
			if hint == "" {
				hint = "there are " + strings.Join(slices.Compact(all), ", ")
			}
			return nil, nil, fmt.Errorf("--param %s: neither the program nor FCL's library has #%s; %s", name, name, hint)
		}
		params[name] = n
	}
	return args, params, nil
}

// defaultParams are the parameters for the device that programs run on here.
func defaultParams() map[string]int64 {
	if d := driver.DefaultDevice(); d != nil {
		return fcl.ParamsFor(d)
	}
	return fcl.DefaultParams
}

// given reads the parameters that the flags give.
func (f *fclFlags) given() (map[string]int64, error) {
	params := map[string]int64{}
	for _, text := range f.params {
		name, value, _ := strings.Cut(text, "=")
		n, err := strconv.ParseInt(value, 10, 64)
		if err != nil || name == "" {
			return nil, fmt.Errorf("--param is NAME=NUMBER, not %q", text)
		}
		if _, ok := lib.Params(lib.GPU)[name]; ok && n < 1 {
			return nil, fmt.Errorf("--param %s is at least 1, not %d", name, n)
		}
		params[name] = n
	}
	return params, nil
}

func loadFCL(name string) (*fcl.Program, error) {
	src, err := driver.ReadSource(name)
	if err != nil {
		return nil, err
	}
	return fcl.Load(src)
}

// runFCL runs a program of FCL.
func runFCL(f *compileFlags, cmd *cobra.Command, args []string) error {
	if len(args) > 1 {
		return fmt.Errorf("run takes one program of FCL, and %q is too much; arguments of main follow --data", args[1])
	}
	switch driver.Target(f.target) {
	case driver.Auto, driver.Eval, driver.OpenCL:
	default:
		return fmt.Errorf("programs of FCL have no target %q; the targets are auto, eval and opencl", f.target)
	}
	p, err := loadFCL(args[0])
	if err != nil {
		return err
	}
	if driver.Target(f.target) == driver.OpenCL {
		return runKernels(f, cmd, p)
	}
	inputs, params, err := f.fcl.arguments(p.Source, fcl.DefaultParams)
	if err != nil {
		return err
	}
	start := time.Now()
	v, count, err := p.Run(inputs, params)
	if f.fcl.count {
		writeCount(cmd.ErrOrStderr(), count)
	}
	if err != nil {
		return err
	}
	if f.time {
		fmt.Fprintf(cmd.ErrOrStderr(), "time_ms: %.3f\n", float64(time.Since(start).Microseconds())/1000)
	}
	return f.fcl.write(cmd, fcl.Stored(v), v)
}

// runKernels runs a program of FCL on a device.
func runKernels(f *compileFlags, cmd *cobra.Command, p *fcl.Program) error {
	q, err := driver.Device(f.time, true)
	if err != nil {
		return err
	}
	defer q.Close()
	inputs, params, err := f.fcl.arguments(p.Source, fcl.ParamsFor(q.Device))
	if err != nil {
		return err
	}
	start := time.Now()
	v, stats, err := p.RunOn(q, inputs, params)
	if err != nil {
		return err
	}
	if f.time {
		fmt.Fprintf(cmd.ErrOrStderr(), "%d launches, kernels %.3f ms\ntime_ms: %.3f\n", stats.Launches,
			float64(stats.Kernels.Microseconds())/1000, float64(time.Since(start).Microseconds())/1000)
	}
	if f.fcl.out != "" {
		return f.fcl.write(cmd, v, nil)
	}
	return f.fcl.write(cmd, v, fcl.Hosted(v))
}

// emitFCL returns a stage of a program of FCL as text.
func emitFCL(f *compileFlags, stage, name string) (string, error) {
	p, err := loadFCL(name)
	if err != nil {
		return "", err
	}
	inputs, params, err := f.fcl.arguments(p.Source, fcl.DefaultParams)
	if err != nil {
		return "", err
	}
	switch stage {
	case "fcl":
		return syntax.Print(p.Tree), nil
	case "opencl":
		plan, err := p.Kernels(nil, params)
		if len(inputs) > 0 {
			plan, _, err = p.Plan(inputs, params)
		}
		if err != nil {
			return "", err
		}
		return plan.Text(), nil
	}
	if stage == "c" {
		return p.Executable(inputs, params)
	}
	return "", fmt.Errorf("programs of FCL have no stage %q; emit prints fcl, opencl and c", stage)
}

// buildFCL writes an executable of a program of FCL.
func buildFCL(o *buildFlags, args []string) error {
	if len(args) > 1 {
		return fmt.Errorf("build takes one file, and %q is too much", args[1])
	}
	switch {
	case o.library, o.profile, o.static:
		return fmt.Errorf("programs of FCL are built without --lib, --profile and --static")
	case o.cmd.Flags().Changed("target") && driver.Target(o.target) != driver.OpenCL:
		return fmt.Errorf("programs of FCL are built for the target opencl, not %q", o.target)
	}
	p, err := loadFCL(args[0])
	if err != nil {
		return err
	}
	inputs, params, err := o.fcl.arguments(p.Source, defaultParams())
	if err != nil {
		return err
	}
	source, err := p.Executable(inputs, params)
	if err != nil {
		return err
	}
	cc, cache, err := driver.Tools()
	if err != nil {
		return err
	}
	path, err := cache.Binary(cc, source, driver.Options{Target: driver.OpenCL})
	if err != nil {
		return err
	}
	out := o.out
	if out == "" {
		out = defaultOutput(args[0])
	}
	return driver.CopyExecutable(path, out)
}

// write prints the result, or writes it to the file that is asked for.
func (f *fclFlags) write(cmd *cobra.Command, stored device.Value, v eval.Value) error {
	if f.out == "" {
		_, err := io.WriteString(cmd.OutOrStdout(), eval.Text(v)+"\n")
		return err
	}
	a, err := fcl.Array(stored)
	if err != nil {
		return err
	}
	_, err = data.WriteNpy(a, f.out)
	return err
}

func writeCount(w io.Writer, c eval.Count) {
	fmt.Fprintf(w, "kernels %d, barriers %d\n", c.Kernels, c.Barriers)
	for i, name := range []string{"private", "local", "global"} {
		fmt.Fprintf(w, "%-7s read %d bytes, written %d\n", name, c.Read[i], c.Written[i])
	}
}

// checkFCL prints the types of a program of FCL, and returns the exit status.
func checkFCL(cmd *cobra.Command, name string) int {
	p, err := loadFCL(name)
	if err != nil {
		return report(cmd, err)
	}
	io.WriteString(cmd.OutOrStdout(), p.Types())
	return driver.ExitDone
}
