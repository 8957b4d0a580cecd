package lsp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"github.com/tailor-lang/tailor/internal/profile"
)

// profileCommand runs a document's program and says what its lines cost: in lenses, and
// in its answer, by which editors colour the lines. Its arguments are the document's URI
// and, where it is not auto, the target.
const profileCommand = "tailor.profile"

// runsLong are the requests that others do not wait for.
func runsLong(req jsonrpc2.Request) bool {
	var p protocol.ExecuteCommandParams
	return req.Method() == protocol.MethodWorkspaceExecuteCommand && json.Unmarshal(req.Params(), &p) == nil && p.Command == profileCommand
}

// costs is the profile of a document, of the text that it had.
type costs struct {
	text string
	file profile.File
}

// profiled runs tailor run --profile; a variable for tests.
var profiled = func(ctx context.Context, name, target string) (*profile.File, error) {
	tailor, err := os.Executable()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "tailor-lsp-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	made := filepath.Join(dir, "profile.json")
	cmd := exec.CommandContext(ctx, tailor, "run", "--profile="+made, "--target", target, name)
	cmd.Dir = filepath.Dir(name)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr // its output is not wanted, and input it has none
	failure := cmd.Run()
	text, err := os.ReadFile(made)
	if err != nil {
		if stderr.Len() > 0 {
			return nil, errors.New(stderr.String())
		}
		return nil, failure
	}
	f := &profile.File{}
	return f, json.Unmarshal(text, f)
}

// profile runs the program of a document, which has to be saved.
func (s *server) profile(ctx context.Context, args []any) (any, error) {
	uri, target := "", "auto"
	for i, to := range []*string{&uri, &target} {
		if i < len(args) {
			*to, _ = args[i].(string)
		}
	}
	d, _, err := s.look(protocol.DocumentURI(uri))
	if err != nil {
		return nil, err
	}
	name := d.uri.Filename()
	if saved, err := os.ReadFile(name); err != nil || string(saved) != d.src.Text {
		return nil, errors.New("the program is not saved: the file is what is run")
	}
	f, err := profiled(ctx, name, target)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	if o := s.docs[d.uri]; o != nil {
		o.costs = &costs{d.src.Text, *f}
	}
	s.mu.Unlock()
	s.refresh(ctx)
	return f, nil
}

// lensesOf returns what the lines of a document cost, where the text is still the one
// that was run.
func (c *costs) lensesOf(d *document) (all []protocol.CodeLens) {
	if c == nil || c.text != d.src.Text {
		return nil
	}
	for _, r := range c.file.Lines {
		if r.Joined || r.Line < 1 || r.Line > len(d.lines) {
			continue
		}
		start := d.lines[r.Line-1]
		all = append(all, protocol.CodeLens{
			Range:   d.span(start, start+len(d.line(r.Line-1))),
			Command: &protocol.Command{Title: r.Brief(), Command: showCommand, Arguments: []any{r.Brief() + fmt.Sprintf("; the run took %s on target %s", profile.Seconds(c.file.Seconds), c.file.Target)}},
		})
	}
	return all
}
