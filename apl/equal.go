package apl

import (
	"reflect"

	"github.com/tailor-lang/tailor/internal/diag"
)

// Equal reports whether two trees are the same but for their spans.
func Equal(a, b Node) bool { return same(reflect.ValueOf(a), reflect.ValueOf(b)) }

var (
	spanType   = reflect.TypeOf(diag.Span{})
	sourceType = reflect.TypeOf(&diag.Source{})
)

// same compares two values field by field, leaving out spans, sources, and
// what is not exported.
func same(a, b reflect.Value) bool {
	if a.IsValid() != b.IsValid() {
		return false
	}
	if !a.IsValid() {
		return true
	}
	if a.Type() != b.Type() {
		return false
	}
	if t := a.Type(); t == spanType || t == sourceType {
		return true
	}
	switch a.Kind() {
	case reflect.Interface, reflect.Pointer:
		if a.IsNil() || b.IsNil() {
			return a.IsNil() == b.IsNil()
		}
		return same(a.Elem(), b.Elem())
	case reflect.Struct:
		for i := range a.NumField() {
			if a.Type().Field(i).IsExported() && !same(a.Field(i), b.Field(i)) {
				return false
			}
		}
		return true
	case reflect.Slice:
		if a.Len() != b.Len() {
			return false
		}
		for i := range a.Len() {
			if !same(a.Index(i), b.Index(i)) {
				return false
			}
		}
		return true
	}
	return a.Equal(b)
}
