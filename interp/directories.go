package interp

import (
	"io"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/interp/convert"
	"github.com/tailor-lang/tailor/interp/options"
	"github.com/tailor-lang/tailor/interp/prim"
	"github.com/tailor-lang/tailor/interp/value"
)

// eachName applies f to a file name, or to each of several.
func eachName(y *V, what string, f func(name string) (*V, error)) (*V, error) {
	if y.Kind != value.Mixed && (y.Kind == value.Char || y.Len() > 0) {
		name, err := prim.TextOf(y, "the file name of "+what)
		if err != nil {
			return nil, err
		}
		return f(name)
	}
	items := make([]*V, y.Len())
	for i := range items {
		name, err := prim.TextOf(y.Item(i), "a file name of "+what)
		if err != nil {
			return nil, err
		}
		if items[i], err = f(name); err != nil {
			return nil, err
		}
	}
	if len(items) == 0 {
		return value.Zilde(), nil
	}
	return value.FromItems(y.Shape, items), nil
}

// leftOption returns the left argument, which is a number up to most, or 0.
func leftOption(x *V, what string, most int) (int, error) {
	if x == nil {
		return 0, nil
	}
	n, err := prim.Whole(x)
	if err != nil || n < 0 || n > most {
		return 0, prim.Errorf(diag.WrongDomain, "the left argument of %s is a number from 0 to %d", what, most)
	}
	return n, nil
}

// fileParts is ⎕NPARTS: the path, the base name and the extension.
func fileParts(_ *Interp, _ *Frame, x, y *V) (*V, error) {
	normal, err := leftOption(x, "⎕NPARTS", 1)
	if err != nil {
		return nil, err
	}
	return eachName(y, "⎕NPARTS", func(name string) (*V, error) {
		if normal == 1 {
			name = normalName(name)
		}
		path, base := filepath.Split(name)
		if base == ".." || base == "." {
			return value.FromItems([]int{3}, []*V{value.Text(path), value.Text(base), value.Text("")}), nil
		}
		extension := filepath.Ext(base)
		base = strings.TrimSuffix(base, extension)
		return value.FromItems([]int{3}, []*V{value.Text(path), value.Text(base), value.Text(extension)}), nil
	})
}

// normalName makes a name absolute, and takes out "." and superfluous slashes.
func normalName(name string) string {
	if !strings.HasPrefix(name, "/") {
		if dir, err := os.Getwd(); err == nil {
			name = dir + "/" + name
		}
	}
	var out []string
	parts := strings.Split(name, "/")
	for i, p := range parts {
		if p != "" && p != "." || i == len(parts)-1 && p == "" {
			out = append(out, p)
		}
	}
	return "/" + strings.Join(out, "/")
}

