package interp

import (
	"os/user"
	"strings"

	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/interp/convert"
	"github.com/tailor-lang/tailor/interp/prim"
	"github.com/tailor-lang/tailor/interp/value"
)

// atomic are the characters of ⎕AV.
const atomic = "\x00\b\n\r \f\x06\a\x1b\t⌶ɫ%'⍺⍵_abcdefghijklmnopqrstuvwxyz\x01\x02¯.⍬0123456789\x03⊢¥$£¢" +
	"∆ABCDEFGHIJKLMNOPQRSTUVWXYZ\x04\x05ý·\x7f⍙ÁÂÃÇÈÊËÌÍÎÏÐÒÓÔÕÙÚÛÝþãìðòõ{€}⊣⌷¨ÀÄÅÆ⍨ÉÑÖØÜßàáâäåæçèéêëíîïñ" +
	"[/⌿\\⍀<≤=≥>≠∨∧-+÷×?∊⍴~↑↓⍳○*⌈⌊∇∘(⊂⊃∩∪⊥⊤|;,⍱⍲⍒⍋⍉⌽⊖⍟⌹!⍕⍎⍫⍪≡≢óôöø\"#\x1e&´┘┐┌└┼─├┤┴┬│@ùúû^ü`∣¶:⍷¿¡⋄←→⍝)]\x1f\u00a0§⎕⍞⍣"

// constantName returns the value of a system name that says what a session would, or
// nil.
func (in *Interp) constantName(name string) *V {
	switch name {
	case "⎕AV":
		return value.Text(atomic)
	case "⎕AVU":
		return codePoints(atomic)
	case "⎕TC":
		if in.state.Migration >= 3 {
			return value.Text("\b\r\n")
		}
		return value.Text("\b\n\r")
	case "⎕Á":
		return value.Text("ÁÂÃÇÈÊËÌÍÎÏÐÒÓÔÕÙÚÛÝþãìðòõ")
	case "⎕DCT":
		return value.Number(1e-28)
	case "⎕AN":
		if u, err := user.Current(); err == nil {
			return value.Text(u.Username)
		}
		return value.Text("")
	case "⎕WSID":
		return value.Text("CLEAR WS")
	case "⎕WA":
		return value.Int64(1 << 34)
	case "⎕SD":
		return value.Sizes([]int{25, in.state.Width})
	case "⎕FR":
		return value.Integer(645)
	case "⎕TID":
		return value.Integer(0)
	case "⎕TNUMS":
		return value.Sizes([]int{0})
	case "⎕LX":
		return value.Text("")
	}
	return nil
}

// sizes is ⎕SIZE: the bytes that the values of names take, 0 for other names.
func sizes(_ *Interp, f *Frame, x, y *V) (*V, error) {
	if x != nil {
		return nil, prim.Errorf(diag.WrongValence, "⎕SIZE takes one argument")
	}
	var names []*V
	switch {
	case y.Kind == value.Mixed:
		names = y.AllItems()
	case y.Rank() == 2:
		for _, s := range convert.RowsOf(y) {
			names = append(names, value.Text(s))
		}
	default:
		names = []*V{y}
	}
	out := make([]int, len(names))
	for i, n := range names {
		s, err := prim.TextOf(n, "a name of ⎕SIZE")
		if err != nil {
			return nil, err
		}
		v, _ := f.lookup(strings.TrimSpace(s))
		if a, ok := v.(*V); ok {
			out[i] = sizeOf(a)
		}
	}
	return value.Sizes(out), nil
}

// sizeOf returns the bytes of an array: its head, its shape and its elements, in
// words of 8 bytes.
func sizeOf(a *V) int {
	bits := map[int]int{11: 1, 80: 8, 83: 8, 160: 16, 163: 16, 320: 32, 323: 32, 1289: 128}[typeCode(a)]
	if bits == 0 {
		bits = 64
	}
	n := 24 + 8*a.Rank() + (a.Len()*bits+63)/64*8
	if a.Kind == value.Mixed && a.Ref == nil {
		for _, x := range a.Items {
			n += sizeOf(x)
		}
	}
	return n
}
