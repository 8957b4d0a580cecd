package site

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// group is a part of the list of pages.
type group struct {
	Title string
	Pages []string // names of files without .md
}

// groups is the order in which pages are listed; a test demands that all are.
var groups = []group{
	{"Start", []string{"index", "apl", "numpy"}},
	{"Language", []string{"reference", "types", "annotations", "nested", "coverage", "errors", "plots"}},
	{"Use", []string{"performance", "profile", "embedding", "editors", "fmt"}},
	{"FCL", []string{"fcl"}},
}

// Page is a page of the site.
type Page struct {
	Name, Title, Description string
	Body                     template.HTML
	Verdicts                 bool // texts below programs are the checker's, and stay when one runs
	Sections                 []Section
	Groups                   []Group
}

// Section is a heading of the second level.
type Section struct{ ID, Title string }

// Group is a part of the list of pages, as it stands on one of them.
type Group struct {
	Title string
	Links []Link
}

// Link leads to a page.
type Link struct {
	Name, Title string
	Here        bool
}

//go:embed page.html
var layout string

var shape = template.Must(template.New("page").Parse(layout))

// Write writes the pages of a folder of Markdown into a directory.
func Write(docs fs.FS, directory string) error {
	pages, err := Pages(docs)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(directory, 0o755); err != nil {
		return err
	}
	for _, p := range pages {
		var b bytes.Buffer
		if err := shape.Execute(&b, p); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(directory, p.Name+".html"), b.Bytes(), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// Pages returns the pages of a folder of Markdown, in the order in which they are listed.
func Pages(docs fs.FS) ([]*Page, error) {
	var all []*Page
	titles := map[string]string{}
	for _, g := range groups {
		for _, name := range g.Pages {
			source, err := fs.ReadFile(docs, name+".md")
			if err != nil {
				return nil, err
			}
			p, err := page(name, source)
			if err != nil {
				return nil, fmt.Errorf("%s.md: %w", name, err)
			}
			all = append(all, p)
			titles[name] = p.Title
		}
	}
	for _, p := range all {
		for _, g := range groups {
			links := Group{Title: g.Title}
			for _, name := range g.Pages {
				links.Links = append(links.Links, Link{name, titles[name], name == p.Name})
			}
			p.Groups = append(p.Groups, links)
		}
	}
	return all, nil
}

// markdown reads and writes pages.
var markdown = goldmark.New(
	goldmark.WithExtensions(extension.Table),
	goldmark.WithParserOptions(parser.WithAutoHeadingID(), parser.WithASTTransformers(util.Prioritized(links{}, 100))),
	goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(examples{}, 100))),
)

// page makes a page of its Markdown.
func page(name string, source []byte) (*Page, error) {
	tree := markdown.Parser().Parse(text.NewReader(source), parser.WithContext(parser.NewContext(parser.WithIDs(&ids{taken: map[string]bool{}}))))
	p := &Page{Name: name, Verdicts: name == "annotations"}
	for n := tree.FirstChild(); n != nil; n = n.NextSibling() {
		switch n := n.(type) {
		case *ast.Heading:
			title := plain(n, source)
			id, _ := n.AttributeString("id")
			switch {
			case n.Level == 1 && p.Title == "":
				p.Title = title
			case n.Level == 2:
				p.Sections = append(p.Sections, Section{fmt.Sprintf("%s", id), title})
			}
		case *ast.Paragraph:
			if p.Description == "" {
				p.Description, _, _ = strings.Cut(plain(n, source), ". ")
			}
		}
	}
	if p.Title == "" {
		return nil, fmt.Errorf("the page has no title")
	}
	var b bytes.Buffer
	if err := markdown.Renderer().Render(&b, source, tree); err != nil {
		return nil, err
	}
	p.Body = template.HTML(b.String())
	return p, nil
}

// plain returns the text of a node, on one line.
func plain(n ast.Node, source []byte) string {
	var b strings.Builder
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if t, ok := n.(*ast.Text); ok && entering {
			b.Write(t.Segment.Value(source))
			if t.SoftLineBreak() {
				b.WriteByte(' ')
			}
		}
		return ast.WalkContinue, nil
	})
	return b.String()
}
