package pictures

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// Encode returns the picture in a format: svg, png or pgm.
func (p *Picture) Encode(format string) ([]byte, error) {
	switch format {
	case "svg":
		return p.svg()
	case "png":
		var b bytes.Buffer
		img, err := p.raster()
		if err == nil {
			err = png.Encode(&b, img)
		}
		return b.Bytes(), err
	case "pgm":
		img, err := p.raster()
		if err != nil {
			return nil, err
		}
		return pgm(img), nil
	}
	return nil, fmt.Errorf("a picture is written as .svg, .png or .pgm")
}

func (p *Picture) svg() ([]byte, error) {
	w, h := p.size()
	if p.Kind == Image && p.Width == 0 && p.Height == 0 {
		b := enlarged(p.pixels(false)).Bounds()
		w, h = b.Dx(), b.Dy()
	}
	all, err := p.plot(false, float64(w))
	if err != nil {
		return nil, err
	}
	c := vgsvg.New(vg.Length(w), vg.Length(h))
	p.drawIn(all, draw.New(c))
	var b bytes.Buffer
	_, err = c.WriteTo(&b)
	return bytes.ReplaceAll(b.Bytes(), []byte("<image "), []byte(stretched)), err
}

// stretched begins an image that fills its place, as gonum's images do in pixels; SVG
// keeps the proportions of others.
const stretched = `<image preserveAspectRatio="none" `

// margin is what is left around a plot, in points.
const margin = 10

// drawIn draws a plot with a margin.
func (p *Picture) drawIn(all *plot.Plot, c draw.Canvas) {
	c.SetColor(color.White)
	c.Fill(c.Rectangle.Path())
	if p.Kind != Image {
		c = draw.Crop(c, margin, -margin, margin, -margin)
	}
	all.Draw(c)
}

// raster returns the picture in pixels; an image has those of its matrix.
func (p *Picture) raster() (image.Image, error) {
	if p.Kind == Image {
		return p.pixels(false), nil
	}
	w, h := p.size()
	all, err := p.plot(false, float64(w))
	if err != nil {
		return nil, err
	}
	const dotsPerInch = 144 // two a point
	c := vgimg.NewWith(vgimg.UseWH(vg.Length(w), vg.Length(h)), vgimg.UseDPI(dotsPerInch))
	p.drawIn(all, draw.New(c))
	return c.Image(), nil
}

// pgm returns an image in greys as a portable grey map.
func pgm(img image.Image) []byte {
	b := img.Bounds()
	out := fmt.Appendf(nil, "P5\n%d %d\n255\n", b.Dx(), b.Dy())
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			out = append(out, grey(img, x, y))
		}
	}
	return out
}

// grey returns the brightness of a pixel.
func grey(img image.Image, x, y int) uint8 {
	r, g, b, _ := img.At(x, y).RGBA()
	return uint8((299*r + 587*g + 114*b + 500) / 1000 >> 8)
}
