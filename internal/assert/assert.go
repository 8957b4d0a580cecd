// Package assert compares in tests. What does not hold is an error of the test,
// which goes on; with package require it ends. Arguments behind those of a
// comparison are told with the error: a format and its operands, or one value.
//
// The package has the functions of github.com/stretchr/testify that the tests use.
// That one brings net/http and the cryptography below it: ninety packages to
// compile, vet and link, 30 s of processor time in a new clone.
package assert

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"testing"
)

// fail reports what does not hold, and returns false.
func fail(t testing.TB, what string, about []any) bool {
	t.Helper()
	switch format, ok := first(about).(string); {
	case len(about) == 1:
		what += fmt.Sprintf("\n%v", about[0])
	case len(about) > 1 && ok:
		what += "\n" + fmt.Sprintf(format, about[1:]...)
	}
	t.Error(what)
	return false
}

func first(about []any) any {
	if len(about) == 0 {
		return nil
	}
	return about[0]
}

// Fail reports a text.
func Fail(t testing.TB, text string, about ...any) bool {
	t.Helper()
	return fail(t, text, about)
}

// True reports a condition that is false.
func True(t testing.TB, condition bool, about ...any) bool {
	t.Helper()
	return condition || fail(t, "false, not true", about)
}

// False reports a condition that is true.
func False(t testing.TB, condition bool, about ...any) bool {
	t.Helper()
	return !condition || fail(t, "true, not false", about)
}

// Equal reports values that differ, as reflect.DeepEqual has it, or whose types do.
func Equal(t testing.TB, want, got any, about ...any) bool {
	t.Helper()
	return same(want, got) || fail(t, difference(want, got), about)
}

// NotEqual reports values that are equal.
func NotEqual(t testing.TB, other, got any, about ...any) bool {
	t.Helper()
	return !same(other, got) || fail(t, fmt.Sprintf("both are %s", show(got)), about)
}

func same(a, b any) bool {
	x, isBytes := a.([]byte)
	y, areBytes := b.([]byte)
	if isBytes && areBytes {
		return bytes.Equal(x, y)
	}
	return reflect.DeepEqual(a, b)
}

// difference shows two values; of texts of several lines the first that differ are
// pointed out.
func difference(want, got any) string {
	w, wantText := want.(string)
	g, gotText := got.(string)
	if !wantText || !gotText || !strings.Contains(w+g, "\n") {
		return fmt.Sprintf("got  %s\nwant %s", show(got), show(want))
	}
	a, b := strings.Split(w, "\n"), strings.Split(g, "\n")
	at := 0
	for at < min(len(a), len(b)) && a[at] == b[at] {
		at++
	}
	line := func(lines []string) string {
		if at < len(lines) {
			return fmt.Sprintf("%q", lines[at])
		}
		return "the end"
	}
	return fmt.Sprintf("line %d is %s, not %s\ngot:\n%s\nwant:\n%s", at+1, line(b), line(a), g, w)
}

func show(v any) string {
	switch v := v.(type) {
	case string:
		return fmt.Sprintf("%q", v)
	case error:
		return fmt.Sprintf("%T(%v)", v, v)
	}
	return fmt.Sprintf("%#v", v)
}

// Nil reports what is not nil.
func Nil(t testing.TB, got any, about ...any) bool {
	t.Helper()
	return isNil(got) || fail(t, show(got)+", not nil", about)
}

// NotNil reports nil.
func NotNil(t testing.TB, got any, about ...any) bool {
	t.Helper()
	return !isNil(got) || fail(t, "nil", about)
}

func isNil(v any) bool {
	if v == nil {
		return true
	}
	switch r := reflect.ValueOf(v); r.Kind() {
	case reflect.Chan, reflect.Func, reflect.Interface, reflect.Map, reflect.Pointer, reflect.Slice:
		return r.IsNil()
	}
	return false
}

// Zero reports what is not the zero value of its type.
func Zero(t testing.TB, got any, about ...any) bool {
	t.Helper()
	return got == nil || reflect.ValueOf(got).IsZero() || fail(t, show(got)+", not zero", about)
}

// Empty reports what has elements, or is not zero where it has none.
func Empty(t testing.TB, got any, about ...any) bool {
	t.Helper()
	return isEmpty(got) || fail(t, show(got)+", not empty", about)
}

// NotEmpty reports what is empty.
func NotEmpty(t testing.TB, got any, about ...any) bool {
	t.Helper()
	return !isEmpty(got) || fail(t, "empty", about)
}

