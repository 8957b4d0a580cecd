package library

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/check"
	"github.com/tailor-lang/tailor/infer"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/internal/driver"
	"github.com/tailor-lang/tailor/tail"
	"github.com/tailor-lang/tailor/tail/analysis"
	"github.com/tailor-lang/tailor/tail/eval"
)

// Library is a program whose functions are called from outside.
type Library struct {
	Prefix    string // of its names
	Source    string // the name of the program
	Target    driver.Target
	Functions []*Function
	Instances []*Instance

	tree    *apl.Program
	options infer.Options
	known   []infer.Known
	units   []string // C
}

// ABI is the version of the interface between a library and the files beside it.
const ABI = 1

// Device reports whether arrays may stay on a device.
func (l *Library) Device() bool { return l.Target == driver.OpenCL }

// ABI returns the version, for the templates.
func (l *Library) ABI() int { return ABI }

// Options are the choices of a build.
type Options struct {
	driver.Options
	Prefix string
	// Rank is the largest rank that a variable of ranks stands for.
	Rank int
}

// New types the entry points of a program and lowers them to C.
func New(src *diag.Source, o Options) (*Library, error) {
	if o.Target != driver.C && o.Target != driver.OpenMP && o.Target != driver.OpenCL {
		return nil, fmt.Errorf("target %s makes no libraries; the targets of build --lib are c, omp and opencl", o.Target)
	}
	tree, err := driver.New(src, o.Options).AST()
	if err != nil {
		return nil, err
	}
	l := &Library{Prefix: o.Prefix, Source: src.Name, Target: o.Target, tree: tree}
	l.options = infer.Options{Wrap: o.Wrap, Trust: o.Trust}
	if err := l.judge(); err != nil {
		return nil, err
	}
	if l.Functions, err = functions(tree); err != nil {
		return nil, err
	}
	if l.known, err = l.definitions(); err != nil {
		return nil, err
	}
	for _, f := range l.Functions {
		if err := f.instantiate(o.Rank); err != nil {
			return nil, err
		}
		for _, i := range f.Instances {
			i.Number = len(l.Instances)
			l.Instances = append(l.Instances, i)
			if err := l.compile(i, o.Options); err != nil {
				return nil, err
			}
		}
	}
	return l, nil
}

// judge checks the annotations: what is refuted is no contract.
func (l *Library) judge() error {
	result := check.Program(l.tree, l.options)
	l.options.Proved = result.Proved()
	return diag.List(result.Errors).Err()
}

// definitions returns what the functions may refer to: other functions, settings of the
// system variables, and the values of variables, which are computed here. Other
// statements are no part of the library.
func (l *Library) definitions() ([]infer.Known, error) {
	var body, settings []apl.Stmt
	for _, s := range l.tree.Body {
		switch d := s.(type) {
		case *apl.FuncDef, *apl.OperatorDef:
			body, settings = append(body, s), append(settings, s)
		case *apl.ExprStmt:
			if !d.Silent {
				continue
			}
			body = append(body, s)
			if setting(d) {
				settings = append(settings, s)
			}
		}
	}
	p := *l.tree
	p.Body = body
	typed, assigned, err := infer.Line(&p, nil, l.options)
	if err != nil {
		return nil, err
	}
	values, err := eval.Values(typed, &eval.Env{Stdout: io.Discard})
	if err != nil {
		return nil, err
	}
	var known []infer.Known
	for _, k := range assigned {
		values = k.Items.Fill(values)
		if k.Items.Of == nil {
			k.Value, k.Items = k.Items.Array, nil
		}
		known = append(known, k)
	}
	for _, s := range settings {
		known = append(known, infer.Known{Stmt: s})
	}
	return known, nil
}

// setting reports whether a statement sets a system variable.
func setting(s *apl.ExprStmt) bool {
	a, ok := s.X.(*apl.Assign)
	if !ok {
		return false
	}
	t, ok := a.Target.(*apl.NameTarget)
	return ok && strings.HasPrefix(t.Ident, "⎕")
}

// outer is the name of the dfn that calls a function.
const outer = "∆∆entry"

// entry returns the program whose only statement defines a dfn that calls the function.
// What happens in the call happens where the function is defined.
func (l *Library) entry(f *Function) (*apl.Program, error) {
	text := outer + "←{" + f.Name + " ⍵}"
	if len(f.params) == 2 {
		text = outer + "←{⍺ " + f.Name + " ⍵}"
	}
	p, err := apl.ParseWith(diag.NewSource(l.tree.Source.Name, text), map[string]apl.Class{f.Name: apl.FunctionClass})
	if err != nil {
		return nil, err
	}
	at := apl.At{Where: f.at}
	y := &apl.Var{At: at, Ident: "⍵"}
	fn := &apl.FuncName{At: at, Ident: f.Name}
	var call apl.Expr = &apl.Monadic{At: at, F: fn, Y: y}
	if len(f.params) == 2 {
		call = &apl.Dyadic{At: at, X: &apl.Var{At: at, Ident: "⍺"}, F: fn, Y: y}
	}
	def := p.Body[0].(*apl.FuncDef)
	def.At = at
	dfn := def.F.(*apl.Dfn)
	dfn.At, dfn.Body = at, []apl.Stmt{&apl.ExprStmt{At: at, X: call}}
	p.Source = l.tree.Source
	return p, nil
}

