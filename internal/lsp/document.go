package lsp

import (
	"sort"
	"unicode/utf8"

	"go.lsp.dev/protocol"

	"github.com/tailor-lang/tailor/internal/diag"
)

// document is a text that an editor has open. One with another text is another document.
type document struct {
	uri     protocol.DocumentURI
	version int32
	src     *diag.Source
	lines   []int // where each begins
	index   *index
}

func newDocument(uri protocol.DocumentURI, version int32, text string) *document {
	d := &document{uri: uri, version: version, src: diag.NewSource(fileName(uri), text), lines: []int{0}}
	for i := 0; i < len(text); i++ {
		if text[i] == '\n' {
			d.lines = append(d.lines, i+1)
		}
	}
	d.index = newIndex(d.src)
	return d
}

// fileName is what messages call the document.
func fileName(u protocol.DocumentURI) string {
	text := string(u)
	for i := len(text) - 1; i >= 0; i-- {
		if text[i] == '/' {
			return text[i+1:]
		}
	}
	return text
}

// units returns the UTF-16 units of a text.
func units(text string) (n uint32) {
	for _, r := range text {
		n++
		if r > 0xFFFF {
			n++
		}
	}
	return n
}

// position returns the place of a byte.
func (d *document) position(offset int) protocol.Position {
	offset = min(max(offset, 0), len(d.src.Text))
	line := sort.SearchInts(d.lines, offset+1) - 1
	return protocol.Position{Line: uint32(line), Character: units(d.src.Text[d.lines[line]:offset])}
}

// offset returns the byte at a place; places behind the end of a line are that end.
func (d *document) offset(p protocol.Position) int {
	if int(p.Line) >= len(d.lines) {
		return len(d.src.Text)
	}
	i := d.lines[p.Line]
	for left := int(p.Character); left > 0 && i < len(d.src.Text) && d.src.Text[i] != '\n'; {
		r, n := utf8.DecodeRuneInString(d.src.Text[i:])
		if left--; r > 0xFFFF {
			left--
		}
		i += n
	}
	return i
}

func (d *document) span(start, end int) protocol.Range {
	return protocol.Range{Start: d.position(start), End: d.position(end)}
}

// all returns the range of the whole text.
func (d *document) all() protocol.Range { return d.span(0, len(d.src.Text)) }

// change is an edit by the editor: without a range, a new text.
type change struct {
	Range *protocol.Range `json:"range"`
	Text  string          `json:"text"`
}

// changed returns the document after edits.
func (d *document) changed(version int32, changes []change) *document {
	for _, c := range changes {
		text := c.Text
		if c.Range != nil {
			from, to := d.offset(c.Range.Start), d.offset(c.Range.End)
			text = d.src.Text[:from] + c.Text + d.src.Text[max(from, to):]
		}
		d = newDocument(d.uri, version, text)
	}
	return d
}
