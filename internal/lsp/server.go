package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"github.com/tailor-lang/tailor/docs"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/internal/format"
)

// The commands that the server runs for the editor.
const (
	explainCommand = "tailor.explain" // shows the page of a code
	showCommand    = "tailor.show"    // shows a text
)

// server answers the requests of one editor.
type server struct {
	conn     jsonrpc2.Conn
	version  string
	stopping bool

	mu   sync.Mutex
	docs map[protocol.DocumentURI]*open
}

// open is a document that is open, and the last analysis that is finished. The worker of a
// document takes the newest text.
type open struct {
	doc      *document
	analysed *analysis
	costs    *costs // nil until the program is profiled
	wake     chan struct{}
}

// Serve answers an editor's requests until it leaves or the stream ends.
func Serve(ctx context.Context, stream io.ReadWriteCloser, version string) error {
	s := &server{conn: jsonrpc2.NewConn(jsonrpc2.NewStream(newQueue(stream))), version: version, docs: map[protocol.DocumentURI]*open{}}
	s.conn.Go(ctx, s.handle)
	<-s.conn.Done()
	if !s.stopping {
		return errors.New("the editor left without a request to shut down")
	}
	return nil
}

// handle answers one request. A bug of ours is an error of the request.
func (s *server) handle(ctx context.Context, reply jsonrpc2.Replier, req jsonrpc2.Request) error {
	if req.Method() == protocol.MethodExit {
		s.conn.Close()
		return nil
	}
	if runsLong(req) {
		go s.respond(ctx, reply, req)
	} else {
		s.respond(ctx, reply, req)
	}
	return nil
}

func (s *server) respond(ctx context.Context, reply jsonrpc2.Replier, req jsonrpc2.Request) {
	answer, failure := s.answer(ctx, req)
	reply(ctx, answer, failure) // where that fails, so does the next read
}

func (s *server) answer(ctx context.Context, req jsonrpc2.Request) (answer any, err error) {
	defer func() {
		if r := recover(); r != nil {
			answer, err = nil, fmt.Errorf("internal error: %v", r)
		}
	}()
	answerer, ok := methods[req.Method()]
	if !ok {
		return nil, jsonrpc2.ErrMethodNotFound
	}
	return answerer(s, ctx, req.Params())
}

// method makes an answerer of a function of the request's parameters.
func method[P, R any](f func(*server, context.Context, P) (R, error)) func(*server, context.Context, json.RawMessage) (any, error) {
	return func(s *server, ctx context.Context, params json.RawMessage) (any, error) {
		var p P
		if len(params) > 0 {
			if err := json.Unmarshal(params, &p); err != nil {
				return nil, fmt.Errorf("%w: %v", jsonrpc2.ErrInvalidParams, err)
			}
		}
		return f(s, ctx, p)
	}
}

var methods map[string]func(*server, context.Context, json.RawMessage) (any, error)

func init() {
	methods = map[string]func(*server, context.Context, json.RawMessage) (any, error){
		protocol.MethodInitialize:                      method((*server).initialize),
		protocol.MethodInitialized:                     method((*server).nothing),
		protocol.MethodShutdown:                        method((*server).shutdown),
		"$/cancelRequest":                              method((*server).nothing),
		"$/setTrace":                                   method((*server).nothing),
		protocol.MethodTextDocumentDidOpen:             method((*server).didOpen),
		protocol.MethodTextDocumentDidChange:           method((*server).didChange),
		protocol.MethodTextDocumentDidClose:            method((*server).didClose),
		protocol.MethodTextDocumentDidSave:             method((*server).nothing),
		protocol.MethodWorkspaceDidChangeConfiguration: method((*server).nothing),
		protocol.MethodWorkspaceDidChangeWatchedFiles:  method((*server).nothing),
		protocol.MethodTextDocumentHover:               method((*server).hover),
		protocol.MethodTextDocumentCompletion:          method((*server).completion),
		protocol.MethodTextDocumentDefinition:          method((*server).definition),
		protocol.MethodTextDocumentReferences:          method((*server).references),
		protocol.MethodTextDocumentDocumentHighlight:   method((*server).highlight),
		protocol.MethodTextDocumentPrepareRename:       method((*server).prepareRename),
		protocol.MethodTextDocumentRename:              method((*server).rename),
		protocol.MethodTextDocumentDocumentSymbol:      method((*server).symbols),
		protocol.MethodTextDocumentFormatting:          method((*server).formatting),
		protocol.MethodTextDocumentCodeAction:          method((*server).codeAction),
		protocol.MethodTextDocumentCodeLens:            method((*server).codeLens),
		protocol.MethodSemanticTokensFull:              method((*server).semanticTokens),
		"textDocument/inlayHint":                       method((*server).inlayHint),
		protocol.MethodWorkspaceExecuteCommand:         method((*server).execute),
	}
}

