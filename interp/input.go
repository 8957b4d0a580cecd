package interp

import (
	"bufio"
	"errors"
	"io"
	"os"
	"strings"

	"golang.org/x/term"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/interp/value"
)

// flusher is a writer that keeps what is written for a while.
type flusher interface{ Flush() error }

// flush writes all output.
func (in *Interp) flush() error {
	err := in.out.Flush()
	if f, ok := in.stdout.(flusher); ok && err == nil {
		err = f.Flush()
	}
	return err
}

// readLine reads a line of input for the name at n.
func (in *Interp) readLine(n apl.Node) (string, error) {
	if err := in.flush(); err != nil {
		return "", err
	}
	if in.input == nil {
		if in.stdin == nil {
			return "", in.fault(n, diag.SystemName, "input from the keyboard")
		}
		in.input = bufio.NewReader(in.stdin)
	}
	s, err := in.input.ReadString('\n')
	if err != nil && s == "" {
		if !errors.Is(err, io.EOF) {
			return "", in.fault(n, diag.FileOrTool, "cannot read the input: %v", err)
		}
		e := asFault(in.fault(n, diag.FileOrTool, "the input has ended"))
		e.number = 1003
		return "", e
	}
	return strings.TrimRight(s, "\r\n"), nil
}

// characters evaluates ⍞: a line of input behind the output of ⍞ on that line.
func (in *Interp) characters(n apl.Node) (*V, error) {
	before := in.pending
	s, err := in.readLine(n)
	in.pending = ""
	return value.Text(before + s), err
}

// evaluated evaluates ⎕: the value of an expression that is read. One that fails is
// reported, and another is asked for.
func (in *Interp) evaluated(f *Frame, n apl.Node) (*V, error) {
	for {
		in.pending = ""
		in.out.WriteString("⎕:\n")
		if file, ok := in.stdin.(*os.File); ok && term.IsTerminal(int(file.Fd())) {
			in.out.WriteString("      ")
		}
		s, err := in.readLine(n)
		if err != nil {
			return nil, err
		}
		switch t := strings.TrimSpace(s); {
		case t == "→" || strings.EqualFold(t, ")off"):
			return nil, errOff
		case t == "":
			continue
		case strings.HasPrefix(t, ")"):
			in.out.WriteString("bad command\n")
			continue
		}
		v, err := in.execute(f, s)
		switch {
		case err == errOff:
			return nil, err
		case err != nil:
			in.out.WriteString(diagnostic(err).Error() + "\n")
		case v != nil:
			in.shy = false
			return v, nil
		}
	}
}

// bare writes what ⍞← shows, and keeps the line that it is on.
func (in *Interp) bare(s string) {
	in.out.WriteString(s)
	in.pending += s
	if i := strings.LastIndexByte(in.pending, '\n'); i >= 0 {
		in.pending = in.pending[i+1:]
	}
}
