// Package pictures draws plots of numbers and images of arrays, through gonum/plot: as
// SVG, PNG and PGM, and in the characters of a terminal.
package pictures

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/palette/moreland"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Kind says how numbers are drawn.
type Kind uint8

// The kinds. The zero value is "unset".
const (
	NoKind  Kind = iota
	Line         // a line through the points of each series
	Scatter      // the points alone
	Bar          // a bar for each value, those of several series side by side
	Hist         // how many values are in each of some ranges
	Heat         // the elements of a matrix as colours
	Image        // the elements of a matrix as greys, or red, green and blue along the last axis
)

var kindNames = map[string]Kind{"line": Line, "scatter": Scatter, "bar": Bar, "hist": Hist, "heat": Heat, "image": Image}

// KindOf returns the kind of a name.
func KindOf(name string) (Kind, bool) {
	k, ok := kindNames[name]
	return k, ok
}

// Title returns what a picture of the kind is called.
func (k Kind) Title() string { return titles[k] }

var titles = map[Kind]string{Line: "line plot", Scatter: "scatter plot", Bar: "bar chart", Hist: "histogram", Heat: "heat map", Image: "image"}

// Names returns the names of the kinds.
func Names() []string { return []string{"line", "scatter", "bar", "hist", "heat", "image"} }

// Picture is what is drawn.
type Picture struct {
	Kind  Kind
	X     []float64   // of the points of all series; nil for 1 2 3 …
	Ys    [][]float64 // one slice a series
	Names []string    // of the series, or of the bars of the only one
	Bins  int         // of a histogram; 0 chooses
	// Rows, Columns and Grid are the elements of a matrix, and Colours reports that each
	// has three numbers.
	Rows, Columns         int
	Grid                  []float64
	Colours               bool
	Title, XLabel, YLabel string
	Width, Height         int // in points; 0 is the default
}

// The default size, in points.
const (
	defaultWidth  = 480
	defaultHeight = 300
)

func (p *Picture) size() (w, h int) {
	w, h = p.Width, p.Height
	if w == 0 {
		w = defaultWidth
	}
	if h == 0 {
		h = defaultHeight
	}
	return w, h
}

// Describe returns what the picture is, for those who do not see it.
func (p *Picture) Describe() string {
	text := ""
	switch p.Kind {
	case Heat, Image:
		text = fmt.Sprintf("%s of %d by %d", p.Kind.Title(), p.Rows, p.Columns)
	default:
		lo, hi := extent(p.Ys...)
		text = fmt.Sprintf("%s of %d values from %.4g to %.4g", p.Kind.Title(), len(p.Ys[0]), lo, hi)
		if n := len(p.Ys); n > 1 {
			text += fmt.Sprintf(" in %d series", n)
		}
	}
	if p.Title != "" {
		text = p.Title + ": " + text
	}
	return text
}

// extent returns the smallest and the largest of numbers.
func extent(all ...[]float64) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, v := range all {
		if len(v) > 0 {
			lo, hi = min(lo, slices.Min(v)), max(hi, slices.Max(v))
		}
	}
	return lo, hi
}

// colours are those of series, one after the other: of like brightness, and apart for
// those who do not tell red from green.
var colours = []color.RGBA{{0x2a, 0x5f, 0xa8, 255}, {0xc8, 0x55, 0x2b, 255}, {0x1c, 0x82, 0x78, 255}, {0x8a, 0x3f, 0x98, 255}, {0x8c, 0x6d, 0x00, 255}, {0x55, 0x5f, 0x6b, 255}}

func colour(series int) color.Color { return colours[series%len(colours)] }

func init() { plot.DefaultFont.Variant = "Sans" }

// points returns the points of a series.
func (p *Picture) points(series int) plotter.XYs {
	all := make(plotter.XYs, len(p.Ys[series]))
	for i, y := range p.Ys[series] {
		all[i] = plotter.XY{X: float64(i + 1), Y: y}
		if p.X != nil {
			all[i].X = p.X[i]
		}
	}
	return all
}

