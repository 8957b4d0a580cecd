package compile

import (
	"fmt"
	"strings"

	"github.com/tailor-lang/tailor/fcl/kernel"
)

// Text returns the plan as text: the host's part as a comment, and the kernels.
func (p *Plan) Text() string {
	var b strings.Builder
	b.WriteString("/* host:\n")
	b.WriteString(kernel.HostText(p.Host))
	b.WriteString("*/\n")
	return b.String() + kernel.Text(p.Kernels)
}

// String describes an input.
func (in *Input) String() string {
	switch {
	case in.Value != nil:
		return in.Value.String()
	case in.Var != nil:
		return in.Var.Name
	}
	return fmt.Sprintf("%s[%s]", in.Array.Name, in.Len.Name)
}
