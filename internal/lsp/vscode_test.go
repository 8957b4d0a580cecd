package lsp

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/internal/session"
)

// TestVSCode compares the keys of the extension with those of the table of glyphs, and
// reads its other files.
func TestVSCode(t *testing.T) {
	keyboard, keys := session.NewKeyboard(session.DefaultPrefix), map[string]string{}
	for r := rune(' '); r <= '~'; r++ {
		if g := keyboard.Glyph(r); g != "" {
			keys[string(r)] = g
		}
	}
	text, err := json.MarshalIndent(keys, "", "  ")
	require.NoError(t, err)
	const folder = "../../editors/vscode/"
	if os.Getenv("UPDATE") != "" {
		require.NoError(t, os.WriteFile(folder+"glyphs.json", append(text, '\n'), 0o644))
	}
	have, err := os.ReadFile(folder + "glyphs.json")
	require.NoError(t, err)
	assert.JSONEq(t, string(text), string(have), "UPDATE=1 go test ./internal/lsp -run VSCode")
	for _, name := range []string{"package.json", "language-configuration.json", "syntaxes/apl.tmLanguage.json"} {
		text, err := os.ReadFile(folder + name)
		require.NoError(t, err)
		assert.True(t, json.Valid(text), name)
	}
}
