package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"github.com/tailor-lang/tailor/internal/cputime"
)

// client is an editor.
type client struct {
	t     *testing.T
	conn  jsonrpc2.Conn
	shown chan protocol.PublishDiagnosticsParams
	told  chan string
	fresh chan string
	done  chan error
}

func newClient(t *testing.T) *client {
	here, there := net.Pipe()
	c := &client{t: t, conn: jsonrpc2.NewConn(jsonrpc2.NewStream(newQueue(here))), shown: make(chan protocol.PublishDiagnosticsParams, 100),
		told: make(chan string, 10), fresh: make(chan string, 100), done: make(chan error, 1)}
	ctx := context.Background()
	go func() { c.done <- Serve(ctx, there, "test") }()
	c.conn.Go(ctx, func(ctx context.Context, reply jsonrpc2.Replier, req jsonrpc2.Request) error {
		switch req.Method() {
		case protocol.MethodTextDocumentPublishDiagnostics:
			var p protocol.PublishDiagnosticsParams
			assert.NoError(t, json.Unmarshal(req.Params(), &p))
			c.shown <- p
		case protocol.MethodWindowShowMessage:
			var p protocol.ShowMessageParams
			assert.NoError(t, json.Unmarshal(req.Params(), &p))
			c.told <- p.Message
		default:
			c.fresh <- req.Method()
		}
		return reply(ctx, nil, nil)
	})
	var can map[string]any
	c.call(protocol.MethodInitialize, map[string]any{"processId": nil, "rootUri": nil, "capabilities": map[string]any{}}, &can)
	assert.Contains(t, can["capabilities"], "hoverProvider")
	c.notify(protocol.MethodInitialized, map[string]any{})
	t.Cleanup(c.leave)
	return c
}

func (c *client) leave() {
	c.call(protocol.MethodShutdown, nil, nil)
	c.notify(protocol.MethodExit, nil)
	assert.NoError(c.t, <-c.done)
}

func (c *client) call(method string, params, result any) {
	c.t.Helper()
	_, err := c.conn.Call(context.Background(), method, params, result)
	require.NoError(c.t, err, method)
}

// fails returns the message of a request that is refused.
func (c *client) fails(method string, params any) string {
	c.t.Helper()
	_, err := c.conn.Call(context.Background(), method, params, nil)
	require.Error(c.t, err, method)
	return err.Error()
}

func (c *client) notify(method string, params any) {
	require.NoError(c.t, c.conn.Notify(context.Background(), method, params))
}

const uri = "file:///tmp/a.apl"

func at(line, character uint32) map[string]any {
	return map[string]any{"textDocument": map[string]any{"uri": uri}, "position": protocol.Position{Line: line, Character: character}}
}

func with(params map[string]any, key string, value any) map[string]any {
	params[key] = value
	return params
}

// open opens a text and returns what is said of it.
func (c *client) open(text string) []protocol.Diagnostic {
	c.notify(protocol.MethodTextDocumentDidOpen, map[string]any{"textDocument": map[string]any{"uri": uri, "languageId": "apl", "version": 1, "text": text}})
	return c.diagnostics(1)
}

// edit replaces a range.
func (c *client) edit(version int, from, to protocol.Position, text string) {
	c.notify(protocol.MethodTextDocumentDidChange, map[string]any{
		"textDocument":   map[string]any{"uri": uri, "version": version},
		"contentChanges": []any{map[string]any{"range": protocol.Range{Start: from, End: to}, "text": text}},
	})
}

// diagnostics returns those of a version.
func (c *client) diagnostics(version uint32) []protocol.Diagnostic {
	c.t.Helper()
	for {
		select {
		case p := <-c.shown:
			if p.Version == version {
				return p.Diagnostics
			}
		case <-time.After(20 * time.Second):
			require.Fail(c.t, "no diagnostics")
		}
	}
}

// settled waits for types.
func (c *client) settled() {
	c.t.Helper()
	select {
	case <-c.fresh:
	case <-time.After(20 * time.Second):
		require.Fail(c.t, "no types")
	}
}

