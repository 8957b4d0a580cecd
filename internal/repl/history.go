package repl

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/peterh/liner"
)

// lineSign stands for the end of a line within an entry of the history, so that
// a dfn of several lines is one entry, and is shown on one line.
const lineSign = "␤"

// history is the list of lines of this and earlier sessions.
type history struct {
	state *liner.State
	file  string // "" where nothing is kept
}

// newHistory reads the history of earlier sessions.
func newHistory(state *liner.State, keep bool) *history {
	h := &history{state: state}
	if dir, err := os.UserConfigDir(); err == nil && keep {
		if dir = filepath.Join(dir, "tailor"); os.MkdirAll(dir, 0o700) == nil {
			h.file = filepath.Join(dir, "history")
		}
	}
	text, err := os.ReadFile(h.file)
	if err != nil {
		return h
	}
	entries := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	if len(entries) > 2*liner.HistoryLimit {
		entries = entries[len(entries)-liner.HistoryLimit:]
		_ = os.WriteFile(h.file, []byte(strings.Join(entries, "\n")+"\n"), 0o600)
	}
	for _, e := range entries {
		state.AppendHistory(e)
	}
	return h
}

// add remembers what was typed, here and in the file.
func (h *history) add(text string) {
	if strings.TrimSpace(text) == "" {
		return
	}
	entry := strings.ReplaceAll(text, "\n", lineSign)
	h.state.AppendHistory(entry)
	if h.file == "" {
		return
	}
	f, err := os.OpenFile(h.file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return
	}
	defer f.Close()
	_, _ = f.WriteString(entry + "\n")
}
