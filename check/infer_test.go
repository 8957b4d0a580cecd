package check

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/infer"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/internal/transcript"
)

// TestSchemes holds inferred types to the golden file.
func TestSchemes(t *testing.T) {
	transcript.Check(t, "testdata/schemes.txt", *update, func(source string) string {
		tree, err := apl.Parse(diag.NewSource("a", source))
		require.NoError(t, err)
		all, err := infer.Schemes(tree, infer.Options{})
		require.NoError(t, err)
		var out strings.Builder
		WriteSchemes(&out, all)
		return out.String()
	})
}

// TestAnnotate writes the types into the programs and compares the trees.
func TestAnnotate(t *testing.T) {
	files, err := filepath.Glob("../testdata/programs/*.apl")
	require.NoError(t, err)
	files = append(files, "testdata/layout.apl")
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		before, err := apl.Parse(diag.NewSource(file, string(text)))
		require.NoError(t, err)
		all, err := infer.Schemes(before, infer.Options{})
		require.NoError(t, err)
		after, written := Annotate(before, all)
		if written == 0 {
			assert.Equal(t, string(text), after)
			continue
		}
		tree, err := apl.Parse(diag.NewSource(file, after))
		require.NoError(t, err, after)
		r := Program(tree, infer.Options{})
		require.NoError(t, r.Errors.Err(), after)
		again, err := infer.Schemes(tree, infer.Options{})
		require.NoError(t, err)
		assert.Equal(t, len(all)-written, len(again), file)
		strip(reflect.ValueOf(before))
		strip(reflect.ValueOf(tree))
		assert.True(t, apl.Equal(before, tree), after)
	}
}

// strip takes the annotations out of a tree.
func strip(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return
		}
		if v.Type() == reflect.TypeOf(&apl.Annotation{}) && v.CanSet() {
			v.SetZero()
			return
		}
		if v.Type() != reflect.TypeOf(&diag.Source{}) {
			strip(v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				strip(v.Field(i))
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			strip(v.Index(i))
		}
	}
}
