package inline

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tailor-lang/tailor/fcl/types"
)

// entry is the function that calls are of, where main has arrays of two axes.
const entry = "main'"

// flattened returns the text of a function that calls main with arrays of two axes where it gets
// their extents and elements, and gives extents and elements where main gives such an
// array; "" where main has none. Other types of arguments and results stay as they are.
//
//	fun main' (e1, x1) = let r = main (matrix e1 x1) in (extents2 r, push<grid> (elements r))
func flattened(main types.Type) string {
	params, args := "", ""
	wrapped := false
	t := types.Find(main)
	for i, p := range parameters(main) {
		if isMatrix(p) {
			params += fmt.Sprintf(" (e%d, x%d)", i, i)
			args += fmt.Sprintf(" (matrix e%d x%d)", i, i)
			wrapped = true
		} else {
			params += fmt.Sprintf(" p%d", i)
			args += fmt.Sprintf(" p%d", i)
		}
		t = types.Find(t.(*types.Fun).To)
	}
	call := "main" + args
	program, isProgram := t.(*types.Program)
	if isProgram {
		t = program.Of
	}
	switch matrix := isMatrix(t); {
	case matrix && isProgram:
		call = "do<grid> { r <- " + call + "; return<grid> (extents2 r, push<grid> (elements r)) }"
	case matrix:
		call = "let r = " + call + " in (extents2 r, push<grid> (elements r))"
	case !wrapped:
		return ""
	}
	return strings.Join([]string{"fun ", entry, params, " = ", call, "\n"}, "")
}

// isMatrix reports whether a type is that of arrays of two axes, or may be where variables are ints.
func isMatrix(t types.Type) bool {
	pair, ok := types.Find(t).(*types.Tuple)
	if !ok || len(pair.Items) != 2 {
		return false
	}
	at, ok := types.Find(pair.Items[1]).(*types.Fun)
	return ok && isPlace(pair.Items[0]) && isPlace(at.From)
}

// isPlace reports whether a type is that of two ints, or may be.
func isPlace(t types.Type) bool {
	pair, ok := types.Find(t).(*types.Tuple)
	return ok && len(pair.Items) == 2 && !slices.ContainsFunc(pair.Items, func(x types.Type) bool {
		_, free := types.Find(x).(*types.Var)
		return !free && types.Find(x) != types.Int
	})
}
