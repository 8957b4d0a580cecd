package interp

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/data"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/interp/options"
	"github.com/tailor-lang/tailor/interp/prim"
	"github.com/tailor-lang/tailor/interp/value"
)

// Access says what a program may do outside itself. The zero value trusts it with
// files, but not with commands.
type Access struct {
	Shell bool
	// Dir, where it is not empty, is the directory that files must be in, unless Read
	// or Write allow more.
	Dir         string
	Read, Write bool
	// Nothing, where it is not empty, says why the program has neither files nor a shell.
	Nothing string
}

// may reports whether the program may use a file: what says for what.
func (in *Interp) may(name string, write bool) error { return in.access.May(name, write) }

// May returns the error of reading or writing a file that is not allowed, or nil.
func (a Access) May(name string, write bool) error {
	if a.Nothing != "" {
		return fileFault(19, "%s cannot be used: %s", name, a.Nothing)
	}
	if a.Dir == "" || write && a.Write || !write && a.Read {
		return nil
	}
	dir, err1 := filepath.Abs(a.Dir)
	path, err2 := filepath.Abs(name)
	if p, err := filepath.EvalSymlinks(path); err == nil {
		path = p
	} else if p, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		path = filepath.Join(p, filepath.Base(path))
	}
	if d, err := filepath.EvalSymlinks(dir); err == nil {
		dir = d
	}
	rel, err := filepath.Rel(dir, path)
	if err == nil && err1 == nil && err2 == nil && rel != ".." && !strings.HasPrefix(rel, "../") {
		return nil
	}
	if write {
		return fileFault(19, "%s may not be written: it is outside of the program's directory (--allow-write allows it)", name)
	}
	return fileFault(19, "%s may not be read: it is outside of the program's directory (--allow-read allows it)", name)
}

// fileFault is an error of files with its event number.
func fileFault(number int, format string, args ...any) error {
	e := asFault(prim.Errorf(diag.FileOrTool, format, args...))
	e.number = number
	return e
}

// missing is the error of a file that does not exist.
func missing(name string) error {
	f := asFault(fileFault(22, "there is no file %s", name))
	f.system = syscall.ENOENT
	return f
}

// systemError returns an error of the operating system.
func systemError(what, name string, err error) error {
	number := 22
	if errors.Is(err, fs.ErrPermission) {
		number = 19
	}
	var e *fs.PathError
	if errors.As(err, &e) {
		err = e.Err
	}
	f := asFault(fileFault(number, "cannot %s %s: %v", what, name, err))
	errors.As(err, &f.system)
	return f
}

// readBytes returns the contents of a file.
func (in *Interp) readBytes(name string) ([]byte, error) {
	if err := in.may(name, false); err != nil {
		return nil, err
	}
	b, err := os.ReadFile(name)
	if err != nil {
		return nil, systemError("read", name, err)
	}
	return b, nil
}

// What a write does with a file that is there.
const (
	mustBeNew = iota
	replaceFile
	appendFile
)

// writeBytes writes a file; mark is written before the rest of a file that is new or
// empty.
func (in *Interp) writeBytes(name, mark string, b []byte, how int) (int, error) {
	if err := in.may(name, true); err != nil {
		return 0, err
	}
	mode := map[int]int{mustBeNew: os.O_EXCL, replaceFile: os.O_TRUNC, appendFile: os.O_APPEND}[how]
	f, err := os.OpenFile(name, os.O_CREATE|os.O_WRONLY|mode, 0o666)
	if err != nil {
		return 0, systemError("write", name, err)
	}
	if s, err := f.Stat(); err == nil && s.Size() == 0 {
		b = append([]byte(mark), b...)
	}
	n, err := f.Write(b)
	if e := f.Close(); err == nil {
		err = e
	}
	if err != nil {
		return 0, systemError("write", name, err)
	}
	return n, nil
}

// fileName returns the name and the option of a file argument: a text, or a text
// and a number.
func fileName(y *V, what string) (string, int, error) {
	option := 0
	if y.Kind == value.Mixed && y.Rank() == 1 && y.Len() >= 1 {
		if y.Len() > 1 {
			n, err := prim.Whole(y.Item(y.Len() - 1))
			if err != nil {
				return "", 0, err
			}
			option = n
		}
		y = y.Item(0)
	}
	name, err := prim.TextOf(y, "the file name of "+what)
	return name, option, err
}

// readFile is ⎕NGET: the text, or its lines with option 1, its encoding and its
// line ends.
func readFile(in *Interp, _ *Frame, x, y *V) (*V, error) {
	name, option, err := fileName(y, "⎕NGET")
	if err != nil {
		return nil, err
	}
	b, err := in.readBytes(name)
	if err != nil {
		return nil, err
	}
	chars, e, err := decodeFile(b, x)
	if err != nil {
		return nil, err
	}
	lines := splitLines(string(chars))
	end := value.Zilde()
	for _, l := range lines {
		if l.end != "" && strings.Contains("\r\n\u0085", l.end) {
			end = codePoints(l.end)
			break
		}
	}
	var content *V
	switch option {
	case 0:
		var b strings.Builder
		for _, l := range lines {
			if b.WriteString(l.text); l.end != "" {
				b.WriteByte('\n')
			}
		}
		content = value.Text(b.String())
	case 1:
		if n := len(lines); lines[n-1].text == "" {
			lines = lines[:n-1]
		}
		texts := make([]string, len(lines))
		for i, l := range lines {
			texts[i] = l.text
		}
		content = value.Texts(texts)
	default:
		return nil, prim.Errorf(diag.WrongDomain, "the option of ⎕NGET is 0 or 1")
	}
	return value.FromItems([]int{3}, []*V{content, e.value(), end}), nil
}