func (s *server) nothing(context.Context, json.RawMessage) (any, error) { return nil, nil }

func (s *server) shutdown(context.Context, json.RawMessage) (any, error) {
	s.stopping = true
	return nil, nil
}

// initialize says what the server can.
func (s *server) initialize(context.Context, json.RawMessage) (any, error) {
	type m = map[string]any
	return m{
		"serverInfo": m{"name": "tailor", "version": s.version},
		"capabilities": m{
			"textDocumentSync":           m{"openClose": true, "change": protocol.TextDocumentSyncKindIncremental},
			"hoverProvider":              true,
			"completionProvider":         m{"triggerCharacters": []string{"`", "⎕", ":"}},
			"definitionProvider":         true,
			"referencesProvider":         true,
			"documentHighlightProvider":  true,
			"renameProvider":             m{"prepareProvider": true},
			"documentSymbolProvider":     true,
			"documentFormattingProvider": true,
			"codeActionProvider":         m{"codeActionKinds": []protocol.CodeActionKind{protocol.QuickFix, protocol.RefactorRewrite}},
			"codeLensProvider":           m{},
			"inlayHintProvider":          true,
			"semanticTokensProvider":     m{"legend": m{"tokenTypes": tokenTypes, "tokenModifiers": []string{}}, "full": true},
			"executeCommandProvider":     m{"commands": []string{explainCommand, showCommand, profileCommand}},
		},
	}, nil
}

// ---- Documents ----

func (s *server) didOpen(ctx context.Context, p protocol.DidOpenTextDocumentParams) (any, error) {
	o := &open{doc: newDocument(p.TextDocument.URI, p.TextDocument.Version, p.TextDocument.Text), wake: make(chan struct{}, 1)}
	s.mu.Lock()
	if before := s.docs[p.TextDocument.URI]; before != nil {
		close(before.wake)
	}
	s.docs[p.TextDocument.URI] = o
	s.mu.Unlock()
	o.wake <- struct{}{}
	go s.work(ctx, o)
	return nil, nil
}

func (s *server) didChange(_ context.Context, p struct {
	TextDocument   protocol.VersionedTextDocumentIdentifier `json:"textDocument"`
	ContentChanges []change                                 `json:"contentChanges"`
}) (any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	o := s.docs[p.TextDocument.URI]
	if o == nil {
		return nil, nil
	}
	o.doc = o.doc.changed(p.TextDocument.Version, p.ContentChanges)
	select {
	case o.wake <- struct{}{}:
	default:
	}
	return nil, nil
}

func (s *server) didClose(ctx context.Context, p protocol.DidCloseTextDocumentParams) (any, error) {
	s.mu.Lock()
	if o := s.docs[p.TextDocument.URI]; o != nil {
		close(o.wake)
		delete(s.docs, p.TextDocument.URI)
	}
	s.mu.Unlock()
	return nil, s.publish(ctx, p.TextDocument.URI, 0, []protocol.Diagnostic{})
}

// pause is how long keys must rest before types are looked for, which takes longer than
// diagnostics.
const pause = 150 * time.Millisecond

// work analyses a document whenever it has changed.
func (s *server) work(ctx context.Context, o *open) {
	deep := make(chan *analysis, 1)
	defer close(deep)
	go s.workDeep(ctx, o, deep)
	for range o.wake {
		s.mu.Lock()
		d := o.doc
		s.mu.Unlock()
		a := analyse(d)
		more := *a
		s.finish(ctx, o, a)
		select {
		case <-deep: // of an older text
		default:
		}
		deep <- &more
	}
}

