package lsp

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.lsp.dev/protocol"
	lspuri "go.lsp.dev/uri"

	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/internal/driver"
	"github.com/tailor-lang/tailor/internal/profile"
)

// evaluated profiles a program in this process.
func evaluated(_ context.Context, name, target string) (*profile.File, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	if target != "auto" && target != "eval" {
		return nil, errors.New("there is no target " + target)
	}
	src := diag.NewSource(name, string(text))
	c := driver.New(src, driver.Options{Target: driver.Eval, Meter: profile.NewMeter(src, false)})
	if err := c.Evaluate(io.Discard, nil); err != nil {
		return nil, err
	}
	f := c.Meter.Profile("eval").File()
	return &f, nil
}

// A profile answers with what the lines cost and shows it in lenses, as long as the text
// is the one that was run.
func TestProfile(t *testing.T) {
	defer func(before func(context.Context, string, string) (*profile.File, error)) { profiled = before }(profiled)
	profiled = evaluated
	const text = "⍝ squares\nx←⍳200000\n+/{\n  y←⍵×⍵\n  y-1\n}x\n"
	name := filepath.Join(t.TempDir(), "a.apl")
	uri := lspuri.File(name)
	c := newClient(t)
	c.notify(protocol.MethodTextDocumentDidOpen, map[string]any{"textDocument": map[string]any{"uri": uri, "languageId": "apl", "version": 1, "text": text}})
	c.diagnostics(1)
	run := func(args ...any) map[string]any { return map[string]any{"command": profileCommand, "arguments": args} }
	assert.Contains(t, c.fails(protocol.MethodWorkspaceExecuteCommand, run(uri)), "not saved")
	require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
	assert.Contains(t, c.fails(protocol.MethodWorkspaceExecuteCommand, run(uri, "z80")), "no target z80")
	assert.Contains(t, c.fails(protocol.MethodWorkspaceExecuteCommand, run()), "not open")

	var f profile.File
	c.call(protocol.MethodWorkspaceExecuteCommand, run(uri, "eval"), &f)
	rows := map[int]profile.Row{}
	for _, r := range f.Lines {
		rows[r.Line] = r
	}
	assert.Equal(t, int64(1), rows[2].Runs)
	assert.Equal(t, "  y-1", rows[5].Text)

	shown := func() (titles []string) {
		var lenses []protocol.CodeLens
		c.call(protocol.MethodTextDocumentCodeLens, map[string]any{"textDocument": map[string]any{"uri": uri}}, &lenses)
		for _, l := range lenses {
			if l.Range.Start.Line == 1 {
				titles = append(titles, l.Command.Title)
			}
		}
		return titles
	}
	assert.Contains(t, shown(), rows[2].Brief())
	assert.Regexp(t, `^\d+% · [\d.]+ [mµ]s`, rows[2].Brief())

	c.notify(protocol.MethodTextDocumentDidChange, map[string]any{
		"textDocument":   map[string]any{"uri": uri, "version": 2},
		"contentChanges": []any{map[string]any{"text": text + "1\n"}},
	})
	c.diagnostics(2)
	assert.NotContains(t, shown(), rows[2].Brief())
}