func codePoints(s string) *V {
	var out []int64
	for _, c := range s {
		out = append(out, int64(c))
	}
	return value.Integers(out)
}

// writeFile is ⎕NPUT.
func writeFile(in *Interp, o options.Set, x, y *V) (*V, error) {
	if x == nil {
		return nil, prim.Errorf(diag.NoLeftArgument, "⎕NPUT needs a left argument")
	}
	name, option, err := fileName(y, "⎕NPUT")
	if err != nil {
		return nil, err
	}
	if option < mustBeNew || option > appendFile {
		return nil, prim.Errorf(diag.WrongDomain, "the option of ⎕NPUT is 0, 1 or 2")
	}
	content, e, err := contentOf(o, x)
	if err != nil {
		return nil, err
	}
	b, err := e.encode([]rune(content))
	if err != nil {
		return nil, err
	}
	n, err := in.writeBytes(name, e.mark(), b, option)
	if err != nil {
		return nil, err
	}
	in.hide = true
	return value.Integer(n), nil
}

// contentOf returns the text that ⎕NPUT writes and its encoding: x is a text, or it
// or its lines, the encoding and the line end.
func contentOf(o options.Set, x *V) (string, encoding, error) {
	e := encoding{name: "UTF-8"}
	parts := []*V{x}
	if x.Kind == value.Mixed && x.Rank() == 1 && x.Len() <= 3 || x.Kind == value.Mixed && x.Rank() == 0 {
		parts = x.Items
	}
	if len(parts) > 1 && !isEncoding(parts[1]) { // lines without an enclosure
		parts = []*V{x}
	}
	end := "\n"
	if len(parts) > 1 {
		given, ok, err := encodingOf(parts[1])
		if err != nil {
			return "", e, err
		}
		if ok {
			e = given
		}
	}
	if len(parts) > 2 {
		codes, err := prim.Ints(parts[2])
		if err != nil {
			return "", e, err
		}
		end = ""
		for _, k := range codes {
			end += string(rune(k))
		}
	}
	how, err := o.Number("NEOL", 1)
	if err != nil || how < -1 || how > 2 {
		return "", e, prim.Errorf(diag.WrongDomain, "the option NEOL is one of ¯1 0 1 2")
	}
	content, err := joinedLines(parts[0], end, how)
	return content, e, err
}

// isEncoding reports whether v may name an encoding.
func isEncoding(v *V) bool {
	_, _, err := encodingOf(v)
	return err == nil && v.Rank() == 1
}

// joinedLines returns a text, or lines, with line ends as the option NEOL has them.
func joinedLines(v *V, end string, how int) (string, error) {
	items := []*V{v}
	nested := v.Kind == value.Mixed
	if nested {
		items = v.AllItems()
	}
	var out strings.Builder
	for i, item := range items {
		s, err := prim.TextOf(item, "the left argument of ⎕NPUT")
		if err != nil {
			return "", err
		}
		lines := splitLines(s)
		for k, l := range lines {
			out.WriteString(l.text)
			last := k == len(lines)-1
			switch {
			case !last && (how == 2 || how == 1 && l.end == "\n"):
				out.WriteString(end)
			case !last:
				out.WriteString(l.end)
			case nested && (how >= 0 || i < len(items)-1), !nested && how >= 0 && l.text != "":
				out.WriteString(end)
			}
		}
	}
	return out.String(), nil
}

// numpy is ⎕NPY.
func numpy(in *Interp, _ *Frame, x, y *V) (*V, error) {
	name, err := prim.TextOf(y, "the file name of ⎕NPY")
	if err != nil {
		return nil, err
	}
	if err := in.may(name, x != nil); err != nil {
		return nil, err
	}
	if x == nil {
		a, err := data.ReadNpy(name, noted(in.note), data.AnyRank)
		if err != nil {
			return nil, err
		}
		return value.From(a), nil
	}
	s, ok := x.Simple()
	if !ok {
		return nil, prim.Errorf(diag.WrongDomain, "⎕NPY of a nested array")
	}
	n, err := data.WriteNpy(s, name)
	if err != nil {
		return nil, err
	}
	in.hide = true
	return value.Int64(n), nil
}

// noted returns the type of numbers that an annotation asks for.
func noted(note string) array.Elem {
	switch {
	case strings.Contains(note, "double"):
		return array.Double
	case strings.Contains(note, "int"):
		return array.Int
	case strings.Contains(note, "bool"):
		return array.Bool
	}
	return array.NoElem
}
