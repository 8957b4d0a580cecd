package pictures

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"image/png"
	"io"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func one(k Kind) *Picture {
	return &Picture{Kind: k, Ys: [][]float64{{3, 1, 4, 1, 5}}, Rows: 2, Columns: 3, Grid: []float64{0, 51, 102, 153, 204, 255}, Title: "π & <digits>"}
}

// Every kind is written in every format, which others read.
func TestFormats(t *testing.T) {
	for _, name := range Names() {
		k, ok := KindOf(name)
		require.True(t, ok)
		p := one(k)
		svg, err := p.Encode("svg")
		require.NoError(t, err, name)
		d := xml.NewDecoder(bytes.NewReader(svg))
		for err == nil {
			_, err = d.Token()
		}
		assert.True(t, errors.Is(err, io.EOF), "%s: %v", name, err)
		assert.Equal(t, k == Heat || k == Image, bytes.Contains(svg, []byte(stretched)), name)
		b, err := p.Encode("png")
		require.NoError(t, err, name)
		img, err := png.Decode(bytes.NewReader(b))
		require.NoError(t, err, name)
		b, err = p.Encode("pgm")
		require.NoError(t, err, name)
		head := fmt.Sprintf("P5\n%d %d\n255\n", img.Bounds().Dx(), img.Bounds().Dy())
		assert.True(t, bytes.HasPrefix(b, []byte(head)), name)
		assert.Len(t, b, len(head)+img.Bounds().Dx()*img.Bounds().Dy())
		text, err := p.Text(40)
		require.NoError(t, err)
		for line := range strings.Lines(text) {
			assert.LessOrEqual(t, utf8.RuneCountInString(strings.TrimSuffix(line, "\n")), 40, name)
		}
		assert.Contains(t, p.Describe(), k.Title())
	}
}

// The pixels of an image are the elements of its matrix.
func TestPixels(t *testing.T) {
	b, err := one(Image).Encode("pgm")
	require.NoError(t, err)
	assert.Equal(t, "P5\n3 2\n255\n\x00\x33\x66\x99\xcc\xff", string(b))
	p := &Picture{Kind: Image, Rows: 1, Columns: 2, Grid: []float64{1, 0, 0, 0, 0, 1}, Colours: true}
	b, err = p.Encode("png")
	require.NoError(t, err)
	img, err := png.Decode(bytes.NewReader(b))
	require.NoError(t, err)
	assert.Equal(t, "{255 0 0 255} {0 0 255 255}", fmt.Sprint(img.At(0, 0), img.At(1, 0)))
}

func TestNumbersOfOneValue(t *testing.T) {
	for _, k := range []Kind{Line, Scatter, Bar, Hist} {
		_, err := (&Picture{Kind: k, Ys: [][]float64{{7}}}).Encode("svg")
		assert.NoError(t, err)
		_, err = (&Picture{Kind: k, Ys: [][]float64{{7}}}).Text(80)
		assert.NoError(t, err)
	}
	_, err := (&Picture{Kind: Heat, Rows: 1, Columns: 1, Grid: []float64{7}}).Encode("svg")
	assert.NoError(t, err)
}
