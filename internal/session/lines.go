package session

import (
	"bufio"
	"context"
	"io"
	"strings"
	"unicode/utf16"
)

// Lines runs the lines of a reader that is no terminal. Those of a dfn, a definition or a
// control structure run as one, unless every line ends at its end.
func (s *Session) Lines(in io.Reader, oneLine bool) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<26)
	text := ""
	for lines.Scan() {
		text += lines.Text()
		if !oneLine && Open(text) {
			text += "\n"
			continue
		}
		if s.Execute(context.Background(), text) != nil {
			return nil
		}
		text = ""
	}
	if text != "" && lines.Err() == nil {
		_ = s.Execute(context.Background(), text)
	}
	return lines.Err()
}

// Open reports whether a brace, bracket or parenthesis of text is open, or a
// definition or control structure: more lines are to come.
func Open(text string) bool {
	if t := strings.TrimSpace(text); t != "" && commandSign(t) {
		return false
	}
	depth, quoted, comment := 0, false, false
	for _, r := range text {
		switch {
		case r == '\n':
			quoted, comment = false, false
		case comment:
		case r == '\'':
			quoted = !quoted
		case quoted:
		case r == '⍝':
			comment = true
		case r == '{' || r == '(' || r == '[':
			depth++
		case r == '}' || r == ')' || r == ']':
			depth--
		}
	}
	return depth > 0 || defining(text) || structured(text)
}

// defining reports whether a definition with a header, ∇ r←f x, is not closed by a
// line with ∇ alone.
func defining(text string) bool {
	is := false
	for i, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(line, "⍝")
		line = strings.TrimSpace(line)
		switch {
		case i == 0:
			is = strings.HasPrefix(line, "∇") && line != "∇"
		case line == "∇":
			is = false
		}
	}
	return is
}

// Parts returns what Execute takes of a text of many lines: commands, which are lines of
// their own, and the programs between them. Before each program what stands before it is
// blank, so that messages have the places of the text.
func (s *Session) Parts(text string) []string {
	var all []string
	before, program := "", ""
	flush := func() {
		if strings.TrimSpace(program) != "" {
			all = append(all, before+program)
		}
		before, program = before+blanks(program), ""
	}
	for line := range strings.SplitSeq(text, "\n") {
		if t := strings.TrimSpace(line); t != "" && s.isCommand(t) && !Open(program) {
			flush()
			all = append(all, t)
			before += blanks(line + "\n")
			continue
		}
		program += line + "\n"
	}
	flush()
	return all
}

// blanks returns blanks for the characters of a text, as many as each has units of UTF-16,
// and its ends of lines.
func blanks(text string) string {
	var b strings.Builder
	for _, r := range text {
		if r == '\n' {
			b.WriteByte('\n')
			continue
		}
		b.WriteString(strings.Repeat(" ", max(utf16.RuneLen(r), 1)))
	}
	return b.String()
}