// plot returns the plot: bare has neither axes nor titles, and thin lines in black.
func (p *Picture) plot(bare bool, width float64) (*plot.Plot, error) {
	all := plot.New()
	all.Title.Text, all.X.Label.Text, all.Y.Label.Text = p.Title, p.XLabel, p.YLabel
	all.Legend.Top = true
	if bare {
		all.Title.Text, all.X.Label.Text, all.Y.Label.Text = "", "", ""
		all.HideAxes()
		all.X.Padding, all.Y.Padding = 0, 0
	}
	var err error
	switch p.Kind {
	case Line, Scatter:
		err = p.addPoints(all, bare)
	case Bar:
		err = p.addBars(all, bare, width)
	case Hist:
		err = p.addBins(all)
	case Heat:
		img := p.pixels(true)
		all.Add(plotter.NewImage(enlarged(img), 0.5, 0.5, float64(p.Columns)+0.5, float64(p.Rows)+0.5))
		all.Y.Tick.Marker = downwards{p.Rows}
		all.X.Tick.Marker = places{p.Columns}
	case Image:
		all.HideAxes()
		all.X.Padding, all.Y.Padding = 0, 0
		all.Add(plotter.NewImage(enlarged(p.pixels(false)), 0, 0, float64(p.Columns), float64(p.Rows)))
	default:
		panic("internal error: a picture without a kind")
	}
	return all, err
}

func (p *Picture) addPoints(all *plot.Plot, bare bool) error {
	if !bare {
		all.Add(plotter.NewGrid())
	}
	for i := range p.Ys {
		var legend plot.Thumbnailer
		if p.Kind == Line {
			l, err := plotter.NewLine(p.points(i))
			if err != nil {
				return err
			}
			l.Width = vg.Points(1.5)
			if !bare {
				l.Color = colour(i)
			}
			all.Add(l)
			legend = l
		} else {
			s, err := plotter.NewScatter(p.points(i))
			if err != nil {
				return err
			}
			s.Radius = vg.Points(2.5)
			s.Shape = draw.CircleGlyph{}
			if bare {
				s.Radius = vg.Points(1)
			} else {
				s.Color = colour(i)
			}
			all.Add(s)
			legend = s
		}
		if i < len(p.Names) && !bare {
			all.Legend.Add(p.Names[i], legend)
		}
	}
	return nil
}

func (p *Picture) addBars(all *plot.Plot, bare bool, width float64) error {
	n, k := len(p.Ys[0]), len(p.Ys)
	each := vg.Length(math.Max(width*0.7/float64(max(n, 1))/float64(k), 1))
	for i, y := range p.Ys {
		b, err := plotter.NewBarChart(plotter.Values(y), each)
		if err != nil {
			return err
		}
		b.Offset = each * vg.Length(float64(i)-float64(k-1)/2)
		b.LineStyle.Width = 0
		b.XMin = 1
		if !bare {
			b.Color = colour(i)
		}
		all.Add(b)
		if k > 1 && i < len(p.Names) && !bare {
			all.Legend.Add(p.Names[i], b)
		}
	}
	all.X.Min, all.X.Max = 0.5, float64(n)+0.5
	if k == 1 && len(p.Names) > 0 && !bare {
		all.X.Tick.Marker = labels(p.Names)
	}
	return nil
}

// mostBins bounds the bins that are chosen for a histogram.
const mostBins = 50

func (p *Picture) addBins(all *plot.Plot) error {
	bins := p.Bins
	if bins == 0 {
		bins = min(max(int(math.Ceil(math.Sqrt(float64(len(p.Ys[0]))))), 1), mostBins)
	}
	h, err := plotter.NewHist(plotter.Values(p.Ys[0]), bins)
	if err != nil {
		return err
	}
	h.FillColor = colour(0)
	all.Add(h)
	return nil
}

// labels are the names of the bars from 1 on.
type labels []string

func (l labels) Ticks(lo, hi float64) []plot.Tick {
	var all []plot.Tick
	for i, text := range l {
		all = append(all, plot.Tick{Value: float64(i + 1), Label: text})
	}
	return all
}

