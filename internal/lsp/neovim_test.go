package lsp

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// script is the client's: it waits for diagnostics, asks, and quits.
const script = `
local function said(name, value) io.stdout:write(name .. ' ' .. tostring(value) .. '\n') end
local function wait(what) return vim.wait(20000, what, 20) end
wait(function() return #vim.diagnostic.get(0) > 0 end)
for _, d in ipairs(vim.diagnostic.get(0)) do said('diagnostic', d.lnum .. ':' .. d.col .. ' ' .. d.message:match('^[^\n]*')) end
local function ask(method, line, character, more)
  local params = vim.tbl_extend('force', { textDocument = vim.lsp.util.make_text_document_params(0), position = { line = line, character = character } }, more or {})
  local answers = vim.lsp.buf_request_sync(0, method, params, 20000)
  for _, a in pairs(answers or {}) do return a.result end
end
said('hover', ask('textDocument/hover', 0, 1).contents.value:match('mean[^\n]*'))
said('definition', ask('textDocument/definition', 1, 1)[1].range.start.line)
vim.api.nvim_buf_set_lines(0, 2, 3, false, {})
wait(function() return #vim.diagnostic.get(0) == 0 end)
said('left', #vim.diagnostic.get(0))
local edit = ask('textDocument/rename', 0, 1, { newName = 'average' })
for _, edits in pairs(edit.changes) do vim.lsp.util.apply_text_edits(edits, 0, 'utf-16') end
vim.cmd('write')
local costs = ask('workspace/executeCommand', 0, 0, { command = 'tailor.profile', arguments = { vim.uri_from_bufnr(0), 'eval' } })
said('profiled', costs.lines[2].text .. ' ' .. costs.lines[2].runs)
said('renamed', vim.api.nvim_buf_get_lines(0, 1, 2, false)[1])
vim.cmd('qa!')
`

// TestNeovim runs Neovim as docs/editors.md configures it.
func TestNeovim(t *testing.T) {
	nvim, err := exec.LookPath("nvim")
	if err != nil {
		t.Skip("there is no Neovim here (Debian: apt-get install neovim)")
	}
	dir := t.TempDir()
	build := exec.Command("go", "build", "-o", filepath.Join(dir, "tailor"), "../../cmd/tailor")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	out, err := build.CombinedOutput()
	require.NoError(t, err, "%s", out)
	page, err := os.ReadFile("../../docs/editors.md")
	require.NoError(t, err)
	_, config, _ := strings.Cut(string(page), "```lua\n")
	config, _, _ = strings.Cut(config, "```\n")
	put := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	put("init.lua", config)
	put("script.lua", script)
	put("a.apl", "mean←+⌿÷≢ ⍝: <κ>n → double\nmean 1 2 3\n1 2+3 4 5\n")
	cmd := exec.Command(nvim, "--headless", "-u", "init.lua", "a.apl", "-c", "luafile script.lua")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "PATH="+dir+string(os.PathListSeparator)+os.Getenv("PATH"), "XDG_STATE_HOME="+dir, "XDG_DATA_HOME="+dir, "XDG_CACHE_HOME="+dir)
	out, err = cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	text := string(out)
	assert.Contains(t, text, "diagnostic 2:3 LENGTH ERROR")
	assert.Contains(t, text, "hover mean : <κ>n → double   proved")
	assert.Contains(t, text, "definition 0")
	assert.Contains(t, text, "left 0")
	assert.Contains(t, text, "profiled average 1 2 3 1")
	assert.Contains(t, text, "renamed average 1 2 3")
}
