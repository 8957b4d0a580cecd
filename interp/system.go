package interp

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/tailor-lang/tailor/internal/data"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/internal/letters"
	"github.com/tailor-lang/tailor/interp/convert"
	"github.com/tailor-lang/tailor/interp/options"
	"github.com/tailor-lang/tailor/interp/prim"
	"github.com/tailor-lang/tailor/interp/value"
)

// system is a system function, in the frame that it is used in.
type system struct {
	name  string
	frame *Frame
}

// systemFunction is a row of the table of system functions; x is nil in a monadic
// call.
type systemFunction func(in *Interp, f *Frame, x, y *V) (*V, error)

var systemFunctions map[string]systemFunction

func init() {
	systemFunctions = map[string]systemFunction{
		"⎕UCS": unicodes, "⎕C": letterCase, "⎕DR": representation, "⎕VFI": verifyInput, "⎕SIGNAL": signal,
		"⎕FMT": formatted, "⎕DL": delay, "⎕DT": func(_ *Interp, _ *Frame, x, y *V) (*V, error) { return convert.DateTime(x, y) }, "⎕SIZE": sizes, "⎕NGET": readFile, "⎕NPY": numpy, "⎕NPZ": numpyArchive, "⎕ARROW": arrowTable,
		"⎕NC": nameClass, "⎕NS": makeSpace, "⎕NL": listNames, "⎕EX": expunge, "⎕EA": attempt, "⎕EC": controlled,
		"⎕FX": fix, "⎕EM": eventMessages, "⎕CR": canonical, "⎕NR": nestedLines, "⎕VR": numbered,
		"⎕NTIE": tieFile, "⎕NUNTIE": untieFiles, "⎕NREAD": readTie, "⎕NAPPEND": appendToTie, "⎕NREPLACE": replaceInTie,
		"⎕NSIZE": sizeOfTies, "⎕NERASE": eraseTie, "⎕NRENAME": renameTie, "⎕NRESIZE": resizeTie,
		"⎕FIX": fixScript, "⎕SRC": scriptOf, "⎕OR": objectForm, "⎕AT": attributes, "⎕LOCK": lock, "⎕EXPORT": exportTypes, "⎕ATX": extendedAttributes,
		"⎕VGET": readNames, "⎕VSET": giveNames, "⎕DF": displayForm, "⎕CS": changeSpace, "⎕SHADOW": shadow, "⎕STATE": stateOf, "⎕REFS": crossReferences,
		"⎕NPARTS": fileParts, "⎕MKDIR": makeDirectories, "⎕SH": shell, "⎕CMD": shell,
	}
}

// variant is a row of the table of system functions that take options: their names,
// the principal one first.
type variant struct {
	call  func(in *Interp, o options.Set, x, y *V) (*V, error)
	names string
}

// configured is a system function with options.
type configured struct {
	row     *variant
	options options.Set
}

func (c *configured) Call(in *Interp, x, y *V) (*V, error) { return c.row.call(in, c.options, x, y) }

func (c *configured) with(given *V) (Function, error) {
	o, err := c.options.With(given, c.row.names)
	return &configured{c.row, o}, err
}

// outside is a system function with options that needs nothing of the interpreter.
func outside(call func(o options.Set, x, y *V) (*V, error)) func(*Interp, options.Set, *V, *V) (*V, error) {
	return func(_ *Interp, o options.Set, x, y *V) (*V, error) { return call(o, x, y) }
}

// variants are the system functions that take options.
var variants = map[string]*variant{
	"⎕CSV":     {separated, csvOptions},
	"⎕PLOT":    {plotted, plotOptions},
	"⎕NPUT":    {writeFile, "NEOL"},
	"⎕NCREATE": {createFile, "Unique IfExists"},
	"⎕NEXISTS": {filesExist, "Wildcard"},
	"⎕NDELETE": {deleteFiles, "Wildcard"},
	"⎕NCOPY":   {copyFiles, "Wildcard IfExists PreserveAttributes ProgressCallback"},
	"⎕NMOVE":   {moveFiles, "Wildcard IfExists RenameOnly ProgressCallback"},
	"⎕NINFO":   {fileInfo, "Wildcard Recurse Follow"},
	"⎕XML":     {outside(convert.XML), "Whitespace Markup UnknownEntity"},
	"⎕JSON":    {outside(convert.JSON), "Format Compact Null HighRank Charset Dialect"},
	"⎕NS":      {withTriggers(makeSpace), "Trigger"},
	"⎕VSET":    {withTriggers(giveNames), "Trigger"},
}

func (s *system) Call(in *Interp, x, y *V) (*V, error) {
	f := systemFunctions[s.name]
	if v := variants[s.name]; v != nil && f == nil {
		f = func(in *Interp, _ *Frame, x, y *V) (*V, error) { return v.call(in, nil, x, y) }
	}
	if f == nil {
		return nil, prim.Errorf(diag.SystemName, "system name %s is not supported", s.name)
	}
	r, err := f(in, s.frame, x, y)
	var e *data.Error
	if errors.As(err, &e) {
		return nil, prim.Errorf(e.Code, "%s", e.Message)
	}
	return r, err
}