const program = `⍝ The mean of a vector.
mean←+⌿÷≢ ⍝: <κ>n → double
scale←{⍝: double → <double>n → <double>n
    most←⌈/⍵
    ⍺×⍵÷most
}
double←{2×⍵}
data←1 2 3 4
mean 2 scale data
name←'é𝄞' ⋄ last←≢name
`

func TestDiagnostics(t *testing.T) {
	c := newClient(t)
	assert.Empty(t, c.open(program))
	c.edit(2, protocol.Position{Line: 9, Character: 0}, protocol.Position{Line: 9, Character: 0}, "x←1 2+3 4 5\n")
	found := c.diagnostics(2)
	require.Len(t, found, 1)
	assert.Equal(t, "E0301", found[0].Code)
	assert.Contains(t, found[0].Message, "LENGTH ERROR: ")
	assert.Equal(t, protocol.Position{Line: 9, Character: 5}, found[0].Range.Start)
	c.edit(3, protocol.Position{Line: 9, Character: 8}, protocol.Position{Line: 9, Character: 10}, "")
	assert.Empty(t, c.diagnostics(3))
	c.edit(4, protocol.Position{Line: 10, Character: 5}, protocol.Position{Line: 10, Character: 11}, "'é𝄞'+1")
	found = c.diagnostics(4)
	require.Len(t, found, 1)
	assert.Equal(t, protocol.Position{Line: 10, Character: 10}, found[0].Range.Start, "UTF-16 units")
	c.notify(protocol.MethodTextDocumentDidClose, map[string]any{"textDocument": map[string]any{"uri": uri}})
	assert.Empty(t, c.diagnostics(0))
}

// TestFixes applies what is offered for faults.
func TestFixes(t *testing.T) {
	for _, e := range []struct{ text, fixed string }{
		{"number←1\nnumbr+1\n", "number←1\nnumber+1\n"},
		{"# comment\n", "⍝ comment\n"},
		{"x←“a”\n", "x←'a”\n"},
		{"x←\"it's\"\n", "x←'it''s'\n"},
		{"x←'abc\n", "x←'abc'\n"},
		{"ρ 3 4\n", "⍴ 3 4\n"},
		{"x=3\n", "x←3\n"},
		{"x←¯ 3\n", "x←- 3\n"},
	} {
		c := newClient(t)
		found := c.open(e.text)
		require.NotEmpty(t, found, e.text)
		var actions []protocol.CodeAction
		c.call(protocol.MethodTextDocumentCodeAction, map[string]any{"textDocument": map[string]any{"uri": uri}, "range": found[0].Range, "context": map[string]any{"diagnostics": found}}, &actions)
		require.NotEmpty(t, actions, e.text)
		require.NotNil(t, actions[0].Edit, "%s\n%s", e.text, found[0].Message)
		d := newDocument(uri, 1, e.text)
		var changes []change
		for _, edit := range actions[0].Edit.Changes[uri] {
			changes = append(changes, change{&edit.Range, edit.NewText})
		}
		assert.Equal(t, e.fixed, d.changed(2, changes).src.Text)
	}
}

// TestHelps offers something for every help.
func TestHelps(t *testing.T) {
	c := newClient(t)
	found := c.open("f←{⍵+}\n∇ r←g x\n")
	require.NotEmpty(t, found)
	for _, d := range found {
		var actions []protocol.CodeAction
		c.call(protocol.MethodTextDocumentCodeAction, map[string]any{"textDocument": map[string]any{"uri": uri}, "range": d.Range, "context": map[string]any{"diagnostics": found}}, &actions)
		require.NotEmpty(t, actions, d.Message)
		last := actions[len(actions)-1]
		require.NotNil(t, last.Command)
		var text string
		c.call(protocol.MethodWorkspaceExecuteCommand, map[string]any{"command": last.Command.Command, "arguments": last.Command.Arguments}, &text)
		assert.Contains(t, <-c.told, d.Code)
	}
	assert.Contains(t, c.fails(protocol.MethodWorkspaceExecuteCommand, map[string]any{"command": "rm"}), "no command")
}

