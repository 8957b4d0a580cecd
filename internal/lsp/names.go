package lsp

import (
	"fmt"

	"go.lsp.dev/protocol"

	"github.com/tailor-lang/tailor/apl"
)

// places returns ranges as locations in the document.
func (d *document) places(uses []use) []protocol.Location {
	all := []protocol.Location{}
	for _, u := range uses {
		all = append(all, protocol.Location{URI: d.uri, Range: d.span(u.start, u.end)})
	}
	return all
}

// rename returns the edits that give a symbol another name; the error says why not.
func rename(d *document, y *symbol, name string) (*protocol.WorkspaceEdit, error) {
	if !apl.IsName(name) {
		return nil, fmt.Errorf("%q is no name", name)
	}
	for _, other := range d.index.symbols {
		if other.name == name && other != y {
			return nil, fmt.Errorf("there is a name %s already", name)
		}
	}
	edits := []protocol.TextEdit{}
	for _, u := range y.uses {
		edits = append(edits, protocol.TextEdit{Range: d.span(u.start, u.end), NewText: name})
	}
	return &protocol.WorkspaceEdit{Changes: map[protocol.DocumentURI][]protocol.TextEdit{d.uri: edits}}, nil
}

// outline returns the names that the program defines, those of functions inside them.
func outline(d *document, a *analysis) []protocol.DocumentSymbol {
	all := []protocol.DocumentSymbol{}
	for _, y := range d.index.symbols {
		if y.scope.parent != nil {
			continue
		}
		s := d.outlined(y)
		if a != nil && a.doc == d {
			s.Detail = a.typeOf(y.name)
		}
		for _, inner := range d.index.symbols {
			p := inner.scope.parent
			if p == nil || p.parent != nil || inner.scope.depth != 1 {
				continue
			}
			if def := y.defs[len(y.defs)-1]; y.function && inner.scope == d.index.body(def) {
				s.Children = append(s.Children, d.outlined(inner))
			}
		}
		all = append(all, s)
	}
	return all
}

// body returns the scope of the dfn or definition that a name is given, or nil.
func (x *index) body(def use) *scope {
	for _, s := range x.scopes[1:] {
		if s.start >= def.end && s.start <= def.end+len("←") || s.lines && s.start < def.start && def.end < s.end && s.parent == def.scope {
			return s
		}
	}
	return nil
}

func (d *document) outlined(y *symbol) protocol.DocumentSymbol {
	def := y.defs[len(y.defs)-1]
	s := protocol.DocumentSymbol{Name: y.name, Kind: protocol.SymbolKindVariable, SelectionRange: d.span(def.start, def.end)}
	s.Range = s.SelectionRange
	if y.function {
		s.Kind = protocol.SymbolKindFunction
		if body := d.index.body(def); body != nil {
			s.Range = d.span(min(def.start, body.start), max(def.end, body.end))
		}
	}
	return s
}

// The types of semantic tokens, in the order of the legend.
var tokenTypes = []protocol.SemanticTokenTypes{
	protocol.SemanticTokenComment, protocol.SemanticTokenString, protocol.SemanticTokenNumber, protocol.SemanticTokenOperator,
	protocol.SemanticTokenVariable, protocol.SemanticTokenFunction, protocol.SemanticTokenParameter, protocol.SemanticTokenKeyword,
	protocol.SemanticTokenType, protocol.SemanticTokenMacro,
}

const (
	commentType = iota
	stringType
	numberType
	operatorType // primitive functions and operators
	variableType
	functionType
	parameterType // ⍺ ⍵
	keywordType   // control words, system names
	typeType      // annotations
	macroType     // primitive operators
)

// colours returns the semantic tokens of a document.
func colours(d *document) []uint32 {
	data := []uint32{}
	line, column := uint32(0), uint32(0)
	for i, t := range d.index.toks {
		kind, ok := d.colour(i, t)
		if !ok {
			continue
		}
		at := d.position(t.Start)
		if at.Line != line {
			data = append(data, at.Line-line, at.Character)
		} else {
			data = append(data, 0, at.Character-column)
		}
		line, column = at.Line, at.Character
		data = append(data, units(t.Text(d.src)), uint32(kind), 0)
	}
	return data
}

func (d *document) colour(i int, t apl.Token) (int, bool) {
	text := t.Text(d.src)
	switch t.Kind {
	case apl.CommentToken:
		return commentType, true
	case apl.NoteToken:
		return typeType, true
	case apl.StringToken:
		return stringType, true
	case apl.NumberToken:
		return numberType, true
	case apl.SystemToken:
		return keywordType, true
	case apl.GlyphToken:
		if g := apl.LookupGlyph(text); g != nil && (g.Class == apl.MonadicGlyph || g.Class == apl.DyadicGlyph) {
			return macroType, true
		}
		return operatorType, true
	case apl.NameToken:
		switch {
		case special(text):
			return parameterType, true
		case i > 0 && d.index.toks[i-1].Kind == apl.ColonToken && d.index.toks[i-1].End == t.Start && apl.ControlWord(text) != apl.NoWord:
			return keywordType, true
		}
		if y := d.index.of[t.Start]; y != nil && y.function {
			return functionType, true
		}
		return variableType, true
	}
	return 0, false
}
