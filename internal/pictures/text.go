package pictures

import (
	"fmt"
	"image"
	"strings"
	"unicode/utf8"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
)

// The size of a plot in characters, and that of a character in dots of braille.
const (
	textLines = 12
	mostCells = 60
	dotsWide  = 2
	dotsHigh  = 4
)

// Text returns the picture in characters, in lines of at most width cells: plots in the
// dots of braille, with the ends of the axes beside them; matrices in shades.
func (p *Picture) Text(width int) (string, error) {
	if p.Kind == Heat || p.Kind == Image {
		return p.shades(width), nil
	}
	all, err := p.plot(true, float64(mostCells*dotsWide))
	if err != nil {
		return "", err
	}
	top, bottom := fmt.Sprintf("%.4g", all.Y.Max), fmt.Sprintf("%.4g", all.Y.Min)
	margin := max(utf8.RuneCountInString(top), utf8.RuneCountInString(bottom))
	cells := min(max(width-margin-2, 10), mostCells)
	if all, err = p.plot(true, float64(cells*dotsWide)); err != nil {
		return "", err
	}
	c := vgimg.NewWith(vgimg.UseWH(vg.Length(cells*dotsWide), vg.Length(textLines*dotsHigh)), vgimg.UseDPI(72))
	all.Draw(draw.New(c))
	var b strings.Builder
	if p.Title != "" {
		fmt.Fprintf(&b, "%*s%s\n", margin+2, "", p.Title)
	}
	for i, line := range braille(c.Image()) {
		label, edge := "", "│"
		switch i {
		case 0:
			label, edge = top, "┤"
		case textLines - 1:
			label, edge = bottom, "┤"
		}
		fmt.Fprintf(&b, "%*s%s%s\n", margin, label, edge, strings.TrimRight(line, " "))
	}
	left, right := fmt.Sprintf("%.4g", all.X.Min), fmt.Sprintf("%.4g", all.X.Max)
	fmt.Fprintf(&b, "%*s└%s\n", margin, "", strings.Repeat("─", cells))
	fmt.Fprintf(&b, "%*s %s%*s\n", margin, "", left, max(cells-utf8.RuneCountInString(left), 1), right)
	return b.String(), nil
}

// dots are the bits of braille, by row and column.
var dots = [dotsHigh][dotsWide]rune{{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}}

// darkness is the brightness below which a dot is set.
const darkness = 160

// braille returns the lines of an image, whose pixels are dots.
func braille(img image.Image) []string {
	b := img.Bounds()
	lines := make([]string, b.Dy()/dotsHigh)
	for row := range lines {
		var line strings.Builder
		for column := range b.Dx() / dotsWide {
			cell := rune(0)
			for y := range dotsHigh {
				for x := range dotsWide {
					if grey(img, column*dotsWide+x, row*dotsHigh+y) < darkness {
						cell |= dots[y][x]
					}
				}
			}
			if cell == 0 {
				line.WriteByte(' ')
			} else {
				line.WriteRune(0x2800 + cell)
			}
		}
		lines[row] = line.String()
	}
	return lines
}

var shadeSigns = []rune(" ░▒▓█")

// shades returns a matrix in characters, two for each element where there is room:
// light for large numbers.
func (p *Picture) shades(width int) string {
	lo, hi := p.scale(p.Kind == Heat)
	span := hi - lo
	if span == 0 {
		span = 1
	}
	per := 1 // elements for each cell
	for p.Columns/per > max(width/2, 10) || p.Rows/per > 4*textLines {
		per++
	}
	var b strings.Builder
	if p.Title != "" {
		b.WriteString(p.Title + "\n")
	}
	for top := 0; top < p.Rows; top += per {
		var line strings.Builder
		for left := 0; left < p.Columns; left += per {
			part := (p.mean(top, left, per) - lo) / span
			sign := shadeSigns[min(max(int(part*float64(len(shadeSigns))), 0), len(shadeSigns)-1)]
			line.WriteString(string(sign) + string(sign))
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	return b.String()
}

// mean returns the mean of a block of elements.
func (p *Picture) mean(top, left, per int) float64 {
	sum, n := 0.0, 0
	parts := 1
	if p.Colours {
		parts = 3
	}
	for r := top; r < min(top+per, p.Rows); r++ {
		for c := left; c < min(left+per, p.Columns); c++ {
			for k := range parts {
				sum += p.Grid[(r*p.Columns+c)*parts+k]
				n++
			}
		}
	}
	return sum / float64(n)
}