// with sets options of a system function.
func (s *system) with(given *V) (Function, error) {
	if v := variants[s.name]; v != nil {
		return (&configured{row: v}).with(given)
	}
	return nil, prim.Errorf(diag.WrongDomain, "%s takes no options", s.name)
}

// unicodes is ⎕UCS.
func unicodes(_ *Interp, _ *Frame, x, y *V) (*V, error) {
	if x != nil {
		return encoded(x, y)
	}
	if y.Kind == value.Char {
		out := make([]int64, len(y.Chars))
		for i, r := range y.Chars {
			out[i] = int64(r)
		}
		return &V{Kind: value.Int, Shape: y.Shape, Ints: out}, nil
	}
	if y.Ref != nil {
		return nil, prim.Errorf(diag.WrongDomain, "⎕UCS needs characters or numbers")
	}
	if y.Kind == value.Mixed {
		items := make([]*V, len(y.Items))
		for i, v := range y.Items {
			r, err := unicodes(nil, nil, nil, v)
			if err != nil {
				return nil, err
			}
			items[i] = r
		}
		return value.FromItems(y.Shape, items), nil
	}
	n, err := prim.Ints(y)
	if err != nil {
		return nil, err
	}
	out := make([]rune, len(n))
	for i, k := range n {
		if k < 0 || k > utf8.MaxRune {
			return nil, prim.Errorf(diag.WrongDomain, "%s is no code point", prim.Plain(value.Int64(k), 17))
		}
		out[i] = rune(k)
	}
	return &V{Kind: value.Char, Shape: y.Shape, Chars: out}, nil
}

// encoded is x ⎕UCS y: bytes, or 16-bit words, of a text and back.
func encoded(x, y *V) (*V, error) {
	signed := false
	if x.Kind == value.Mixed && x.Rank() == 1 && x.Len() == 2 { // 'UTF-8' 83: bytes with a sign
		n, err := prim.Whole(x.Item(1))
		if err != nil {
			return nil, err
		}
		signed, x = n == 83, x.Item(0)
	}
	name, err := prim.TextOf(x, "the encoding of ⎕UCS")
	if err != nil {
		return nil, err
	}
	if y.Rank() > 1 {
		return nil, prim.Errorf(diag.ArgumentRank, "⎕UCS with an encoding of an array of rank %d", y.Rank())
	}
	if y.Kind == value.Char {
		var out []int64
		switch name {
		case "UTF-8":
			for _, b := range []byte(string(y.Chars)) {
				if k := int64(b); signed {
					out = append(out, int64(int8(k)))
				} else {
					out = append(out, k)
				}
			}
		case "UTF-16":
			for _, w := range utf16.Encode(y.Chars) {
				out = append(out, int64(w))
			}
		case "UTF-32":
			for _, r := range y.Chars {
				out = append(out, int64(r))
			}
		default:
			return nil, prim.Errorf(diag.WrongDomain, "%s is no encoding", name)
		}
		return value.Integers(out), nil
	}
	n, err := prim.Ints(y)
	if err != nil {
		return nil, err
	}
	return decoded(name, n)
}

func decoded(name string, n []int64) (*V, error) {
	var out []rune
	switch name {
	case "UTF-8":
		var b []byte
		for _, k := range n {
			if k < -128 || k > 255 {
				return nil, prim.Errorf(diag.WrongDomain, "%s is no byte", prim.Plain(value.Int64(k), 17))
			}
			b = append(b, byte(k))
		}
		if !utf8.Valid(b) {
			return nil, prim.Errorf(diag.WrongDomain, "the bytes are no UTF-8")
		}
		out = []rune(string(b))
	case "UTF-16":
		var w []uint16
		for _, k := range n {
			w = append(w, uint16(k))
		}
		out = utf16.Decode(w)
		if len(utf16.Encode(out)) != len(w) || strings.ContainsRune(string(out), utf8.RuneError) {
			return nil, prim.Errorf(diag.WrongDomain, "this is not UTF-16")
		}
	case "UTF-32":
		for _, k := range n {
			out = append(out, rune(k))
		}
	default:
		return nil, prim.Errorf(diag.WrongDomain, "%s is no encoding", name)
	}
	return value.Characters(out), nil
}

// letterCase is ⎕C: folding, and mapping to upper (1) or lower (¯1) case.
func letterCase(_ *Interp, _ *Frame, x, y *V) (*V, error) {
	to := letters.Fold
	if x != nil {
		k, err := prim.Whole(x)
		if err != nil {
			return nil, err
		}
		switch k {
		case 1:
			to = letters.Upper
		case -1:
			to = letters.Lower
		case -3:
		default:
			return nil, prim.Errorf(diag.WrongDomain, "the left argument of ⎕C is %s", prim.Plain(x, 10))
		}
	}
	return mapLetters(y, to), nil
}

