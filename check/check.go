package check

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/infer"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/internal/display"
)

// Result is what checking a program found.
type Result struct {
	Reports []*infer.Report
	// Errors are faults that inference sees and claims that are refuted.
	Errors diag.List
	// Dynamic reports that the errors are places for which the program is interpreted.
	Dynamic bool
}

// Program checks the annotations of a program.
func Program(p *apl.Program, o infer.Options) Result { return Line(p, nil, o) }

// Line checks the annotations of a line of a session after what is known.
func Line(p *apl.Program, known []infer.Known, o infer.Options) Result {
	var r Result
	reports, err := infer.LineClaims(p, known, o)
	r.Reports = reports
	var list diag.List
	if errors.As(err, &list) {
		r.Errors = append(r.Errors, list...)
	}
	for _, report := range reports {
		if report.Err != nil && !told(list, report.Err) {
			r.Errors = append(r.Errors, report.Err)
		}
	}
	r.Errors.Sort()
	return r
}

// told reports whether the fault for which an annotation is refuted is among the
// errors already.
func told(list diag.List, refutation *diag.Error) bool {
	for _, e := range list {
		for _, n := range refutation.Notes {
			if n.Span.Valid() && n.Span == e.Span {
				return true
			}
		}
	}
	return false
}

// Annotated reports whether a program has an annotation.
func Annotated(p *apl.Program) bool { return strings.Contains(p.Source.Text, "⍝:") }

// Proved returns the annotations that need no check of results when the program
// runs.
func (r Result) Proved() map[*apl.Annotation]bool {
	m := map[*apl.Annotation]bool{}
	for _, report := range r.Reports {
		m[report.Note] = report.Holds()
	}
	return m
}

// Counts returns how many claims have each verdict.
func (r Result) Counts() (proved, atRunTime, refuted int) {
	for _, report := range r.Reports {
		for _, c := range report.Claims {
			switch c.Verdict {
			case infer.Proved:
				proved++
			case infer.AtRunTime:
				atRunTime++
			case infer.Refuted:
				refuted++
			}
		}
	}
	return proved, atRunTime, refuted
}

// Describe describes a report: the name, the annotation and the verdicts.
func Describe(r *infer.Report) string {
	text, _, _ := strings.Cut(r.Note.Text, "⍝")
	return fmt.Sprintf("%s : %s   %s", r.Name, strings.TrimSpace(text), verdicts(r))
}

// verdicts says "proved", or which part has which verdict.
func verdicts(r *infer.Report) string {
	if r.Nothing {
		return "claims nothing"
	}
	if !r.Reached {
		return "checked at run time (no call reaches it)"
	}
	if len(r.Claims) == 0 {
		return "claims nothing"
	}
	var parts []string
	for _, v := range []infer.Verdict{infer.Proved, infer.AtRunTime, infer.Refuted} {
		var names []string
		for _, c := range r.Claims {
			if c.Verdict == v {
				names = append(names, c.Part)
			}
		}
		word := v.String()
		if v == infer.Proved && len(r.Conditions) > 0 && r.Err == nil {
			word += " for " + strings.Join(r.Conditions, ", ")
		}
		switch {
		case len(names) == len(r.Claims):
			return word
		case len(names) > 0:
			parts = append(parts, word+": "+strings.Join(names, ", "))
		}
	}
	return strings.Join(parts, "; ")
}

// WriteLines writes a line a report.
func (r Result) WriteLines(w io.Writer) {
	for _, report := range r.Reports {
		fmt.Fprintln(w, Describe(report))
	}
}

// entry is the form of a report in JSON.
type entry struct {
	File       string  `json:"file"`
	Line       int     `json:"line"`
	Name       string  `json:"name"`
	Annotation string  `json:"annotation"`
	Verdict    string  `json:"verdict"`
	Claims     []claim `json:"claims"`
	// Conditions are those on which the claims are proved, and Counterexample the
	// arguments for which one fails, as APL displays them.
	Conditions     []string `json:"conditions,omitempty"`
	Counterexample []string `json:"counterexample,omitempty"`
}

type claim struct {
	Part    string `json:"part"`
	Verdict string `json:"verdict"`
	Reason  string `json:"reason,omitempty"`
}

// fault is the form of an error in JSON.
type fault struct {
	Code    string `json:"code,omitempty"`
	Kind    string `json:"kind"`
	Place   string `json:"place,omitempty"`
	Message string `json:"message"`
	Help    string `json:"help,omitempty"`
}

// WriteJSON writes the reports and errors of a file as one JSON object a line.
func (r Result) WriteJSON(w io.Writer, file string) error {
	out := struct {
		File string `json:"file"`
		// Status is compiled, interpreted or refused. A program that is compiled and has
		// an error stops with it when it runs.
		Status      string  `json:"status"`
		Reports     []entry `json:"annotations"`
		Interpreted []fault `json:"interpreted"`
		Errors      []fault `json:"errors"`
	}{File: file, Status: "compiled", Reports: []entry{}, Interpreted: []fault{}, Errors: []fault{}}
	for _, report := range r.Reports {
		line, _ := report.Note.Span().Src.Position(report.Note.Span().Start)
		e := entry{file, line, report.Name, strings.TrimSpace(report.Note.Text), report.Verdict().String(), []claim{}, report.Conditions, nil}
		for _, a := range report.Example {
			e.Counterexample = append(e.Counterexample, display.Format(a, display.DefaultPrecision))
		}
		for _, c := range report.Claims {
			e.Claims = append(e.Claims, claim{c.Part, c.Verdict.String(), c.Reason})
		}
		out.Reports = append(out.Reports, e)
	}
	for _, e := range r.Errors {
		place := ""
		if e.Span.Valid() {
			place = e.Span.String()
		}
		f := fault{Code: e.Shown().String(), Kind: e.Kind().String(), Place: place, Message: e.Message, Help: e.Fix}
		if r.Dynamic {
			out.Status, out.Interpreted = "interpreted", append(out.Interpreted, f)
		} else {
			out.Errors = append(out.Errors, f)
			if !e.RunTime {
				out.Status = "refused"
			}
		}
	}
	j := json.NewEncoder(w)
	j.SetEscapeHTML(false)
	return j.Encode(out)
}