// places are the ticks of columns.
type places struct{ columns int }

func (d places) Ticks(lo, hi float64) []plot.Tick {
	const most = 12
	step := 1
	for i := 0; d.columns/step > most; i++ {
		step = []int{2, 5, 10}[i%3] * int(math.Pow10(i/3))
	}
	all := []plot.Tick{{Value: 1, Label: "1"}}
	for i := max(step, 2); i <= d.columns; i += step {
		all = append(all, plot.Tick{Value: float64(i), Label: fmt.Sprint(i)})
	}
	return all
}

// downwards are the ticks of rows, of which the first is at the top.
type downwards struct{ rows int }

func (d downwards) Ticks(lo, hi float64) []plot.Tick {
	all := places{d.rows}.Ticks(lo, hi)
	for i := range all {
		all[i].Value = float64(d.rows) + 1 - all[i].Value
	}
	return all
}

// pixels returns the matrix as an image: in colours from cold to warm, or in its own.
// Numbers from 0 to 1 are greys from black to white, and others those between the
// smallest and the largest, unless all are from 0 to 255.
func (p *Picture) pixels(coloured bool) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, p.Columns, p.Rows))
	lo, hi := p.scale(coloured)
	span := hi - lo
	if span == 0 {
		span = 1
	}
	colours := moreland.Kindlmann().Palette(256).Colors()
	part := func(i int) uint8 { return uint8(math.Round(min(max((p.Grid[i]-lo)/span, 0), 1) * 255)) }
	for i := range p.Rows * p.Columns {
		at := img.Pix[4*i : 4*i+4]
		at[3] = 255
		switch {
		case p.Colours:
			at[0], at[1], at[2] = part(3*i), part(3*i+1), part(3*i+2)
		case coloured:
			r, g, b, _ := colours[part(i)].RGBA()
			at[0], at[1], at[2] = uint8(r>>8), uint8(g>>8), uint8(b>>8)
		default:
			at[0] = part(i)
			at[1], at[2] = at[0], at[0]
		}
	}
	return img
}

// scale returns the numbers that are black and white.
func (p *Picture) scale(coloured bool) (lo, hi float64) {
	lo, hi = extent(p.Grid)
	switch {
	case coloured || math.IsInf(lo, 1):
	case lo >= 0 && hi <= 1:
		return 0, 1
	case lo >= 0 && hi <= 255:
		return 0, 255
	}
	return lo, hi
}

// enlarged returns an image with as many pixels for each one that viewers, which smooth
// what they enlarge, show them sharp.
func enlarged(img *image.RGBA) image.Image {
	const enough = 480
	n := min(enough/max(img.Rect.Dx(), 1), enough/max(img.Rect.Dy(), 1))
	if n <= 1 {
		return img
	}
	big := image.NewRGBA(image.Rect(0, 0, img.Rect.Dx()*n, img.Rect.Dy()*n))
	for y := range big.Rect.Dy() {
		for x := range big.Rect.Dx() {
			copy(big.Pix[big.PixOffset(x, y):][:4], img.Pix[img.PixOffset(x/n, y/n):][:4])
		}
	}
	return big
}

// Check returns what is wrong with the numbers of a picture, or "".
func (p *Picture) Check() string {
	for _, v := range append(slices.Clone(p.Ys), p.X, p.Grid) {
		for _, x := range v {
			if math.IsNaN(x) || math.IsInf(x, 0) {
				return "a number is not finite"
			}
		}
	}
	if p.Kind == Heat || p.Kind == Image {
		if p.Rows == 0 || p.Columns == 0 {
			return "there is nothing to draw"
		}
		return ""
	}
	if len(p.Ys) == 0 || len(p.Ys[0]) == 0 {
		return "there is nothing to draw"
	}
	return ""
}

// Format returns the format that the name of a file asks for: svg, png or pgm, or "".
func Format(file string) string {
	for _, f := range []string{"svg", "png", "pgm"} {
		if strings.HasSuffix(strings.ToLower(file), "."+f) {
			return f
		}
	}
	return ""
}