// matches returns the files that a pattern names, or the name itself.
func matches(in *Interp, name string, wild bool) ([]string, error) {
	if err := in.may(name, false); err != nil {
		return nil, err
	}
	if !wild {
		if _, err := os.Lstat(name); err != nil {
			return nil, nil
		}
		return []string{name}, nil
	}
	dir, pattern := filepath.Split(name)
	list, err := os.ReadDir(filepath.Clean("./" + dir))
	if filepath.IsAbs(dir) {
		list, err = os.ReadDir(dir)
	}
	if err != nil {
		return nil, nil
	}
	var out []string
	escaped := strings.NewReplacer("[", `\[`, "]", `\]`, `\`, `\\`).Replace(pattern)
	for _, e := range list {
		if ok, _ := filepath.Match(escaped, e.Name()); ok {
			out = append(out, dir+e.Name())
		}
	}
	sort.Strings(out)
	return out, nil
}

// filesExist is ⎕NEXISTS.
func filesExist(in *Interp, o options.Set, _, y *V) (*V, error) {
	wild, err := o.Flag("Wildcard", false)
	if err != nil {
		return nil, err
	}
	return eachName(y, "⎕NEXISTS", func(name string) (*V, error) {
		found, err := matches(in, name, wild)
		return value.Truth(len(found) > 0), err
	})
}

// deleteFiles is ⎕NDELETE.
func deleteFiles(in *Interp, o options.Set, x, y *V) (*V, error) {
	how, err := leftOption(x, "⎕NDELETE", 3)
	if err != nil {
		return nil, err
	}
	wild, err := o.Flag("Wildcard", false)
	if err != nil {
		return nil, err
	}
	in.hide = true
	return eachName(y, "⎕NDELETE", func(name string) (*V, error) {
		if err := in.may(name, true); err != nil {
			return nil, err
		}
		found, err := matches(in, name, wild)
		if err != nil {
			return nil, err
		}
		if len(found) == 0 && !wild && how&1 == 0 {
			return nil, missing(name)
		}
		for _, f := range found {
			remove := os.Remove
			if how&2 != 0 {
				remove = os.RemoveAll
			}
			if err := remove(f); err != nil {
				e := asFault(systemError("delete", f, err))
				e.number = 19
				return nil, e
			}
		}
		return value.Integer(len(found)), nil
	})
}

// makeDirectories is ⎕MKDIR.
func makeDirectories(in *Interp, _ *Frame, x, y *V) (*V, error) {
	how, err := leftOption(x, "⎕MKDIR", 3)
	if err != nil {
		return nil, err
	}
	in.hide = true
	return eachName(y, "⎕MKDIR", func(name string) (*V, error) {
		if err := in.may(name, true); err != nil {
			return nil, err
		}
		if s, err := os.Stat(name); err == nil {
			if how&1 != 0 && s.IsDir() {
				return value.Truth(false), nil
			}
			return nil, fileFault(22, "the directory %s exists", name)
		}
		create := os.Mkdir
		if how&2 != 0 {
			create = os.MkdirAll
		}
		if err := create(name, 0o777); err != nil {
			return nil, systemError("create the directory", name, err)
		}
		return value.Truth(true), nil
	})
}

// copyFiles is ⎕NCOPY, and moveFiles ⎕NMOVE.
func copyFiles(in *Interp, o options.Set, x, y *V) (*V, error) { return in.transfer(o, x, y, false) }
func moveFiles(in *Interp, o options.Set, x, y *V) (*V, error) { return in.transfer(o, x, y, true) }

func (in *Interp) transfer(o options.Set, x, y *V, move bool) (*V, error) {
	if x == nil {
		return nil, prim.Errorf(diag.NoLeftArgument, "a copy needs a left argument")
	}
	target, err := prim.TextOf(x, "the destination")
	if err != nil {
		return nil, err
	}
	if o["ProgressCallback"] != nil {
		return nil, prim.Errorf(diag.NotCompiled, "the option ProgressCallback")
	}
	wild, err := o.Flag("Wildcard", false)
	if err != nil {
		return nil, err
	}
	c := &copying{move: move}
	if c.exists, err = o.Word("IfExists", "Error", "Skip", "Replace", "ReplaceIfNewer"); err != nil {
		return nil, err
	}
	if c.preserve, err = o.Flag("PreserveAttributes", false); err != nil {
		return nil, err
	}
	if err := in.may(target, true); err != nil {
		return nil, err
	}
	s, err := os.Stat(target)
	inside := err == nil && s.IsDir()
	if !inside && (wild || y.Kind == value.Mixed && y.Len() > 1) {
		return nil, fileFault(22, "%s is no directory", target)
	}
	in.hide = true
	return eachName(y, "a copy", func(name string) (*V, error) {
		found, err := matches(in, name, wild)
		if err != nil {
			return nil, err
		}
		if len(found) == 0 && !wild {
			return nil, missing(name)
		}
		for _, f := range found {
			if move {
				if err := in.may(f, true); err != nil {
					return nil, err
				}
			}
			to := target
			if inside {
				to = filepath.Join(target, filepath.Base(f))
			}
			if err := c.run(f, to); err != nil {
				return nil, err
			}
		}
		return value.Integer(len(found)), nil
	})
}

// copying is one ⎕NCOPY or ⎕NMOVE.
type copying struct {
	move, preserve bool
	exists         string // IfExists
}

func (c *copying) run(from, to string) error {
	s, err := os.Stat(from)
	if err != nil {
		return systemError("read", from, err)
	}
	if t, err := os.Stat(to); err == nil && !s.IsDir() {
		switch {
		case t.IsDir():
			return fileFault(22, "%s is a directory", to)
		case c.exists == "Error":
			return fileFault(22, "the file %s exists", to)
		case c.exists == "Skip", c.exists == "ReplaceIfNewer" && !s.ModTime().After(t.ModTime()):
			return nil
		}
	} else if err == nil && !t.IsDir() {
		return fileFault(22, "%s is a file", to)
	}
	if c.move {
		if err := os.Rename(from, to); err == nil {
			return nil
		}
	}
	if s.IsDir() {
		err = c.directory(from, to)
	} else {
		err = c.file(from, to, s)
	}
	if err == nil && c.move {
		err = os.RemoveAll(from)
	}
	if err != nil {
		return systemError("copy", from, err)
	}
	return nil
}

func (c *copying) directory(from, to string) error {
	list, err := os.ReadDir(from)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(to, 0o777); err != nil {
		return err
	}
	inner := *c
	inner.move = false
	for _, e := range list {
		if err := inner.run(filepath.Join(from, e.Name()), filepath.Join(to, e.Name())); err != nil {
			return err
		}
	}
	return nil
}

func (c *copying) file(from, to string, s fs.FileInfo) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, s.Mode().Perm())
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	if e := out.Close(); err == nil {
		err = e
	}
	if err == nil && c.preserve {
		err = os.Chtimes(to, s.ModTime(), s.ModTime())
	}
	return err
}

// fileInfo is ⎕NINFO.
func fileInfo(in *Interp, o options.Set, x, y *V) (*V, error) {
	which := value.Int64(0)
	if x != nil {
		which = x
	}
	wild, err := o.Flag("Wildcard", false)
	if err != nil {
		return nil, err
	}
	follow, err := o.Flag("Follow", true)
	if err != nil {
		return nil, err
	}
	depth, err := recursion(o["Recurse"])
	if err != nil {
		return nil, err
	}
	codes, err := prim.Ints(which)
	if err != nil {
		return nil, err
	}
	one := func(name string, at int64) []*V {
		out := make([]*V, len(codes))
		for i, k := range codes {
			out[i] = property(name, k, at, follow)
		}
		return out
	}
	if y.Kind.Numeric() && y.Rank() == 0 {
		t, err := in.tied(y.Int(0))
		if err != nil {
			return nil, err
		}
		return value.Shaped(which.Shape, one(t.name, t.at)), nil
	}
	if !wild && depth == 0 && y.Kind == value.Char {
		name, err := prim.TextOf(y, "the file name of ⎕NINFO")
		if err != nil {
			return nil, err
		}
		if found, err := matches(in, name, false); err != nil || len(found) == 0 {
			if err == nil {
				err = missing(name)
			}
			return nil, err
		}
		return value.Shaped(which.Shape, one(name, 0)), nil
	}
	var all [][]*V
	_, err = eachName(y, "⎕NINFO", func(name string) (*V, error) {
		found, err := deepMatches(in, name, wild, depth)
		if len(found) == 0 && !wild && depth == 0 && err == nil {
			err = missing(name)
		}
		for _, f := range found {
			all = append(all, one(f, 0))
		}
		return value.Integer(0), err
	})
	if err != nil {
		return nil, err
	}
	columns := make([]*V, len(codes))
	for i := range columns {
		items := make([]*V, len(all))
		for k := range items {
			items[k] = all[k][i]
		}
		if columns[i] = value.Texts(nil); len(items) > 0 {
			columns[i] = value.Vector(items...)
		}
	}
	return value.Shaped(which.Shape, columns), nil
}

// recursion returns how deep the option Recurse lets a search go; -1 is any depth.
func recursion(v *V) (int, error) {
	if v == nil {
		return 0, nil
	}
	n, err := prim.Ints(v)
	switch {
	case err != nil || len(n) < 1 || len(n) > 2 || n[0] < 0 || n[0] > 2:
		return 0, prim.Errorf(diag.WrongDomain, "the option Recurse is 0, 1 or 2, and a depth")
	case n[0] == 0:
		return 0, nil
	case len(n) == 2:
		return int(n[1]), nil
	}
	return -1, nil
}

// deepMatches returns the files that a name or a pattern names in a directory and
// those below it.
func deepMatches(in *Interp, name string, wild bool, depth int) ([]string, error) {
	found, err := matches(in, name, wild)
	if depth == 0 || err != nil {
		return found, err
	}
	dir, base := filepath.Split(name)
	below, err := matches(in, dir+"*", true)
	if err != nil {
		return nil, err
	}
	for _, b := range below {
		if s, err := os.Lstat(b); err == nil && s.IsDir() {
			more, err := deepMatches(in, b+"/"+base, wild, depth-1)
			if err != nil {
				return nil, err
			}
			found = append(found, more...)
		}
	}
	return found, nil
}

// property is a property of a file, by its number.
func property(name string, code, at int64, follow bool) *V {
	stat := os.Stat
	if !follow {
		stat = os.Lstat
	}
	s, err := stat(name)
	modified := time.Time{}
	if err == nil {
		modified = s.ModTime()
	}
	switch code {
	case 0:
		return value.Text(name)
	case 1:
		return value.Integer(fileType(s))
	case 2:
		if err != nil {
			return value.Integer(0)
		}
		return value.Int64(s.Size())
	case 3, 9, 10:
		if err != nil {
			return value.Sizes(make([]int, 7))
		}
		return timestamp(modified.Local())
	case 4, 5:
		return value.Text(owner(s, code == 5))
	case 6:
		return value.Truth(strings.HasPrefix(filepath.Base(name), "."))
	case 7:
		target, _ := os.Readlink(name)
		return value.Text(target)
	case 8:
		return value.Int64(at)
	case 11, 12:
		f, err := os.OpenFile(name, map[int64]int{11: os.O_RDONLY, 12: os.O_WRONLY}[code], 0)
		if err == nil {
			f.Close()
		}
		return value.Truth(err == nil)
	case 13, 14, 15:
		if err != nil {
			return value.Integer(0)
		}
		return value.Number(float64(modified.UnixNano())/86400e9 + convert.UnixDay)
	}
	return value.Zilde()
}

func fileType(s fs.FileInfo) int {
	if s == nil {
		return 0
	}
	switch m := s.Mode(); {
	case m.IsDir():
		return 1
	case m.IsRegular():
		return 2
	case m&fs.ModeCharDevice != 0:
		return 3
	case m&fs.ModeSymlink != 0:
		return 4
	case m&fs.ModeDevice != 0:
		return 5
	case m&fs.ModeNamedPipe != 0:
		return 6
	case m&fs.ModeSocket != 0:
		return 7
	}
	return 0
}

// owner returns the number of the user that owns a file, or the name.
func owner(s fs.FileInfo, name bool) string {
	id, ok := ownerID(s)
	if !ok {
		return ""
	}
	number := strconv.FormatUint(uint64(id), 10)
	if !name {
		return number
	}
	if u, err := user.LookupId(number); err == nil {
		return u.Username
	}
	return ""
}
