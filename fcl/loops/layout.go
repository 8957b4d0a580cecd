package loops

import "strings"

// width is that of lines, where they can be cut.
const width = 96

// short reports whether a text stands on one line.
func short(text string) bool { return len(text) <= width && !strings.Contains(text, "\n") }

// deeper returns a text with its lines after the first moved to the right.
func deeper(text string) string { return strings.ReplaceAll(text, "\n", "\n  ") }

// call writes an application: on one line, or with a line for each argument, but for the last one
// where that is a function.
func call(f string, args ...string) string {
	if line := f + " " + strings.Join(args, " "); short(line) {
		return line
	}
	if last := len(args) - 1; strings.HasPrefix(args[last], "(fn ") {
		if head := strings.Join(append([]string{f}, args[:last]...), " "); short(head) {
			return head + " " + args[last]
		}
	}
	for _, a := range args {
		f += "\n  " + deeper(a)
	}
	return f
}

// let writes a binding, and what it is for.
func let(name, value, rest string) string {
	if rest == name {
		return value
	}
	if short(value) || strings.HasPrefix(value, "if ") || strings.HasPrefix(value, "loop ") || strings.HasPrefix(value, "until ") {
		return "let " + name + " = " + deeper(value) + " in\n" + rest
	}
	return "let " + name + " =\n  " + deeper(value) + " in\n" + rest
}

// function writes a function in parentheses.
func function(body string, params ...string) string {
	if strings.HasPrefix(body, "(fn ") && enclosed(body) {
		body = body[1 : len(body)-1]
	}
	head := "(fn " + strings.Join(params, " => fn ") + " =>"
	if line := head + " " + body + ")"; short(line) {
		return line
	}
	return head + "\n  " + deeper(body) + ")"
}

// conditional writes an if.
func conditional(cond, then, other string) string {
	if line := "if " + cond + " then " + then + " else " + other; short(line) {
		return line
	}
	return "if " + cond + " then\n  " + deeper(then) + "\nelse\n  " + deeper(other)
}

// tuple writes values, or names, as one.
func tuple(items []string) string {
	if len(items) == 1 {
		return items[0]
	}
	if line := "(" + strings.Join(items, ", ") + ")"; short(line) {
		return line
	}
	text := "( "
	for i, item := range items {
		if i > 0 {
			text += "\n, "
		}
		text += deeper(item)
	}
	return text + ")"
}

// operand writes a text in parentheses where it is none already and is not one word.
func operand(text string) string {
	if !strings.ContainsAny(text, " \n") && text[0] != '-' && text[0] != '!' || enclosed(text) {
		return text
	}
	return group(text)
}

// group writes a text in parentheses.
func group(text string) string {
	if strings.Contains(text, "\n") && !strings.HasPrefix(text, "fn ") {
		return "( " + deeper(text) + ")"
	}
	return "(" + text + ")"
}

// enclosed reports whether the first parenthesis of a text is closed by its last one.
func enclosed(text string) bool {
	if !strings.HasPrefix(text, "(") {
		return false
	}
	depth := 0
	for i, r := range text {
		switch r {
		case '(':
			depth++
		case ')':
			depth--
		}
		if depth == 0 {
			return i == len(text)-1
		}
	}
	return false
}

// steps writes a do of the grid, or of a block.
func steps(level string, list ...string) string {
	for i, s := range list {
		list[i] = deeper(deeper(s))
	}
	return "do<" + level + ">\n  { " + strings.Join(list, "\n  ; ") + "\n  }"
}