func mapLetters(y *V, to func(rune) rune) *V {
	switch {
	case y.Kind == value.Char:
		out := make([]rune, len(y.Chars))
		for i, r := range y.Chars {
			out[i] = to(r)
		}
		return &V{Kind: value.Char, Shape: y.Shape, Chars: out}
	case y.Kind == value.Mixed && y.Ref == nil && len(y.Items) > 0:
		items := make([]*V, len(y.Items))
		for i, x := range y.Items {
			items[i] = mapLetters(x, to)
		}
		return value.FromItems(y.Shape, items)
	}
	return y
}

// verifyInput is ⎕VFI: which fields of a text are numbers, and the numbers.
func verifyInput(_ *Interp, _ *Frame, x, y *V) (*V, error) {
	s, err := prim.TextOf(y, "the argument of ⎕VFI")
	if err != nil {
		return nil, err
	}
	fields := strings.Fields(s)
	if x != nil {
		by, err := prim.TextOf(x, "the separators of ⎕VFI")
		if err != nil {
			return nil, err
		}
		fields = split(s, by)
	}
	ok, numbers := make([]byte, len(fields)), make([]*V, len(fields))
	for i, f := range fields {
		numbers[i] = value.Int64(0)
		if f = strings.Trim(f, " "); f == "" {
			ok[i] = 1
		} else if v := parseNumber(f); v != nil {
			ok[i], numbers[i] = 1, v
		}
	}
	return value.Vector(value.Booleans(ok), value.Vector(numbers...)), nil
}

// split cuts a text at each of the separators.
func split(s, by string) []string {
	var out []string
	start := 0
	for i, r := range s {
		if strings.ContainsRune(by, r) {
			out = append(out, s[start:i])
			start = i + utf8.RuneLen(r)
		}
	}
	return append(out, s[start:])
}

// signal is ⎕SIGNAL.
func signal(in *Interp, f *Frame, x, y *V) (*V, error) {
	if y.Len() == 0 {
		in.hide = true
		return y, nil
	}
	if first := y.Item(0); first.Rank() == 0 && first.Kind != value.Mixed {
		y = first
	}
	if y.Kind == value.Mixed {
		return nil, leaving(f, signalFields(y))
	}
	n, err := prim.Whole(y)
	if err != nil {
		return nil, err
	}
	if n == 0 {
		in.hide, in.last, in.reported = true, nil, nil
		return y, nil
	}
	name := ""
	if x != nil {
		if name, err = prim.TextOf(x, "the message of ⎕SIGNAL"); err != nil {
			return nil, err
		}
	}
	return nil, leaving(f, signalled(n, name, ""))
}

// leaving marks an error that ends the call it is signalled in.
func leaving(f *Frame, err error) error {
	if e, ok := err.(*Fault); ok {
		e.leaves = f.activation()
	}
	return err
}

// signalled is an error that the program raises.
func signalled(n int, name, message string) error {
	e := &diag.Error{Code: codeOf(n), Message: cmp.Or(message, name, "signalled by the program"), RunTime: true, Signalled: true}
	if _, ok := eventCodes[n]; !ok {
		e.Message = fmt.Sprintf("error %d: %s", n, e.Message)
	}
	if (n < 0 || n > 999) && n != 1006 {
		return prim.Errorf(diag.WrongDomain, "%s is no number of an error", prim.Plain(value.Integer(n), 10))
	}
	return &Fault{diagnosis: e, number: n, name: name, message: message}
}

// signalFields is ⎕SIGNAL of pairs of names and values.
func signalFields(y *V) error {
	pairs, err := signalPairs(y)
	if err != nil {
		return err
	}
	n, name, message := 0, "", ""
	fields := map[string]any{}
	for _, pair := range pairs {
		field := string(pair.Item(0).Chars)
		fields[field] = pair.Item(1)
		switch field {
		case "EN":
			n, err = prim.Whole(pair.Item(1))
		case "EM":
			name, err = prim.TextOf(pair.Item(1), "the name of ⎕SIGNAL")
		case "Message":
			message, err = prim.TextOf(pair.Item(1), "the message of ⎕SIGNAL")
		default:
			if !signalNames[field] {
				err = prim.Errorf(diag.WrongDomain, "⎕SIGNAL cannot set %s", field)
			}
		}
		if err != nil {
			return err
		}
	}
	if fields["EN"] == nil {
		return prim.Errorf(diag.WrongDomain, "⎕SIGNAL needs EN among the names")
	}
	err = signalled(n, name, message)
	if e, ok := err.(*Fault); ok {
		e.fields = fields
	}
	return err
}
