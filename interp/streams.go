package interp

import (
	"io"
	"strings"

	"github.com/tailor-lang/tailor/interp/prim"
	"github.com/tailor-lang/tailor/interp/value"
)

// stream is the text of a tied file from its place on.
type stream struct {
	tie   *tie
	start int64 // of the text, behind a byte order mark
	enc   encoding
	chars []rune
}

// tiedFile returns the file that a tie number in an array tells.
func (in *Interp) tiedFile(number *V) (*tie, error) {
	n, err := prim.Whole(number)
	if err != nil {
		return nil, err
	}
	return in.tied(int64(n))
}

// readStream reads a tied file from its place to its end. A byte order mark at the
// start of the file goes before the encoding that is given.
func (in *Interp) readStream(number, enc *V) (*stream, error) {
	t, err := in.tiedFile(number)
	if err != nil {
		return nil, err
	}
	b, err := io.ReadAll(io.NewSectionReader(t.file, t.at, 1<<62))
	if err != nil {
		return nil, systemError("read", t.name, err)
	}
	s := &stream{tie: t, start: t.at}
	if s.chars, s.enc, err = decodeFile(b, enc); err != nil {
		return nil, err
	}
	s.start += int64(len(s.enc.mark()))
	t.at += int64(len(b))
	return s, nil
}

// stop sets the place of the file behind the first n characters of the text.
func (s *stream) stop(n int) error {
	b, err := s.enc.encode(s.chars[:n])
	s.tie.at = s.start + int64(len(b))
	return err
}

// appendStream writes text at the end of a tied file, behind a byte order mark if the
// file is empty and the encoding has one. Its result is the length of the file.
func (in *Interp) appendStream(t *tie, text string, enc encoding) (*V, error) {
	b, err := enc.encode([]rune(text))
	if err != nil {
		return nil, err
	}
	size, err := t.file.Seek(0, io.SeekEnd)
	if err == nil {
		if size == 0 {
			b = append([]byte(enc.mark()), b...)
		}
		_, err = t.file.WriteAt(b, size)
	}
	if err != nil {
		return nil, systemError("write", t.name, err)
	}
	t.at = size + int64(len(b))
	in.hide = true
	return value.Int64(t.at), nil
}

// ended returns a text with the line end behind it, unless it ends in one.
func ended(text, end string) string {
	if lines := splitLines(text); text != "" && lines[len(lines)-1].text == "" {
		return text
	}
	return text + end
}

// document returns the argument of ⎕R and ⎕S, a tied file's text for a tie number,
// and the encoding that is implied for what is written.
func (r *replacement) document(in *Interp, y *V) (doc *V, enc encoding, tied bool, err error) {
	enc.name = "UTF-8"
	if !y.Kind.Numeric() || y.Rank() != 0 {
		return y, enc, false, nil
	}
	given := r.options["InEnc"]
	if given == nil {
		given = r.options["Enc"]
	}
	if given == nil {
		given = value.Text("UTF-8")
	}
	s, err := in.readStream(y, given)
	if err != nil {
		return nil, enc, true, err
	}
	return value.Text(string(s.chars)), s.enc, true, nil
}

// outEncoding returns the encoding of what ⎕R and ⎕S write.
func (r *replacement) outEncoding(implied encoding) (encoding, error) {
	given := r.options["OutEnc"]
	if given == nil {
		given = r.options["Enc"]
	}
	if given == nil || isText(given, "Implied") {
		return implied, nil
	}
	e, _, err := encodingOf(given)
	return e, err
}

// writeMatches is ⎕S with a stream: a text for each match.
func writeMatches(found *V, end string) (string, error) {
	var out strings.Builder
	for _, v := range found.AllItems() {
		s, err := prim.TextOf(v, "what ⎕S writes")
		if err != nil {
			return "", err
		}
		out.WriteString(ended(s, end))
	}
	return out.String(), nil
}
