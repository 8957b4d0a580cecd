package interp

import (
	"os"
	"os/exec"
	"strings"

	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/interp/prim"
	"github.com/tailor-lang/tailor/interp/value"
)

// shell is ⎕SH and ⎕CMD: the lines that a command of the shell writes.
func shell(in *Interp, _ *Frame, x, y *V) (*V, error) {
	command, err := prim.TextOf(y, "the command")
	switch {
	case err != nil:
		return nil, err
	case x != nil:
		return nil, prim.Errorf(diag.WrongValence, "⎕SH takes one argument")
	case in.access.Nothing != "":
		return nil, prim.Errorf(diag.SystemName, "⎕SH cannot be used: %s", in.access.Nothing)
	case !in.access.Shell:
		return nil, prim.Errorf(diag.SystemName, "⎕SH runs commands of the shell only with --allow-shell")
	}
	if err := in.out.Flush(); err != nil {
		return nil, err
	}
	c := exec.Command("sh", "-c", command)
	c.Stderr = os.Stderr
	out, err := c.Output()
	if err != nil {
		return nil, prim.Errorf(diag.WrongDomain, "the command failed: %v", err)
	}
	if len(out) == 0 {
		in.hide = true
		return value.Texts(nil), nil
	}
	return value.Texts(strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")), nil
}