func TestHover(t *testing.T) {
	c := newClient(t)
	c.open(program)
	c.settled()
	hover := func(line, character uint32) string {
		var h *struct{ Contents protocol.MarkupContent }
		c.call(protocol.MethodTextDocumentHover, at(line, character), &h)
		if h == nil {
			return ""
		}
		return h.Contents.Value
	}
	assert.Contains(t, hover(1, 1), "mean : <κ>n → double   proved")
	assert.Contains(t, hover(1, 1), "The mean of a vector.")
	assert.Contains(t, hover(8, 9), "scale : double → <double>n → <double>n")
	assert.Contains(t, hover(8, 15), "data : <int>4")
	assert.Contains(t, hover(6, 2), "double : [κ]r → [κ]r")
	assert.Contains(t, hover(3, 6), "local variable")
	assert.Contains(t, hover(1, 6), "replicate first")
	assert.Contains(t, hover(4, 4), "`⍺`")
	assert.Empty(t, hover(0, 3))
}

func TestHints(t *testing.T) {
	c := newClient(t)
	c.open(program)
	c.settled()
	var all []inlayHint
	c.call("textDocument/inlayHint", map[string]any{"textDocument": map[string]any{"uri": uri}, "range": protocol.Range{End: protocol.Position{Line: 50}}}, &all)
	text := ""
	for _, h := range all {
		text += fmt.Sprintf("%d:%d%s\n", h.Position.Line, h.Position.Character, h.Label)
	}
	assert.Equal(t, "6:6: [κ]r → [κ]r\n7:4: <int>4\n9:4: <char>2\n9:17: S(int,2)\n", text)
}

func TestCompletion(t *testing.T) {
	c := newClient(t)
	c.open(program + "rho\nsc\n`r\n⎕I\nm")
	complete := func(line, character uint32) (all []string) {
		var list protocol.CompletionList
		c.call(protocol.MethodTextDocumentCompletion, at(line, character), &list)
		for _, i := range list.Items {
			all = append(all, i.Label+"|"+i.TextEdit.NewText)
		}
		return all
	}
	assert.Contains(t, complete(10, 3), "rho ⍴|⍴")
	assert.Contains(t, complete(11, 2), "scale|scale")
	assert.Contains(t, complete(12, 2), "`r ⍴|⍴")
	assert.Contains(t, complete(13, 2), "⎕IO|⎕IO")
	assert.Contains(t, complete(14, 1), "mean|mean")
	assert.NotContains(t, complete(14, 1), "most|most", "it is local")
	assert.Contains(t, complete(4, 9), "most|most")
	assert.Empty(t, complete(0, 5), "in a comment")
}

func ranges(all []protocol.Location) (text []string) {
	for _, l := range all {
		text = append(text, fmt.Sprintf("%d:%d-%d", l.Range.Start.Line, l.Range.Start.Character, l.Range.End.Character))
	}
	return text
}

func TestNames(t *testing.T) {
	c := newClient(t)
	c.open("a←1\nf←{a←a+1 ⋄ g←{a×⍵} ⋄ g a}\n(b c)←a 2\n∇ r←h x;k\n k←x+a\n r←k\n∇\nf h b\n")
	var found []protocol.Location
	c.call(protocol.MethodTextDocumentDefinition, at(7, 2), &found)
	assert.Equal(t, []string{"3:4-5"}, ranges(found))
	c.call(protocol.MethodTextDocumentReferences, with(at(1, 3), "context", map[string]any{"includeDeclaration": true}), &found)
	assert.Equal(t, []string{"1:3-4", "1:14-15", "1:23-24"}, ranges(found), "the a that the dfn assigns")
	c.call(protocol.MethodTextDocumentReferences, with(at(0, 0), "context", map[string]any{"includeDeclaration": false}), &found)
	assert.Equal(t, []string{"1:5-6", "2:6-7", "4:5-6"}, ranges(found), "the other one")
	c.call(protocol.MethodTextDocumentReferences, with(at(4, 1), "context", map[string]any{"includeDeclaration": true}), &found)
	assert.Equal(t, []string{"3:8-9", "4:1-2", "5:3-4"}, ranges(found))
	var edit protocol.WorkspaceEdit
	c.call(protocol.MethodTextDocumentRename, with(at(0, 0), "newName", "alpha"), &edit)
	assert.Len(t, edit.Changes[uri], 4)
	assert.Contains(t, c.fails(protocol.MethodTextDocumentRename, with(at(0, 0), "newName", "b")), "already")
	assert.Contains(t, c.fails(protocol.MethodTextDocumentRename, with(at(0, 0), "newName", "3x")), "no name")
	assert.Contains(t, c.fails(protocol.MethodTextDocumentRename, with(at(0, 1), "newName", "q")), "no name of the program")
	var symbols []protocol.DocumentSymbol
	c.call(protocol.MethodTextDocumentDocumentSymbol, map[string]any{"textDocument": map[string]any{"uri": uri}}, &symbols)
	var names []string
	for _, s := range symbols {
		names = append(names, s.Name)
		for _, i := range s.Children {
			names = append(names, s.Name+"."+i.Name)
		}
	}
	assert.Equal(t, []string{"a", "f", "f.a", "f.g", "b", "c", "h", "h.r", "h.x", "h.k"}, names)
}

