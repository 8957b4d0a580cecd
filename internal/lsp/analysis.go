package lsp

import (
	"fmt"
	"slices"
	"strings"

	"go.lsp.dev/protocol"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/check"
	"github.com/tailor-lang/tailor/infer"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/internal/driver"
	"github.com/tailor-lang/tailor/internal/plan"
	"github.com/tailor-lang/tailor/tail"
	"github.com/tailor-lang/tailor/tail/opt"
)

// analysis is what the compiler says of a document.
type analysis struct {
	doc     *document
	tree    *apl.Program // nil where nothing could be read
	faults  []fault
	reports []*infer.Report
	// types are those of the program's variables at its end, and of its functions without
	// annotation.
	types   map[string]string
	schemes []*infer.Scheme
	// sections are those of the plan, and broken says that there is none; they are found on
	// demand.
	sections []plan.Section
	planned  bool
}

// fault is an error of the compiler, and how grave it is.
type fault struct {
	*diag.Error
	severity protocol.DiagnosticSeverity
}

// analyse parses, infers and checks a document: first what is fast.
func analyse(d *document) *analysis {
	a := &analysis{doc: d, types: map[string]string{}}
	a.guarded(a.check)
	return a
}

// guarded runs a step; a bug of the compiler ends the step and no more.
func (a *analysis) guarded(step func()) {
	defer func() {
		if r := recover(); r != nil {
			at := diag.Span{Src: a.doc.src}
			e := diag.Errorf(diag.AtLimit, at, "internal error: %v", r)
			a.faults = append(a.faults, fault{e, protocol.DiagnosticSeverityWarning})
		}
	}()
	step()
}

func (a *analysis) check() {
	tree, err := apl.Parse(a.doc.src)
	a.tree = tree
	if err != nil {
		a.add(err, protocol.DiagnosticSeverityError)
		return
	}
	result := check.Program(tree, infer.Options{})
	a.reports = result.Reports
	severity := protocol.DiagnosticSeverityError
	if slices.ContainsFunc(result.Errors, driver.Limit) {
		severity = protocol.DiagnosticSeverityInformation
	}
	for _, e := range result.Errors {
		if severity == protocol.DiagnosticSeverityInformation && !driver.Limit(e) {
			continue // the interpreter may go on
		}
		a.faults = append(a.faults, fault{e, severity})
	}
}

func (a *analysis) add(err error, severity protocol.DiagnosticSeverity) {
	list, ok := err.(diag.List)
	if !ok {
		return
	}
	for _, e := range list {
		a.faults = append(a.faults, fault{e, severity})
	}
}

// deepen finds what takes longer: types, and the fault that every run ends with.
func (a *analysis) deepen() {
	if a.tree == nil {
		return
	}
	a.guarded(a.typeVariables)
	a.guarded(func() {
		if all, err := infer.Schemes(a.tree, infer.Options{}); err == nil {
			a.schemes = all
		}
	})
	if len(a.faults) == 0 {
		a.guarded(func() {
			c := driver.New(a.doc.src, driver.Options{})
			if p, err := c.TAIL(); err == nil {
				if e := opt.CertainFault(p); e != nil && !driver.GoesOn(e) {
					a.faults = append(a.faults, fault{e, protocol.DiagnosticSeverityWarning})
				}
			}
		})
	}
}

// typeVariables finds the types of the variables of the program; where that has faults,
// those of the statements that have none.
func (a *analysis) typeVariables() {
	_, assigned, err := infer.Line(a.tree, nil, infer.Options{})
	if err == nil {
		for _, k := range assigned {
			a.types[k.Name] = infer.Written(k.Type)
		}
		return
	}
	if f := infer.Foresee(a.tree); f != nil {
		for name, t := range f.Types {
			a.types[name] = t.String()
		}
		for name, v := range f.Values {
			a.types[name] = tail.Ranked(v.Elem, v.Rank()).String()
		}
	}
}

// typeOf returns the type of a name of the program, or "".
func (a *analysis) typeOf(name string) string {
	for _, r := range a.reports {
		if r.Name == name {
			return check.Describe(r)
		}
	}
	for _, s := range a.schemes {
		if s.Name == name && s.Principal != "" {
			return name + " : " + s.Principal
		}
		if s.Name == name && len(s.Instances) > 0 {
			return name + " : " + strings.Join(s.Instances, "\n"+name+" : ") + "   as called"
		}
	}
	if t := a.types[name]; t != "" {
		return name + " : " + t
	}
	return ""
}

// plan returns what the compiler makes of the lines.
func (a *analysis) plan() []plan.Section {
	if !a.planned && len(a.faults) == 0 && a.tree != nil {
		a.guarded(func() {
			c := driver.New(a.doc.src, driver.Options{Target: driver.OpenMP})
			if sections, err := plan.Sections(c); err == nil {
				a.sections = sections
			}
		})
	}
	a.planned = true
	return a.sections
}

// diagnostics returns what the editor shows.
func (a *analysis) diagnostics() []protocol.Diagnostic {
	all := []protocol.Diagnostic{}
	for _, f := range a.faults {
		if !f.Span.Valid() || f.Span.Src != a.doc.src {
			f.Error = inDocument(f.Error, a.doc.src)
		}
		message := fmt.Sprintf("%s: %s", f.Kind(), f.Message)
		if f.severity == protocol.DiagnosticSeverityInformation {
			message = "interpreted: " + f.Message
		}
		if f.Fix != "" {
			message += "\nhelp: " + f.Fix
		}
		d := protocol.Diagnostic{
			Range: a.doc.span(f.Span.Start, max(f.Span.End, f.Span.Start)), Severity: f.severity, Source: "tailor",
			Code: f.Shown().String(), Message: message,
		}
		for _, n := range f.Notes {
			if n.Span.Valid() && n.Span.Src == a.doc.src {
				d.RelatedInformation = append(d.RelatedInformation, protocol.DiagnosticRelatedInformation{
					Location: protocol.Location{URI: a.doc.uri, Range: a.doc.span(n.Span.Start, n.Span.End)}, Message: n.Message,
				})
			} else {
				d.Message += "\nnote: " + n.Message
			}
		}
		all = append(all, d)
	}
	return all
}

// inDocument returns an error about another text, as the prelude, as one of the place in
// the document that a note names, or of its beginning.
func inDocument(e *diag.Error, src *diag.Source) *diag.Error {
	moved := *e
	moved.Span = diag.Span{Src: src}
	for _, n := range e.Notes {
		if n.Span.Src == src {
			moved.Span = n.Span
			break
		}
	}
	return &moved
}
