package apl

import (
	"strings"

	"github.com/tailor-lang/tailor/internal/diag"
)

// TokenKind is the kind of a token as tools see it.
type TokenKind uint8

// The kinds. The zero value is a text that cannot be read.
const (
	BadToken TokenKind = iota
	NumberToken
	StringToken
	NameToken   // a name, and ∇ ∇∇ ⍺ ⍵ ⍺⍺ ⍵⍵ # ##
	SystemToken // ⎕IO; ⎕ and ⍞ alone
	GlyphToken  // a function, an operator, and ⍬ ← →
	ColonToken
	SemicolonToken
	DiamondToken
	LineEndToken
	OpenToken
	CloseToken
	NoteToken    // ⍝: and the rest of the line
	CommentToken // ⍝ and the rest of the line, and #! in the first one
)

// Token is a token of a source, from its first byte to that behind the last.
type Token struct {
	Kind       TokenKind
	Start, End int
}

// Text returns the token's text.
func (t Token) Text(src *diag.Source) string { return src.Text[t.Start:t.End] }

var tokenKinds = map[tokenKind]TokenKind{tBad: BadToken, tNumber: NumberToken, tString: StringToken, tName: NameToken,
	tSystem: SystemToken, tQuad: SystemToken, tGlyph: GlyphToken, tZilde: GlyphToken, tArrow: GlyphToken, tBranch: GlyphToken,
	tColon: ColonToken, tSemicolon: SemicolonToken, tNote: NoteToken, tOpen: OpenToken, tClose: CloseToken}

// Tokens returns the tokens of a source, comments included. The error, a diag.List or
// that of a text that is no source, is of texts that cannot be read; brackets may be
// unbalanced.
func Tokens(src *diag.Source) ([]Token, error) {
	if e := unreadable(src); e != nil {
		return nil, diag.List{e}
	}
	toks, errs := scan(src)
	all := make([]Token, 0, len(toks))
	end := 0
	for _, t := range toks {
		all = withComment(all, src.Text, end, int(t.start))
		end = int(t.end)
		switch {
		case t.kind == tSeparator && t.start == t.end: // the end of the source
		case t.kind == tSeparator && t.glyph == 0:
			all = append(all, Token{LineEndToken, int(t.start), end})
		case t.kind == tSeparator:
			all = append(all, Token{DiamondToken, int(t.start), end})
		default:
			all = append(all, Token{tokenKinds[t.kind], int(t.start), end})
		}
	}
	return all, errs.Err()
}

// withComment adds the comment between two tokens.
func withComment(all []Token, text string, from, to int) []Token {
	i := strings.Index(text[from:to], "⍝")
	if len(all) == 0 {
		if k := strings.Index(text[from:to], "#!"); k >= 0 && (i < 0 || k < i) {
			i = k
		}
	}
	if i < 0 {
		return all
	}
	return append(all, Token{CommentToken, from + i, to})
}

// ControlWord returns the control word of a text, such as If, or NoWord.
func ControlWord(text string) Word { return wordOf(text) }

// Opens reports whether a structure begins with the word.
func (w Word) Opens() bool { return words[w].opens != NoWord }

// Clause reports whether the word begins a clause inside a structure.
func (w Word) Clause() bool { return len(words[w].within) > 0 }
