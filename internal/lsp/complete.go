package lsp

import (
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.lsp.dev/protocol"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/internal/session"
)

// complete returns what may stand in place of the word in front of a byte: names, system
// names, control words, and glyphs by their names or by the prefix and a key.
func complete(d *document, a *analysis, offset int) []protocol.CompletionItem {
	all := []protocol.CompletionItem{}
	if t := d.index.tokenAt(max(offset-1, 0)); t != nil && offset > t.Start &&
		(t.Kind == apl.StringToken && offset < t.End || t.Kind == apl.CommentToken || t.Kind == apl.NoteToken) {
		return all
	}
	text := d.src.Text[:offset]
	from := offset
	for from > 0 {
		r, n := utf8.DecodeLastRuneInString(text[:from])
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && r != '∆' && r != '⍙' {
			break
		}
		from -= n
	}
	word := text[from:]
	add := func(start int, i protocol.CompletionItem, insert string) {
		i.TextEdit = &protocol.TextEdit{Range: d.span(start, offset), NewText: insert}
		all = append(all, i)
	}
	switch {
	case strings.HasSuffix(text[:from], "⎕"):
		for _, s := range apl.SystemNames {
			if strings.HasPrefix(s.Name, "⎕"+strings.ToUpper(word)) {
				add(from-len("⎕"), protocol.CompletionItem{Label: s.Name, Kind: protocol.CompletionItemKindKeyword, Detail: s.Doc, FilterText: "⎕" + word + s.Name[len("⎕")+len(word):]}, s.Name)
			}
		}
		return all
	case strings.HasSuffix(text[:from], string(session.DefaultPrefix)):
		start := from - 1
		for i := range apl.Glyphs {
			if g := &apl.Glyphs[i]; g.Key != "" && strings.HasPrefix(g.Key, word) {
				typed := string(session.DefaultPrefix) + g.Key
				add(start, protocol.CompletionItem{Label: typed + " " + g.Glyph, Kind: protocol.CompletionItemKindOperator, Detail: g.Name, FilterText: typed}, g.Glyph)
			}
		}
		return all
	case strings.HasSuffix(text[:from], ":"):
		for _, name := range controlWords {
			if len(word) <= len(name) && strings.EqualFold(name[:len(word)], word) {
				add(from, protocol.CompletionItem{Label: name, Kind: protocol.CompletionItemKindKeyword}, name)
			}
		}
	}
	for _, y := range d.index.visible(offset) {
		if strings.HasPrefix(y.name, word) && y.name != word {
			i := protocol.CompletionItem{Label: y.name, Kind: protocol.CompletionItemKindVariable, SortText: "0" + y.name}
			if y.function {
				i.Kind = protocol.CompletionItemKindFunction
			}
			if a != nil && y.scope.parent == nil {
				i.Detail = a.typeOf(y.name)
			}
			add(from, i, y.name)
		}
	}
	if word == "" {
		return all
	}
	seen := map[string]bool{}
	for i := range apl.Glyphs {
		g := &apl.Glyphs[i]
		for _, name := range []string{g.Name, g.Monadic, g.Dyadic} {
			name = strings.ReplaceAll(strings.ToLower(name), " ", "")
			if name == "" || !strings.HasPrefix(name, strings.ToLower(word)) || seen[name+g.Glyph] {
				continue
			}
			seen[name+g.Glyph] = true
			add(from, protocol.CompletionItem{Label: name + " " + g.Glyph, FilterText: word + name[len(word):], SortText: "1" + name, Kind: protocol.CompletionItemKindOperator, Detail: meanings(g)}, g.Glyph)
		}
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].SortText < all[j].SortText })
	return all
}

// controlWords are the control words without the colon.
var controlWords = func() []string {
	all := []string{"Namespace", "EndNamespace", "In", "InEach"}
	for w := apl.If; w <= apl.Implements; w++ {
		all = append(all, w.String()[1:])
	}
	return all
}()

func meanings(g *apl.Glyph) string {
	var words []string
	for _, w := range []string{g.Monadic, g.Dyadic} {
		if w != "" {
			words = append(words, w)
		}
	}
	return strings.Join(words, ", ")
}
