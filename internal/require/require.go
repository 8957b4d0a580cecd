// Package require compares in tests as package assert does; a test ends where
// something does not hold.
package require

import (
	"cmp"
	"testing"
	"time"

	"github.com/tailor-lang/tailor/internal/assert"
)

// end ends a test unless what was asserted holds.
func end(t testing.TB, holds bool) {
	t.Helper()
	if !holds {
		t.FailNow()
	}
}

// Eventually asks for a condition every so often, and ends the test where it does
// not hold after the time of patience.
func Eventually(t testing.TB, condition func() bool, patience, every time.Duration, about ...any) {
	t.Helper()
	for start := time.Now(); !condition(); time.Sleep(every) {
		if time.Since(start) > patience {
			end(t, assert.Fail(t, "it did not come to be", about...))
		}
	}
}

// True is assert.True, and ends the test.
func True(t testing.TB, condition bool, about ...any) {
	t.Helper()
	end(t, assert.True(t, condition, about...))
}

// False is assert.False, and ends the test.
func False(t testing.TB, condition bool, about ...any) {
	t.Helper()
	end(t, assert.False(t, condition, about...))
}

// Equal is assert.Equal, and ends the test.
func Equal(t testing.TB, want, got any, about ...any) {
	t.Helper()
	end(t, assert.Equal(t, want, got, about...))
}

// NotEqual is assert.NotEqual, and ends the test.
func NotEqual(t testing.TB, other, got any, about ...any) {
	t.Helper()
	end(t, assert.NotEqual(t, other, got, about...))
}

// Nil is assert.Nil, and ends the test.
func Nil(t testing.TB, got any, about ...any) {
	t.Helper()
	end(t, assert.Nil(t, got, about...))
}

// NotNil is assert.NotNil, and ends the test.
func NotNil(t testing.TB, got any, about ...any) {
	t.Helper()
	end(t, assert.NotNil(t, got, about...))
}

// Zero is assert.Zero, and ends the test.
func Zero(t testing.TB, got any, about ...any) {
	t.Helper()
	end(t, assert.Zero(t, got, about...))
}

// Empty is assert.Empty, and ends the test.
func Empty(t testing.TB, got any, about ...any) {
	t.Helper()
	end(t, assert.Empty(t, got, about...))
}

// NotEmpty is assert.NotEmpty, and ends the test.
func NotEmpty(t testing.TB, got any, about ...any) {
	t.Helper()
	end(t, assert.NotEmpty(t, got, about...))
}

// Len is assert.Len, and ends the test.
func Len(t testing.TB, got any, length int, about ...any) {
	t.Helper()
	end(t, assert.Len(t, got, length, about...))
}

// Contains is assert.Contains, and ends the test.
func Contains(t testing.TB, whole, part any, about ...any) {
	t.Helper()
	end(t, assert.Contains(t, whole, part, about...))
}

// NotContains is assert.NotContains, and ends the test.
func NotContains(t testing.TB, whole, part any, about ...any) {
	t.Helper()
	end(t, assert.NotContains(t, whole, part, about...))
}

// Regexp is assert.Regexp, and ends the test.
func Regexp(t testing.TB, expression, text string, about ...any) {
	t.Helper()
	end(t, assert.Regexp(t, expression, text, about...))
}

// Less is assert.Less, and ends the test.
func Less[T cmp.Ordered](t testing.TB, a, b T, about ...any) {
	t.Helper()
	end(t, assert.Less(t, a, b, about...))
}

// LessOrEqual is assert.LessOrEqual, and ends the test.
func LessOrEqual[T cmp.Ordered](t testing.TB, a, b T, about ...any) {
	t.Helper()
	end(t, assert.LessOrEqual(t, a, b, about...))
}

// Greater is assert.Greater, and ends the test.
func Greater[T cmp.Ordered](t testing.TB, a, b T, about ...any) {
	t.Helper()
	end(t, assert.Greater(t, a, b, about...))
}

// GreaterOrEqual is assert.GreaterOrEqual, and ends the test.
func GreaterOrEqual[T cmp.Ordered](t testing.TB, a, b T, about ...any) {
	t.Helper()
	end(t, assert.GreaterOrEqual(t, a, b, about...))
}

// Positive is assert.Positive, and ends the test.
func Positive[T cmp.Ordered](t testing.TB, got T, about ...any) {
	t.Helper()
	end(t, assert.Positive(t, got, about...))
}

// InDelta is assert.InDelta, and ends the test.
func InDelta(t testing.TB, want, got, delta float64, about ...any) {
	t.Helper()
	end(t, assert.InDelta(t, want, got, delta, about...))
}

// NoError is assert.NoError, and ends the test.
func NoError(t testing.TB, err error, about ...any) {
	t.Helper()
	end(t, assert.NoError(t, err, about...))
}

// Error is assert.Error, and ends the test.
func Error(t testing.TB, err error, about ...any) {
	t.Helper()
	end(t, assert.Error(t, err, about...))
}

// EqualError is assert.EqualError, and ends the test.
func EqualError(t testing.TB, err error, text string, about ...any) {
	t.Helper()
	end(t, assert.EqualError(t, err, text, about...))
}

// ErrorContains is assert.ErrorContains, and ends the test.
func ErrorContains(t testing.TB, err error, part string, about ...any) {
	t.Helper()
	end(t, assert.ErrorContains(t, err, part, about...))
}

// ErrorIs is assert.ErrorIs, and ends the test.
func ErrorIs(t testing.TB, err, target error, about ...any) {
	t.Helper()
	end(t, assert.ErrorIs(t, err, target, about...))
}

// ErrorAs is assert.ErrorAs, and ends the test.
func ErrorAs(t testing.TB, err error, target any, about ...any) {
	t.Helper()
	end(t, assert.ErrorAs(t, err, target, about...))
}