func isEmpty(v any) bool {
	if v == nil {
		return true
	}
	switch r := reflect.ValueOf(v); r.Kind() {
	case reflect.Chan, reflect.Map, reflect.Slice, reflect.String:
		return r.Len() == 0
	default:
		return r.IsZero()
	}
}

// Len reports a slice, a map or a text of another length.
func Len(t testing.TB, got any, length int, about ...any) bool {
	t.Helper()
	n := reflect.ValueOf(got).Len()
	return n == length || fail(t, fmt.Sprintf("%d elements, not %d: %s", n, length, show(got)), about)
}

// Contains reports a text without a part, or a slice or a map without an element or
// a key.
func Contains(t testing.TB, whole, part any, about ...any) bool {
	t.Helper()
	return holds(whole, part) || fail(t, fmt.Sprintf("%s is not in\n%v", show(part), whole), about)
}

// NotContains reports a text with a part, or a slice or a map with an element or a
// key.
func NotContains(t testing.TB, whole, part any, about ...any) bool {
	t.Helper()
	return !holds(whole, part) || fail(t, fmt.Sprintf("%s is in\n%v", show(part), whole), about)
}

func holds(whole, part any) bool {
	switch r := reflect.ValueOf(whole); r.Kind() {
	case reflect.String:
		return strings.Contains(r.String(), reflect.ValueOf(part).String())
	case reflect.Map:
		return r.MapIndex(reflect.ValueOf(part)).IsValid()
	default:
		for i := range r.Len() {
			if same(r.Index(i).Interface(), part) {
				return true
			}
		}
		return false
	}
}

// Regexp reports a text that a regular expression does not match.
func Regexp(t testing.TB, expression, text string, about ...any) bool {
	t.Helper()
	return regexp.MustCompile(expression).MatchString(text) || fail(t, fmt.Sprintf("%q does not match %s", text, expression), about)
}

// Less reports a that is not below b.
func Less[T cmp.Ordered](t testing.TB, a, b T, about ...any) bool {
	t.Helper()
	return a < b || fail(t, fmt.Sprintf("%v is not less than %v", a, b), about)
}

// LessOrEqual reports a that is not b or below.
func LessOrEqual[T cmp.Ordered](t testing.TB, a, b T, about ...any) bool {
	t.Helper()
	return a <= b || fail(t, fmt.Sprintf("%v is greater than %v", a, b), about)
}

// Greater reports a that is not above b.
func Greater[T cmp.Ordered](t testing.TB, a, b T, about ...any) bool {
	t.Helper()
	return Less(t, b, a, about...)
}

// GreaterOrEqual reports a that is not b or above.
func GreaterOrEqual[T cmp.Ordered](t testing.TB, a, b T, about ...any) bool {
	t.Helper()
	return LessOrEqual(t, b, a, about...)
}

// Positive reports a number that is not above 0.
func Positive[T cmp.Ordered](t testing.TB, got T, about ...any) bool {
	t.Helper()
	var zero T
	return Less(t, zero, got, about...)
}

// InDelta reports a number that is further from want than delta.
func InDelta(t testing.TB, want, got, delta float64, about ...any) bool {
	t.Helper()
	return got-want <= delta && want-got <= delta || fail(t, fmt.Sprintf("%v is not within %v of %v", got, delta, want), about)
}

// NoError reports an error.
func NoError(t testing.TB, err error, about ...any) bool {
	t.Helper()
	return err == nil || fail(t, "error: "+err.Error(), about)
}

// Error reports that there is none.
func Error(t testing.TB, err error, about ...any) bool {
	t.Helper()
	return err != nil || fail(t, "no error", about)
}

// EqualError reports an error with another text.
func EqualError(t testing.TB, err error, text string, about ...any) bool {
	t.Helper()
	return Error(t, err, about...) && Equal(t, text, err.Error(), about...)
}

// ErrorContains reports an error whose text is without a part.
func ErrorContains(t testing.TB, err error, part string, about ...any) bool {
	t.Helper()
	return Error(t, err, about...) && Contains(t, err.Error(), part, about...)
}

// ErrorIs reports an error that is not target, and does not wrap it.
func ErrorIs(t testing.TB, err, target error, about ...any) bool {
	t.Helper()
	return errors.Is(err, target) || fail(t, fmt.Sprintf("error %v is not %v", err, target), about)
}

// ErrorAs stores an error of target's type in it, or reports that there is none.
func ErrorAs(t testing.TB, err error, target any, about ...any) bool {
	t.Helper()
	return errors.As(err, target) || fail(t, fmt.Sprintf("error %v is no %T", err, target), about)
}
