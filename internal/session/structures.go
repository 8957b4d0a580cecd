package session

import "strings"

// openers are the words that begin a control structure or a script, which ends at
// :End and the word, or at :End alone.
var openers = map[string]bool{":if": true, ":for": true, ":while": true, ":repeat": true, ":select": true, ":trap": true, ":with": true, ":hold": true, ":disposable": true, ":namespace": true, ":class": true, ":interface": true, ":section": true}

// structured reports whether a control structure or a namespace of text is open.
func structured(text string) bool {
	depth := 0
	for _, s := range statementsOf(text) {
		word, _, _ := strings.Cut(s, " ")
		switch word = strings.ToLower(word); {
		case openers[word]:
			depth++
		case word == ":until", strings.HasPrefix(word, ":end"):
			depth--
		}
	}
	return depth > 0
}

// statementsOf cuts a text at ends of lines and at ⋄, outside of strings, and leaves
// comments out.
func statementsOf(text string) []string {
	var all []string
	var one strings.Builder
	quoted, comment := false, false
	for _, r := range text + "\n" {
		switch {
		case r == '\n' || r == '⋄' && !quoted && !comment:
			all = append(all, strings.TrimSpace(one.String()))
			one.Reset()
			quoted, comment = quoted && r != '\n', false
		case comment:
		case r == '⍝' && !quoted:
			comment = true
		default:
			quoted = quoted != (r == '\'')
			one.WriteRune(r)
		}
	}
	return all
}

// commandSign reports whether a text begins as a command does, and not as APL does.
func commandSign(text string) bool {
	if text[0] != ':' {
		return text[0] == ']' || text[0] == ')'
	}
	word, _, _ := strings.Cut(text, " ")
	for _, c := range commands {
		if c.name == strings.ToLower(word) {
			return true
		}
	}
	return false
}
