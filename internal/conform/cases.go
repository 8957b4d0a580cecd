// Package conform reads the expressions under testdata/expr and the faulty
// programs under testdata/errors; its tests run each through every route and
// compare with what Dyalog answers. The formats are described in the README
// beside the files.
package conform

import (
	"os"
	"strings"
)

// Case is a program and what it prints, or how it fails.
type Case struct {
	File   string
	Line   int    // where the case starts, from 1
	Source string // the program
	Output string // what it prints
	// Fault, when not empty, is the kind and a part of the message of the
	// error that the program ends with after Output.
	Fault string
}

const faultMark = "⍝ ERROR "

// Expressions reads a file of testdata/expr.
func Expressions(file string) ([]Case, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var cases []Case
	c := Case{File: file}
	finish := func() {
		if at := strings.LastIndex("\n"+c.Output, "\n"+faultMark); c.Source != "" && at >= 0 {
			c.Fault = strings.TrimSuffix(strings.TrimPrefix(c.Output[at:], faultMark), "\n")
			c.Output = c.Output[:at]
		}
		if strings.Trim(stripComments(c.Source), "\n") != "" {
			cases = append(cases, c)
		}
		c = Case{File: file}
	}
	for i, line := range strings.Split(string(text), "\n") {
		switch {
		case line == "":
			finish()
		case strings.HasPrefix(line, "\t"):
			c.Output += line[1:] + "\n"
		default:
			if c.Source == "" {
				c.Line = i + 1
			}
			c.Source += line + "\n"
		}
	}
	finish()
	return cases, nil
}

// stripComments returns the source without lines that are comments.
func stripComments(source string) string {
	var kept []string
	for _, line := range strings.Split(source, "\n") {
		if !strings.HasPrefix(line, "⍝") {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "\n")
}

// Fault is a faulty program and what is reported.
type Fault struct {
	File   string
	Line   int
	Source string
	// Where and Column are the line, within the program, and the column that
	// the caret points at, both from 1. Column 2 stands for 1 as well.
	Where, Column int
	Message       string // kind and beginning of the message
	Exit          int
}

// Faults reads a file of testdata/errors.
func Faults(file string) ([]Fault, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var faults []Fault
	for _, chunk := range chunks(string(text)) {
		f := Fault{File: file, Line: chunk.line, Source: chunk.text}
		lines := strings.Split(chunk.text, "\n")
		code := 0
		for _, line := range lines {
			runes := []rune(line)
			switch caret := strings.IndexRune(line, '^'); {
			case strings.HasPrefix(line, "⍝ exit "):
				f.Exit = int(line[len("⍝ exit ")] - '0')
			case strings.HasPrefix(line, "⍝") && caret >= 0 && strings.TrimSpace(line[len("⍝"):caret]) == "":
				f.Where = code
				f.Column = column(runes)
				f.Message = strings.TrimSpace(line[caret+1:])
			case line != "":
				code++
			}
		}
		// Comments count as lines of the program: find the code line's number.
		f.Where = lineNumber(lines, f.Where)
		faults = append(faults, f)
	}
	return faults, nil
}

func column(line []rune) int {
	for i, r := range line {
		if r == '^' {
			return i + 1
		}
	}
	return 0
}

// lineNumber returns the number, from 1, of the nth line that is not an expectation.
func lineNumber(lines []string, n int) int {
	for i, line := range lines {
		if line != "" && !strings.HasPrefix(line, "⍝") {
			if n--; n == 0 {
				return i + 1
			}
		}
	}
	return 0
}

type chunk struct {
	line int
	text string
}

// chunks splits a text at blank lines.
func chunks(text string) []chunk {
	var out []chunk
	var c chunk
	for i, line := range append(strings.Split(text, "\n"), "") {
		if line == "" {
			if c.text != "" {
				out = append(out, c)
			}
			c = chunk{}
			continue
		}
		if c.text == "" {
			c.line = i + 1
		}
		c.text += line + "\n"
	}
	return out
}
