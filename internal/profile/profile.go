package profile

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/tailor-lang/tailor/internal/diag"
)

// Cost is what a line cost.
type Cost struct {
	Time        time.Duration
	Runs        int64 // how often the line was begun
	Allocations int64
	Bytes       int64 // of these
}

// Profile is what the lines of a program cost.
type Profile struct {
	Source *diag.Source
	Target string
	Time   time.Duration
	Other  time.Duration // of Time, what is of no line
	Lines  map[int]Cost
	// Code has the lines that hold code, whether it is counted there or not.
	Code []int
}

// New returns the profile of a source from counts by line; line 0 is what belongs to
// none.
func New(src *diag.Source, target string, costs []Cost) *Profile {
	p := &Profile{Source: src, Target: target, Lines: map[int]Cost{}, Code: codeLines(src)}
	for line, c := range costs {
		p.Time += c.Time
		switch {
		case line == 0:
			p.Other = c.Time
		case c != (Cost{}):
			p.Lines[line] = c
		}
	}
	return p
}

// codeLines returns the lines of a source that hold more than a comment.
func codeLines(src *diag.Source) (lines []int) {
	for i, text := range strings.Split(src.Text, "\n") {
		text = strings.TrimSpace(text)
		if text != "" && !strings.HasPrefix(text, "⍝") && strings.Trim(text, "{}()⋄ ∇") != "" {
			lines = append(lines, i+1)
		}
	}
	return lines
}

// Read reads what a compiled program has counted.
func Read(file string, src *diag.Source, target string) (*Profile, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	rows := strings.Split(strings.TrimSpace(string(text)), "\n")
	var seconds float64
	if _, err := fmt.Sscan(rows[0], &seconds); err != nil {
		return nil, fmt.Errorf("the program has not written its profile: %w", err)
	}
	var costs []Cost
	for _, row := range rows[1:] {
		var line int
		var share float64
		var c Cost
		if _, err := fmt.Sscan(row, &line, &share, &c.Runs, &c.Allocations, &c.Bytes); err != nil {
			return nil, fmt.Errorf("the profile of the program cannot be read: %w", err)
		}
		c.Time = time.Duration(share * seconds * float64(time.Second))
		for len(costs) <= line {
			costs = append(costs, Cost{})
		}
		costs[line] = c
	}
	return New(src, target, costs), nil
}

// Share returns which part of the time a duration is, from 0 to 1.
func (p *Profile) Share(t time.Duration) float64 {
	if p.Time <= 0 {
		return 0
	}
	return float64(t) / float64(p.Time)
}

// File is a profile as JSON, which editors and the page show.
type File struct {
	File    string  `json:"file"`
	Target  string  `json:"target"`
	Seconds float64 `json:"seconds"`
	Other   float64 `json:"other"` // seconds that are of no line
	Lines   []Row   `json:"lines"`
}

// Row is a line that holds code.
type Row struct {
	Line        int     `json:"line"` // from 1
	Text        string  `json:"text"`
	Share       float64 `json:"share"` // of the time, from 0 to 1
	Seconds     float64 `json:"seconds"`
	Runs        int64   `json:"runs"`
	Bytes       int64   `json:"bytes"`
	Allocations int64   `json:"allocations"`
	// Joined says that the line has no code of its own: others compute it.
	Joined bool `json:"joined,omitempty"`
}

// Brief says in a few words what the line cost.
func (r Row) Brief() string {
	words := []string{Seconds(r.Seconds)}
	if p := percent(r.Share); p != "" {
		words = []string{p, words[0]}
	}
	if r.Runs > 1 {
		words = append(words, count(r.Runs)+" runs")
	}
	if r.Allocations > 0 {
		words = append(words, size(r.Bytes))
	}
	return strings.Join(words, " · ")
}

// Seconds writes a time with three digits.
func Seconds(s float64) string { return duration(time.Duration(s * float64(time.Second))) }

// File returns the profile in the form that is written as JSON.
func (p *Profile) File() File {
	f := File{File: p.Source.Name, Target: p.Target, Seconds: p.Time.Seconds(), Other: p.Other.Seconds()}
	for _, line := range p.Code {
		c, counted := p.Lines[line]
		f.Lines = append(f.Lines, Row{
			Line: line, Text: p.Source.Line(line), Share: p.Share(c.Time), Seconds: c.Time.Seconds(),
			Runs: c.Runs, Bytes: c.Bytes, Allocations: c.Allocations, Joined: !counted,
		})
	}
	return f
}

// WriteJSON writes the profile as JSON.
func (p *Profile) WriteJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(p.File())
}