// workDeep finds the types of a document, and what else takes long, when keys rest. It is
// not waited for.
func (s *server) workDeep(ctx context.Context, o *open, texts <-chan *analysis) {
	timer := time.NewTimer(pause)
	var a *analysis
	for {
		select {
		case next, ok := <-texts:
			if !ok {
				return
			}
			a = next
			timer.Reset(pause)
			continue
		case <-timer.C:
		}
		if a == nil {
			continue
		}
		shown := len(a.faults)
		a.deepen()
		s.mu.Lock()
		current := o.doc == a.doc && s.docs[a.doc.uri] == o
		if current {
			o.analysed = a
		}
		s.mu.Unlock()
		if current && len(a.faults) != shown {
			s.publish(ctx, a.doc.uri, a.doc.version, a.diagnostics())
		}
		if current {
			s.refresh(ctx)
		}
		a = nil
	}
}

// finish shows the faults of an analysis, unless there is a newer text. Types of the one
// before are kept until there are others.
func (s *server) finish(ctx context.Context, o *open, a *analysis) {
	s.mu.Lock()
	current := s.docs[a.doc.uri] == o && o.doc == a.doc
	if before := o.analysed; before != nil {
		a.types = before.types
	}
	o.analysed = a
	s.mu.Unlock()
	if current {
		s.publish(ctx, a.doc.uri, a.doc.version, a.diagnostics())
	}
}

func (s *server) publish(ctx context.Context, uri protocol.DocumentURI, version int32, all []protocol.Diagnostic) error {
	return s.conn.Notify(ctx, protocol.MethodTextDocumentPublishDiagnostics, protocol.PublishDiagnosticsParams{URI: uri, Version: uint32(version), Diagnostics: all})
}

// refresh has the editor ask again for what depends on types.
func (s *server) refresh(ctx context.Context) {
	for _, what := range []string{"workspace/inlayHint/refresh", "workspace/codeLens/refresh"} {
		go func() {
			ctx, done := context.WithTimeout(ctx, time.Second)
			defer done()
			s.conn.Call(ctx, what, nil, nil) // editors that cannot say so
		}()
	}
}

var errClosed = errors.New("the document is not open")

// look returns a document and what is known of it.
func (s *server) look(uri protocol.DocumentURI) (*document, *analysis, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	o := s.docs[uri]
	if o == nil {
		return nil, nil, errClosed
	}
	return o.doc, o.analysed, nil
}

// ---- Requests ----