func TestTokensAndFormatting(t *testing.T) {
	c := newClient(t)
	c.open("x ← 'é𝄞' + 12 ⍝ c\n")
	var tokens protocol.SemanticTokens
	c.call(protocol.MethodSemanticTokensFull, map[string]any{"textDocument": map[string]any{"uri": uri}}, &tokens)
	assert.Equal(t, []uint32{0, 0, 1, variableType, 0, 0, 2, 1, operatorType, 0, 0, 2, 5, stringType, 0, 0, 6, 1, operatorType, 0, 0, 2, 2, numberType, 0, 0, 3, 3, commentType, 0}, tokens.Data)
	var edits []protocol.TextEdit
	c.call(protocol.MethodTextDocumentFormatting, map[string]any{"textDocument": map[string]any{"uri": uri}, "options": map[string]any{}}, &edits)
	require.Len(t, edits, 1)
	assert.Equal(t, "x←'é𝄞' + 12 ⍝ c\n", edits[0].NewText)
}

func TestLenses(t *testing.T) {
	c := newClient(t)
	c.open("x←⍳1000000\nsum←{+/⍵} ⍝: <int>n → int\nsum x×x\n")
	c.settled()
	var all []protocol.CodeLens
	c.call(protocol.MethodTextDocumentCodeLens, map[string]any{"textDocument": map[string]any{"uri": uri}}, &all)
	var titles []string
	for _, l := range all {
		titles = append(titles, fmt.Sprintf("%d %s", l.Range.Start.Line, l.Command.Title))
	}
	assert.Contains(t, titles, "1 proved")
	assert.True(t, slices.ContainsFunc(titles, func(s string) bool { return strings.Contains(s, "loop over 1,000,000") }), titles)
}

// large returns a program of 2,000 lines.
func large() string {
	var b strings.Builder
	for i := range 200 {
		fmt.Fprintf(&b, `⍝ Part %d
total%d←0
mean%d←{⍝: <double>n → double
    (+/⍵)÷1⌈≢⍵
}
scale%d←{
    most←⌈/⍵
    ⍺×⍵÷most
}
total%d←mean%d 2.5 scale%d 1 2 3
`, i, i, i, i, i, i, i)
	}
	return b.String()
}

// TestLarge measures how long diagnostics take behind a key, in a program of 2,000 lines.
func TestLarge(t *testing.T) {
	c := newClient(t)
	assert.Empty(t, c.open(large()))
	var times []time.Duration
	for k := range 7 {
		time.Sleep(20 * time.Millisecond)
		start := time.Now()
		c.edit(2+k, protocol.Position{Line: 9, Character: 0}, protocol.Position{Line: 9, Character: 0}, "y")
		found := c.diagnostics(uint32(2 + k))
		times = append(times, time.Since(start))
		assert.Empty(t, found)
	}
	slices.Sort(times)
	t.Logf("diagnostics behind a key: least %v, median %v, most %v", times[0], times[len(times)/2], times[len(times)-1])
	d := newDocument(uri, 1, large())
	end := protocol.Position{Line: 9}
	took := cputime.Of(func() {
		for range 5 {
			d = d.changed(2, []change{{&protocol.Range{Start: end, End: end}, "y"}})
			analyse(d)
		}
	}) / 5
	t.Logf("processor time of a change: %v", took)
	assert.Less(t, took, 400*time.Millisecond)
}
