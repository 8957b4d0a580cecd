package interp

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/internal/pictures"
	"github.com/tailor-lang/tailor/interp/options"
	"github.com/tailor-lang/tailor/interp/prim"
	"github.com/tailor-lang/tailor/interp/value"
)

// plotOptions are the options of ⎕PLOT.
const plotOptions = "Title XLabel YLabel Names Bins Size File"

// plotted is ⎕PLOT: a picture of numbers, in a file where there is one in the options,
// else shown as what surrounds the program shows pictures. docs/plots.md describes it.
func plotted(in *Interp, o options.Set, x, y *V) (*V, error) {
	p := &pictures.Picture{Kind: pictures.Line}
	if x != nil {
		name, err := prim.TextOf(x, "the kind of a plot")
		if err != nil {
			return nil, err
		}
		kind, ok := pictures.KindOf(name)
		if !ok {
			return nil, prim.Errorf(diag.WrongDomain, "there is no plot %q: %s", name, strings.Join(pictures.Names(), ", "))
		}
		p.Kind = kind
	}
	if err := describe(o, p); err != nil {
		return nil, err
	}
	if err := given(p, y); err != nil {
		return nil, err
	}
	if wrong := p.Check(); wrong != "" {
		return nil, prim.Errorf(diag.WrongDomain, "%s", wrong)
	}
	in.hide = true
	file, err := o.Text("File")
	if err != nil {
		return nil, err
	}
	if file != "" {
		return in.plotFile(p, file)
	}
	return value.Zilde(), in.showPicture(p)
}

// describe sets what options say of a picture.
func describe(o options.Set, p *pictures.Picture) (err error) {
	for name, to := range map[string]*string{"Title": &p.Title, "XLabel": &p.XLabel, "YLabel": &p.YLabel} {
		if *to, err = o.Text(name); err != nil {
			return err
		}
	}
	if v := o["Names"]; v != nil {
		for _, item := range v.AllItems() {
			name, err := prim.TextOf(item, "a name")
			if err != nil {
				return err
			}
			p.Names = append(p.Names, name)
		}
	}
	if v := o["Bins"]; v != nil {
		if n, ok := whole(v, 1); !ok || n[0] < 1 || n[0] > mostBins {
			return prim.Errorf(diag.WrongDomain, "Bins is a number from 1 to %d", mostBins)
		} else {
			p.Bins = n[0]
		}
	}
	if v := o["Size"]; v != nil {
		n, ok := whole(v, 2)
		if !ok || min(n[0], n[1]) < leastSize || max(n[0], n[1]) > mostSize {
			return prim.Errorf(diag.WrongDomain, "Size is a width and a height from %d to %d", leastSize, mostSize)
		}
		p.Width, p.Height = n[0], n[1]
	}
	return nil
}

// The bounds of options.
const (
	mostBins  = 10_000
	leastSize = 50
	mostSize  = 5000
)

// whole returns n whole numbers.
func whole(v *V, n int) ([]int, bool) {
	if v.Len() != n || v.Rank() > 1 {
		return nil, false
	}
	v = v.Whole()
	if v == nil || v.Kind != value.Int && v.Kind != value.Bool {
		return nil, false
	}
	out := make([]int, n)
	for i := range out {
		out[i] = int(v.Int(i))
	}
	return out, true
}

// given takes the numbers of a picture from the argument of ⎕PLOT.
func given(p *pictures.Picture, y *V) error {
	switch p.Kind {
	case pictures.Heat, pictures.Image:
		return givenGrid(p, y)
	}
	columns, err := series(y)
	if err != nil {
		return err
	}
	points := p.Kind == pictures.Line || p.Kind == pictures.Scatter
	if points && len(columns) > 1 {
		p.X, columns = columns[0], columns[1:]
	}
	if p.Kind == pictures.Hist && len(columns) > 1 {
		return prim.Errorf(diag.ArgumentRank, "a histogram is one of a vector")
	}
	p.Ys = columns
	return nil
}

// series returns the columns of a matrix, the items of a nested vector, or a vector.
func series(y *V) ([][]float64, error) {
	switch {
	case y.Kind == value.Mixed && y.Rank() == 1:
		var all [][]float64
		for _, item := range y.Items {
			v, err := numbersOf(item)
			if err != nil {
				return nil, err
			}
			all = append(all, v)
		}
		for _, v := range all {
			if len(v) != len(all[0]) {
				return nil, prim.Errorf(diag.WrongLength, "series of %d and %d numbers", len(all[0]), len(v))
			}
		}
		return all, nil
	case y.Rank() == 2:
		v, err := numbersOf(y)
		if err != nil {
			return nil, err
		}
		rows, columns := y.Shape[0], y.Shape[1]
		all := make([][]float64, columns)
		for c := range all {
			for r := range rows {
				all[c] = append(all[c], v[r*columns+c])
			}
		}
		return all, nil
	case y.Rank() > 2:
		return nil, prim.Errorf(diag.ArgumentRank, "a plot of an array of rank %d", y.Rank())
	}
	v, err := numbersOf(y)
	return [][]float64{v}, err
}

// numbersOf returns the elements of an array of numbers.
func numbersOf(y *V) ([]float64, error) {
	switch r := y.Reals(); {
	case r != nil && slices.Contains([]value.Kind{value.Bool, value.Int, value.Double}, r.Kind):
		return r.AsDoubles(), nil
	case y.Kind == value.Complex:
		return nil, prim.Errorf(diag.WrongDomain, "a plot of complex numbers")
	}
	return nil, prim.Errorf(diag.WrongDomain, "a plot needs numbers")
}

// givenGrid takes a matrix, or for an image also an array with red, green and blue along
// the last axis.
func givenGrid(p *pictures.Picture, y *V) (err error) {
	p.Colours = p.Kind == pictures.Image && y.Rank() == 3 && y.Shape[2] == 3
	if y.Rank() != 2 && !p.Colours {
		return prim.Errorf(diag.ArgumentRank, "%s of an array of rank %d", p.Kind.Title(), y.Rank())
	}
	p.Rows, p.Columns = y.Shape[0], y.Shape[1]
	p.Grid, err = numbersOf(y)
	return err
}

// plotFile writes a picture to a file and returns the number of bytes.
func (in *Interp) plotFile(p *pictures.Picture, file string) (*V, error) {
	format := pictures.Format(file)
	if format == "" {
		return nil, prim.Errorf(diag.WrongDomain, "%s: a picture is written as .svg, .png or .pgm", file)
	}
	b, err := p.Encode(format)
	if err != nil {
		return nil, prim.Errorf(diag.WrongDomain, "%v", err)
	}
	n, err := in.writeBytes(file, "", b, replaceFile)
	if err != nil {
		return nil, err
	}
	return value.Integer(n), nil
}

// showPicture shows a picture, or writes it in characters.
func (in *Interp) showPicture(p *pictures.Picture) error {
	in.pending = ""
	if in.env.Picture != nil {
		in.out.Flush()
		in.env.Picture(p)
		return nil
	}
	text, err := p.Text(in.state.Width)
	if err != nil {
		return prim.Errorf(diag.WrongDomain, "%v", err)
	}
	fmt.Fprint(in.out, text)
	return nil
}