func (s *server) hover(_ context.Context, p protocol.TextDocumentPositionParams) (any, error) {
	d, a, err := s.look(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	if h := hover(d, a, d.offset(p.Position)); h != nil {
		return h, nil
	}
	return nil, nil
}

func (s *server) completion(_ context.Context, p protocol.TextDocumentPositionParams) (any, error) {
	d, a, err := s.look(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	return protocol.CompletionList{IsIncomplete: true, Items: complete(d, a, d.offset(p.Position))}, nil
}

// symbol returns the symbol at a place, or nil.
func (s *server) symbol(p protocol.TextDocumentPositionParams) (*document, *symbol, error) {
	d, _, err := s.look(p.TextDocument.URI)
	if err != nil {
		return nil, nil, err
	}
	return d, d.index.symbolAt(d.offset(p.Position)), nil
}

func (s *server) definition(_ context.Context, p protocol.TextDocumentPositionParams) (any, error) {
	d, y, err := s.symbol(p)
	if err != nil || y == nil {
		return []protocol.Location{}, err
	}
	return d.places(y.defs), nil
}

func (s *server) references(_ context.Context, p protocol.ReferenceParams) (any, error) {
	d, y, err := s.symbol(p.TextDocumentPositionParams)
	if err != nil || y == nil {
		return []protocol.Location{}, err
	}
	uses := y.uses
	if !p.Context.IncludeDeclaration {
		uses = nil
		for _, u := range y.uses {
			if !y.defines(u) {
				uses = append(uses, u)
			}
		}
	}
	return d.places(uses), nil
}

// defines reports whether a use is a definition.
func (y *symbol) defines(u use) bool {
	for _, d := range y.defs {
		if d.start == u.start {
			return true
		}
	}
	return false
}

func (s *server) highlight(_ context.Context, p protocol.TextDocumentPositionParams) (any, error) {
	all := []protocol.DocumentHighlight{}
	d, y, err := s.symbol(p)
	if err != nil || y == nil {
		return all, err
	}
	for _, u := range y.uses {
		h := protocol.DocumentHighlight{Range: d.span(u.start, u.end), Kind: protocol.DocumentHighlightKindRead}
		if y.defines(u) {
			h.Kind = protocol.DocumentHighlightKindWrite
		}
		all = append(all, h)
	}
	return all, nil
}

func (s *server) prepareRename(_ context.Context, p protocol.TextDocumentPositionParams) (any, error) {
	d, y, err := s.symbol(p)
	if err != nil || y == nil {
		return nil, err
	}
	t := d.index.tokenAt(d.offset(p.Position))
	return d.span(t.Start, t.End), nil
}

func (s *server) rename(_ context.Context, p protocol.RenameParams) (any, error) {
	d, y, err := s.symbol(p.TextDocumentPositionParams)
	if err != nil {
		return nil, err
	}
	if y == nil {
		return nil, errors.New("there is no name of the program here")
	}
	return rename(d, y, p.NewName)
}

func (s *server) symbols(_ context.Context, p protocol.DocumentSymbolParams) (any, error) {
	d, a, err := s.look(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	return outline(d, a), nil
}

func (s *server) formatting(_ context.Context, p protocol.DocumentFormattingParams) (any, error) {
	d, _, err := s.look(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	text, err := format.Source(d.src)
	var list diag.List
	switch {
	case errors.As(err, &list):
		return nil, fmt.Errorf("the text cannot be read: %s", list[0].Headline())
	case err != nil:
		return nil, err
	case text == d.src.Text:
		return []protocol.TextEdit{}, nil
	}
	return []protocol.TextEdit{{Range: d.all(), NewText: text}}, nil
}

func (s *server) codeAction(_ context.Context, p protocol.CodeActionParams) (any, error) {
	d, a, err := s.look(p.TextDocument.URI)
	if err != nil || a == nil || a.doc != d {
		return []protocol.CodeAction{}, err
	}
	return a.actions(p.Range), nil
}

func (s *server) codeLens(_ context.Context, p protocol.CodeLensParams) (any, error) {
	d, a, err := s.look(p.TextDocument.URI)
	if err != nil || a == nil || a.doc != d {
		return []protocol.CodeLens{}, err
	}
	s.mu.Lock()
	var c *costs
	if o := s.docs[d.uri]; o != nil {
		c = o.costs
	}
	s.mu.Unlock()
	return append(c.lensesOf(d), lenses(a)...), nil
}

func (s *server) semanticTokens(_ context.Context, p protocol.SemanticTokensParams) (any, error) {
	d, _, err := s.look(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	return protocol.SemanticTokens{Data: colours(d)}, nil
}

func (s *server) inlayHint(_ context.Context, p struct {
	TextDocument protocol.TextDocumentIdentifier `json:"textDocument"`
	Range        protocol.Range                  `json:"range"`
}) (any, error) {
	d, a, err := s.look(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	return hints(d, a, p.Range), nil
}

// execute shows the page of a code, or a text, or runs a program.
func (s *server) execute(ctx context.Context, p protocol.ExecuteCommandParams) (any, error) {
	if p.Command == profileCommand {
		return s.profile(ctx, p.Arguments)
	}
	text := ""
	if len(p.Arguments) == 1 {
		text, _ = p.Arguments[0].(string)
	}
	switch p.Command {
	case explainCommand:
		if text = docs.Explain(text); text == "" {
			return nil, errors.New("there is no such code")
		}
	case showCommand:
	default:
		return nil, fmt.Errorf("there is no command %q", p.Command)
	}
	s.conn.Notify(ctx, protocol.MethodWindowShowMessage, protocol.ShowMessageParams{Type: protocol.MessageTypeInfo, Message: text})
	return text, nil
}
