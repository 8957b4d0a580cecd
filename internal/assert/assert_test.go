package assert

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
)

// record is a test that notes what is reported.
type record struct {
	testing.TB
	text string
}

func (r *record) Helper()           {}
func (r *record) Error(args ...any) { r.text += fmt.Sprint(args...) }

// TestAssertions wants nothing of what holds, and a report of what does not.
func TestAssertions(t *testing.T) {
	wrapped := fmt.Errorf("reading: %w", io.EOF)
	var target *record
	for i, c := range []struct {
		holds bool
		try   func(t testing.TB) bool
		says  string
	}{
		{true, func(t testing.TB) bool { return Equal(t, []int{1}, []int{1}) }, ""},
		{true, func(t testing.TB) bool { return Equal(t, []byte(nil), []byte{}) }, ""},
		{false, func(t testing.TB) bool { return Equal(t, 1, int64(1)) }, "want 1"},
		{false, func(t testing.TB) bool { return Equal(t, "a\nb\n", "a\nc\n", "case %d", 7) }, `line 2 is "c", not "b"`},
		{false, func(t testing.TB) bool { return Equal(t, "a\nb", "a") }, "line 2 is the end"},
		{false, func(t testing.TB) bool { return NotEqual(t, "x", "x") }, `"x"`},
		{true, func(t testing.TB) bool { return Nil(t, (*record)(nil)) }, ""},
		{false, func(t testing.TB) bool { return NotNil(t, nil) }, "nil"},
		{false, func(t testing.TB) bool { return Zero(t, 3) }, "3, not zero"},
		{true, func(t testing.TB) bool { return Empty(t, []int{}) }, ""},
		{false, func(t testing.TB) bool { return NotEmpty(t, "") }, "empty"},
		{false, func(t testing.TB) bool { return Len(t, "abc", 2) }, "3 elements, not 2"},
		{true, func(t testing.TB) bool { return Contains(t, []string{"a", "b"}, "b") }, ""},
		{true, func(t testing.TB) bool { return Contains(t, map[string]int{"a": 0}, "a") }, ""},
		{false, func(t testing.TB) bool { return Contains(t, "abc", "x") }, `"x" is not in`},
		{false, func(t testing.TB) bool { return NotContains(t, "abc", "b") }, `"b" is in`},
		{false, func(t testing.TB) bool { return Regexp(t, "^b", "abc") }, "does not match"},
		{false, func(t testing.TB) bool { return Less(t, 2, 2) }, "2 is not less than 2"},
		{true, func(t testing.TB) bool { return GreaterOrEqual(t, 2, 2) }, ""},
		{false, func(t testing.TB) bool { return Positive(t, -1.5) }, "0 is not less than -1.5"},
		{false, func(t testing.TB) bool { return InDelta(t, 1, 2, 0.5) }, "2 is not within 0.5 of 1"},
		{false, func(t testing.TB) bool { return NoError(t, io.EOF, "reading") }, "error: EOF\nreading"},
		{false, func(t testing.TB) bool { return Error(t, nil) }, "no error"},
		{false, func(t testing.TB) bool { return ErrorContains(t, io.EOF, "x") }, `"x" is not in`},
		{false, func(t testing.TB) bool { return EqualError(t, io.EOF, "eof") }, `want "eof"`},
		{true, func(t testing.TB) bool { return ErrorIs(t, wrapped, io.EOF) }, ""},
		{false, func(t testing.TB) bool { return ErrorIs(t, io.EOF, wrapped) }, "is not"},
		{false, func(t testing.TB) bool { return ErrorAs(t, errors.New("e"), &struct{ error }{}) }, "is no"},
		{false, func(t testing.TB) bool { return True(t, false, "why %d", 1) }, "why 1"},
		{false, func(t testing.TB) bool { return False(t, true) }, "true, not false"},
	} {
		target = &record{TB: t}
		if holds := c.try(target); holds != c.holds || (target.text == "") != c.holds || !strings.Contains(target.text, c.says) {
			t.Errorf("case %d: %v, reported %q, not %q", i, holds, target.text, c.says)
		}
	}
}
