package site

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// ids names headings by their letters and digits, as GitHub does; one of glyphs alone is
// named by their code points.
type ids struct{ taken map[string]bool }

func (s *ids) Generate(value []byte, _ ast.NodeKind) []byte {
	var b strings.Builder
	for _, r := range strings.ToLower(string(value)) {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			b.WriteRune(r)
		case r == ' ' || r == '-':
			b.WriteByte('-')
		}
	}
	name := strings.Trim(b.String(), "-")
	if name == "" {
		name = "u"
		for _, r := range strings.TrimSpace(string(value)) {
			name += fmt.Sprintf("%04x", r)
		}
	}
	id := name
	for n := 1; s.taken[id]; n++ {
		id = fmt.Sprintf("%s-%d", name, n)
	}
	s.taken[id] = true
	return []byte(id)
}

func (s *ids) Put(value []byte) { s.taken[string(value)] = true }

// links makes the links between Markdown files links between pages, and those to other
// files of the sources text.
type links struct{}

func (links) Transform(tree *ast.Document, reader text.Reader, _ parser.Context) {
	var outside []*ast.Link
	_ = ast.Walk(tree, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if link, ok := n.(*ast.Link); ok && entering {
			to, place, _ := strings.Cut(string(link.Destination), "#")
			name, isPage := strings.CutSuffix(to, ".md")
			switch {
			case to == "":
			case isPage && listed(name):
				if place != "" {
					place = "#" + place
				}
				link.Destination = []byte(name + ".html" + place)
			default:
				outside = append(outside, link)
			}
		}
		return ast.WalkContinue, nil
	})
	for _, link := range outside {
		parent := link.Parent()
		for child := link.FirstChild(); child != nil; child = link.FirstChild() {
			parent.InsertBefore(parent, link, child)
		}
		parent.RemoveChild(parent, link)
	}
}

// listed reports whether there is a page of a name.
func listed(name string) bool {
	for _, g := range groups {
		for _, n := range g.Pages {
			if n == name {
				return true
			}
		}
	}
	return false
}

// examples writes fences.
type examples struct{}

func (examples) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindFencedCodeBlock, fence)
}

// language returns the language of a fence, or "" of another node.
func language(n ast.Node, source []byte) string {
	if f, ok := n.(*ast.FencedCodeBlock); ok {
		return string(f.Language(source))
	}
	return ""
}

// shows are the languages of fences that say what the program before them shows, and the
// words above them.
var shows = map[string]string{"text": "shows", "types": "has the types", "plan": "becomes"}

// fence writes a fence: a program with what it shows below it as an example, any other as
// it is.
func fence(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	kind := language(n, source)
	before := language(n.PreviousSibling(), source)
	if runs(before) || shows[before] != "" {
		if words := shows[kind]; words != "" {
			return ast.WalkContinue, shown(w, source, n, kind, words)
		}
	}
	if !runs(kind) {
		return ast.WalkContinue, block(w, source, n, `<pre class="code" tabindex="0">`, "</pre>\n")
	}
	if err := block(w, source, n, `<div class="example `+kind+`"><pre class="code program" tabindex="0">`, "</pre>\n"); err != nil {
		return ast.WalkStop, err
	}
	return ast.WalkContinue, ending(w, source, n)
}

// runs reports whether programs of a language have what they show below them.
func runs(kind string) bool { return kind == "apl" || kind == "python" }

// shown writes what a program shows.
func shown(w util.BufWriter, source []byte, n ast.Node, kind, words string) error {
	begin := fmt.Sprintf(`<figure class="shown %s"><figcaption>%s</figcaption><pre tabindex="0">`, kind, words)
	if err := block(w, source, n, begin, "</pre></figure>\n"); err != nil {
		return err
	}
	return ending(w, source, n)
}

// ending closes an example behind its last fence.
func ending(w util.BufWriter, source []byte, n ast.Node) error {
	if shows[language(n.NextSibling(), source)] != "" {
		return nil
	}
	_, err := w.WriteString("</div>\n")
	return err
}

// block writes the lines of a fence between two texts.
func block(w util.BufWriter, source []byte, n ast.Node, before, after string) error {
	var b bytes.Buffer
	b.WriteString(before)
	for i := range n.Lines().Len() {
		line := n.Lines().At(i)
		b.Write(util.EscapeHTML(line.Value(source)))
	}
	b.WriteString(after)
	_, err := w.Write(b.Bytes())
	return err
}
