package interp

import (
	"time"

	"github.com/tailor-lang/tailor/internal/diag"
)

// Primitive functions, and what operators make of them, are compiled where much time
// goes into applications to large arrays: C has vector instructions. Which of the two
// is faster is measured.

const (
	// manyElements is the number of elements from which on an array is large.
	manyElements = 1 << 14
	// workTime is the time in applications from which on they are compiled.
	workTime = 200 * time.Millisecond
	// workSampled is the number of calls of the compiled form that are measured.
	workSampled = 3
)

// workKey is an application that is compiled once.
type workKey struct {
	text        string
	left, right ArgType
	origin      int
}

// arrayWork is what is known of an application.
type arrayWork struct {
	f      Compiled
	tried  bool
	faults int
	plain  meter // of applications that were interpreted
	trial  trial
}

// applied calls a function; where that is worth it, by its compiled form.
func (in *Interp) applied(fn Function, x, y *V) (*V, error) {
	if in.stretch != nil && in.abandons() {
		return nil, errAbandoned
	}
	if in.compiler == nil || y == nil || !in.large(x, y) {
		return fn.Call(in, x, y)
	}
	w := in.workOf(fn, x, y)
	if w == nil {
		return fn.Call(in, x, y)
	}
	if r := in.compiledWork(w, x, y); r != nil {
		return r, nil
	}
	start := time.Now()
	r, err := fn.Call(in, x, y)
	w.plain.add(start, size(x, y))
	if !w.tried && err == nil && (w.plain.total >= workTime || in.env.EagerArrays) {
		w.tried = true
		if u, err := in.workUnit(fn, x, y); err == nil {
			w.f, _ = in.compiler.Compile(u)
		}
	}
	return r, err
}

// large reports whether arguments have so many elements that their application may be
// worth to be compiled.
func (in *Interp) large(x, y *V) bool {
	return size(x, y) >= manyElements || in.env.EagerArrays
}

func size(x, y *V) int {
	if x == nil {
		return y.Len()
	}
	return x.Len() + y.Len()
}

// workOf returns what is known of an application, nil if it is never compiled.
func (in *Interp) workOf(fn Function, x, y *V) *arrayWork {
	text := primitiveText(fn)
	left, ok1 := argType(x)
	right, ok2 := argType(y)
	if text == "" || !ok1 || !ok2 || !in.usual() {
		return nil
	}
	key := workKey{text, left, right, in.state.Origin}
	w := in.works[key]
	if w == nil {
		w = &arrayWork{}
		in.works[key] = w
	}
	return w
}

// compiledWork calls the compiled form of an application, if it is faster; nil where
// it is to be interpreted.
func (in *Interp) compiledWork(w *arrayWork, x, y *V) *V {
	if w.f == nil || w.faults >= maxFaults {
		return nil
	}
	if w.f.Level() < 2 && !in.env.EagerArrays { // the evaluator is no faster
		return nil
	}
	if !w.trial.begins(w.f) {
		return nil
	}
	start := time.Now()
	r, ok := w.f.Call(x, y)
	if !ok {
		w.faults++
		return nil
	}
	if w.trial.spent.n < workSampled && !in.env.EagerArrays {
		w.trial.ends(start, size(x, y), workSampled, &w.plain)
	}
	return r
}

// workUnit returns the unit of an application.
func (in *Interp) workUnit(fn Function, x, y *V) (*Unit, error) {
	text := primitiveText(fn)
	src := diag.NewSource(text, text)
	m, err := in.unitMaker(diag.Span{Src: src, Start: 0, End: len(text)}, x, y)
	if err != nil {
		return nil, err
	}
	return m.unit, m.enter(text, x != nil)
}

// compiledGlyphs are the primitive functions that are compiled for large arrays.
const compiledGlyphs = "+-×÷⌈⌊|*⍟○!∧∨⍲⍱<≤=≥>≠~⍋⍒⍳⍸∊∪∩⌽⊖⍉⍴,⍪↑↓≡≢/⌿\\⍀"

// primitiveText returns the text of a primitive function, or of one that a primitive
// operator makes of it; "" for others.
func primitiveText(fn Function) string {
	switch fn := fn.(type) {
	case *primitive:
		for _, g := range compiledGlyphs {
			if string(g) == fn.glyph {
				return fn.glyph
			}
		}
	case *reduction:
		if fn.axis == nil && !fn.plain {
			return derivedText("", fn.f, foldGlyph(fn.first, "/", "⌿"))
		}
	case *scan:
		if fn.axis == nil {
			return derivedText("", fn.f, foldGlyph(fn.first, "\\", "⍀"))
		}
	case *outer:
		return derivedText("∘.", fn.f, "")
	case *inner:
		f, g := primitiveText(fn.f), primitiveText(fn.g)
		if len([]rune(f)) == 1 && len([]rune(g)) == 1 {
			return f + "." + g
		}
	}
	return ""
}

// foldGlyph chooses the glyph of a reduction or a scan, along the first or the last axis.
func foldGlyph(first bool, last, leading string) string {
	if first {
		return leading
	}
	return last
}

// derivedText returns the text of an operator with a primitive scalar function as its
// operand.
func derivedText(before string, f Function, behind string) string {
	if g := scalarGlyph(f); g != "" && primitiveText(f) != "" {
		return before + g + behind
	}
	return ""
}
