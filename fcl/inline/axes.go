package inline

import (
	"fmt"
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
		if rank, _ := types.Axes(p); rank == 2 {
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
	switch rank, _ := types.Axes(t); {
	case rank == 2 && isProgram:
		call = "do<grid> { r <- " + call + "; return<grid> (extents2 r, push<grid> (elements r)) }"
	case rank == 2:
		call = "let r = " + call + " in (extents2 r, push<grid> (elements r))"
	case !wrapped:
		return ""
	}
	return strings.Join([]string{"fun ", entry, params, " = ", call, "\n"}, "")
}
