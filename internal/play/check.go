package play

import (
	"errors"
	"fmt"
	"strings"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/check"
	"github.com/tailor-lang/tailor/infer"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/internal/driver"
)

// Checked is what is known of a program that has not run.
type Checked struct {
	// Status is compiled, interpreted or refused.
	Status   string    `json:"status"`
	Messages []Message `json:"messages"`
	Types    []Typed   `json:"types"`
}

// Typed is the type of a name, or the verdict on its annotation.
type Typed struct {
	Name string `json:"name"`
	Type string `json:"type"`
}

// Check judges a program without running it.
func Check(text string) Checked {
	out := Checked{Status: "compiled", Messages: []Message{}, Types: []Typed{}}
	c := driver.New(diag.NewSource("", text), driver.Options{})
	tree, err := c.AST()
	if err != nil {
		out.Status, out.Messages = "refused", messages(err, "error")
		return out
	}
	result := c.Checked(tree)
	severity := "error"
	switch {
	case result.Dynamic:
		out.Status, severity = "interpreted", "info"
	case len(result.Errors) > 0 && result.Errors[0].RunTime:
		severity = "warning"
	case len(result.Errors) > 0:
		out.Status = "refused"
	}
	for _, e := range result.Errors {
		out.Messages = append(out.Messages, message(e, severity))
	}
	for _, r := range result.Reports {
		name, text, _ := strings.Cut(check.Describe(r), " : ")
		out.Types = append(out.Types, Typed{Name: name, Type: text})
	}
	out.Types = append(out.Types, functions(tree)...)
	out.Types = append(out.Types, arrays(tree)...)
	return out
}

// functions returns the types of the functions without an annotation.
func functions(tree *apl.Program) (all []Typed) {
	schemes, err := infer.Schemes(tree, infer.Options{})
	if err != nil {
		return nil
	}
	for _, s := range schemes {
		var b strings.Builder
		check.WriteSchemes(&b, []*infer.Scheme{s})
		for line := range strings.Lines(b.String()) {
			if name, text, ok := strings.Cut(strings.TrimSpace(line), " : "); ok {
				all = append(all, Typed{Name: name, Type: text})
			}
		}
	}
	return all
}

// arrays returns the types of the names that statements give to arrays, at the end of
// the program.
func arrays(tree *apl.Program) (all []Typed) {
	_, known, err := infer.Line(tree, nil, infer.Options{})
	if err != nil {
		return nil
	}
	for _, k := range known {
		all = append(all, Typed{Name: k.Name, Type: infer.Written(k.Type)})
	}
	return all
}

// Stage returns a program in a stage of the compiler: ast, tail, laila, c or opencl.
func Stage(text, stage string) (string, error) {
	c := driver.New(diag.NewSource("program.apl", text), driver.Options{Target: targets[stage]})
	out, err := c.Text(stage, false)
	if err == nil {
		return out, nil
	}
	var list diag.List
	if c.Dynamic(err) && errors.As(err, &list) {
		return "", fmt.Errorf("the program is interpreted, and has no such stage:\n%s", list[0].Render())
	}
	var b strings.Builder
	driver.Report(&b, err)
	return "", errors.New(b.String())
}

// targets are the targets of the stages.
var targets = map[string]driver.Target{"ast": driver.C, "tail": driver.C, "laila": driver.C, "c": driver.C, "opencl": driver.OpenCL}
