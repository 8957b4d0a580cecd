package session

import (
	"bufio"
	"context"
	"io"
	"strings"
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
// their own, and the programs between them. Each begins with as many ends of lines as
// stand before it, so that messages have the numbers of lines in the text.
func (s *Session) Parts(text string) []string {
	var all []string
	begin, program := 0, ""
	flush := func() {
		if strings.TrimSpace(program) != "" {
			all = append(all, strings.Repeat("\n", begin)+program)
		}
		program = ""
	}
	for i, line := range strings.Split(text, "\n") {
		if t := strings.TrimSpace(line); t != "" && s.isCommand(t) && !Open(program) {
			flush()
			all = append(all, t)
			continue
		}
		if program == "" {
			begin = i
		}
		program += line + "\n"
	}
	flush()
	return all
}