// compile types an instance and adds its units of C.
func (l *Library) compile(i *Instance, o driver.Options) error {
	p, err := l.typed(i)
	if err != nil {
		return l.located(i, err)
	}
	effects := analysis.NewEffects(p).Of(p.Entry.Body)&analysis.Impures != 0
	p.Sticky = o.Target == driver.C && !effects // threads have flags of their own, and effects happen once
	i.Turns = o.Target != driver.C || speaks(p)
	overflows := p.Sticky && analysis.Overflows(p)
	o.Embedded = true
	if err := l.unit(i, p, o, i.Entry()); err != nil || !overflows {
		return err
	}
	i.Tested = true
	if p, err = l.typed(i); err != nil {
		return err
	}
	o.Skip = slices.Concat(o.Skip, driver.SlowPasses())
	return l.unit(nil, p, o, i.Entry()+"_tested")
}

// speaks reports whether the entry has effects outside of the process. Drawing random
// numbers is none: each thread has a generator.
func speaks(p *tail.Program) bool {
	found := false
	look := func(e tail.Expr) bool {
		if a, ok := e.(*tail.Apply); ok {
			row := a.Op.Row()
			found = found || row.Impure && !strings.HasPrefix(row.Glyph, "?") && row.Glyph != "⎕RL"
		}
		return !found
	}
	for _, f := range append([]*tail.Func{p.Entry}, p.Funcs...) {
		tail.Walk(f.Body, look)
	}
	return found
}

// typed returns the typed program of an instance.
func (l *Library) typed(i *Instance) (*tail.Program, error) {
	entry, err := l.entry(i.Of)
	if err != nil {
		return nil, err
	}
	p, captured, err := infer.Entry(entry, l.known, i.types(), l.options)
	if err != nil {
		return nil, err
	}
	i.Captured = nil
	for _, name := range captured {
		for _, k := range l.known {
			if k.Name == name && k.Value != nil {
				i.Captured = append(i.Captured, k.Value)
			}
		}
	}
	if len(i.Captured) != len(captured) {
		return nil, diag.Errorf(diag.NestedArrays, i.Of.at, "%s refers to a nested array", i.Of.Name)
	}
	return p, nil
}

// located says of which instance an error is.
func (l *Library) located(i *Instance, err error) error {
	var list diag.List
	if i.Suffix == "" || !errors.As(err, &list) {
		return err
	}
	var args []string
	for _, a := range i.Args {
		args = append(args, fmt.Sprintf("%v of rank %d", a.Elem, a.Rank))
	}
	for _, e := range list {
		e.Notes = append(e.Notes, diag.Note{Span: i.Of.at, Message: fmt.Sprintf("%s for %s; the annotation is %s", i.Of.Name, strings.Join(args, ", "), i.Of.Note)})
	}
	return list
}

// unit adds the C text of a program. Where i is not nil it learns how its results are
// stored.
func (l *Library) unit(i *Instance, p *tail.Program, o driver.Options, export string) error {
	o.Export = export
	c := driver.FromTyped(p, o)
	source, entry, err := c.Exported()
	if err != nil {
		return err
	}
	l.units = append(l.units, source)
	if i == nil {
		return nil
	}
	results, err := i.results(p.Entry.Result)
	if err != nil {
		return err
	}
	for k := range results {
		r := entry.Results[k]
		results[k].Stored = r.Elem
		if r.Buf != nil {
			results[k].Stored = r.Buf.Elem
		}
	}
	for k := range i.Args {
		i.Args[k].Stored = entry.Params[k].Elem
	}
	i.Results = results
	if words := i.words(); words > maxWords {
		return diag.Errorf(diag.AtLimit, i.Of.at, "the arguments and results of %s have too many axes", i.Of.Name)
	}
	return nil
}

// maxWords bounds the words of a call; TL_LIB_WORDS is more.
const maxWords = 400

// words returns the number of words of a call, and of what is captured.
func (i *Instance) words() int {
	n := 2 * len(i.Captured)
	for _, c := range i.Captured {
		n += c.Rank()
	}
	for _, s := range append(append([]Slot{}, i.Args...), i.Results...) {
		n += max(2, 1+s.Rank)
	}
	return n
}

// results returns the slots of what a function gives: its elements are of the type that
// the annotation says, where it says one.
func (i *Instance) results(t tail.Type) ([]Slot, error) {
	var slots []Slot
	var walk func(got, want tail.Type) bool
	walk = func(got, want tail.Type) bool {
		switch got := got.(type) {
		case *tail.Array:
			elem := got.Elem
			if w, ok := want.(*tail.Array); ok {
				elem = cmp.Or(w.Elem, i.elems[w.ElemVar], elem)
			}
			slots = append(slots, Slot{Elem: elem, Rank: got.Dims()})
			return true
		case *tail.TupleType:
			w, _ := want.(*tail.TupleType)
			for k, e := range got.Elems {
				var item tail.Type
				if w != nil && len(w.Elems) == len(got.Elems) {
					item = w.Elems[k]
				}
				if !walk(e, item) {
					return false
				}
			}
			return len(got.Shape) == 0 && len(got.Elems) > 1
		}
		return false
	}
	if !walk(t, i.Of.result) {
		return nil, diag.List{diag.Errorf(diag.NestedArrays, i.Of.at, "the result of %s is a nested array, which a library does not return", i.Of.Name)}
	}
	for k := range slots {
		slots[k].Name = "result"
		if len(slots) > 1 {
			slots[k].Name = fmt.Sprintf("result%d", k+1)
		}
	}
	return slots, nil
}

// Build compiles the library, and returns the path of the shared object in the cache.
func (l *Library) Build(cache *driver.Cache, cc *driver.Compiler, o driver.Options) (string, error) {
	glue, err := l.render("glue.c")
	if err != nil {
		return "", err
	}
	header, err := l.render("header.h")
	if err != nil {
		return "", err
	}
	o.Export, o.Embedded = "library", true
	return cache.Shared(cc, append([]string{"#define _GNU_SOURCE\n" + header + glue}, l.units...), o, []string{l.Prefix + "_*", "PyInit_" + l.Prefix})
}
