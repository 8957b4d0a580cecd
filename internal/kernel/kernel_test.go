package kernel

import (
	"bytes"
	"encoding/json"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-zeromq/zmq4"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/internal/sampling"
	"github.com/tailor-lang/tailor/interp"
)

// free returns ports that nobody uses.
func free(t *testing.T, n int) []int {
	var ports []int
	for range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		require.NoError(t, err)
		defer l.Close()
		ports = append(ports, l.Addr().(*net.TCPAddr).Port)
	}
	return ports
}

// client is a client in this process.
type client struct {
	*testing.T
	signer
	shell, control, public zmq4.Socket
	ended                  chan error
}

// start runs a kernel and a client of it.
func start(t *testing.T) *client {
	p := free(t, 5)
	c := connection{Transport: "tcp", IP: "127.0.0.1", Key: "secret", Scheme: "hmac-sha256", Shell: p[0], Control: p[1], IOPub: p[2], Stdin: p[3], Heartbeat: p[4]}
	text, err := json.Marshal(c)
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "connection.json")
	require.NoError(t, os.WriteFile(file, text, 0o600))
	k := &client{T: t, signer: signer{key: []byte("secret"), session: unique()}, ended: make(chan error, 1)}
	go func() { k.ended <- Run(t.Context(), file, "test", interp.Access{Dir: t.TempDir()}) }()
	k.shell, k.control, k.public = zmq4.NewDealer(t.Context()), zmq4.NewDealer(t.Context()), zmq4.NewSub(t.Context())
	for port, s := range map[int]zmq4.Socket{c.Shell: k.shell, c.Control: k.control, c.IOPub: k.public} {
		require.Eventually(t, func() bool { return s.Dial(c.address(port)) == nil }, 10*time.Second, 10*time.Millisecond)
	}
	require.NoError(t, k.public.SetOption(zmq4.OptionSubscribe, ""))
	return k
}

// send sends a request, and reply waits for an answer.
func (c *client) send(to zmq4.Socket, kind string, content any) {
	c.Helper()
	m, err := c.frames(nil, kind, nil, content)
	require.NoError(c, err)
	require.NoError(c, to.SendMulti(m))
}

func (c *client) reply(from zmq4.Socket) (kind string, content map[string]any) {
	c.Helper()
	raw, err := from.Recv()
	require.NoError(c, err)
	m, err := c.parse(raw.Frames)
	require.NoError(c, err)
	require.NoError(c, json.Unmarshal(m.content, &content))
	return m.header.Type, content
}

// A cell is answered, an endless one is interrupted by control, and files outside of the
// directory are refused.
func TestRequests(t *testing.T) {
	c := start(t)
	c.send(c.shell, "kernel_info_request", map[string]any{})
	kind, info := c.reply(c.shell)
	assert.Equal(t, "kernel_info_reply", kind)
	assert.Equal(t, protocol, info["protocol_version"])
	c.send(c.shell, "execute_request", map[string]any{"code": "2 3⍴⍳6"})
	_, done := c.reply(c.shell)
	assert.Equal(t, "ok", done["status"])
	for {
		kind, content := c.reply(c.public)
		if kind == "display_data" {
			data := content["data"].(map[string]any)
			assert.Equal(t, "1 2 3\n4 5 6\n[int]2 · 2 3", data["text/plain"])
			assert.Contains(t, data["text/html"], "<table><tr><td>1</td><td>2</td><td>3</td></tr>")
			break
		}
	}
	c.send(c.shell, "execute_request", map[string]any{"code": "2 2⍴'ann' 31 'bob'(1 2)"}) // nested, with a type
	_, done = c.reply(c.shell)
	assert.Equal(t, "ok", done["status"])
	for {
		kind, content := c.reply(c.public)
		if kind == "display_data" {
			data := content["data"].(map[string]any)
			assert.Contains(t, data["text/html"], "<table><tr><td>ann</td><td>31</td></tr><tr><td>bob</td><td>1 2</td></tr></table>")
			break
		}
	}
	c.send(c.shell, "execute_request", map[string]any{"code": "⊃⎕NGET '/etc/hostname'"})
	_, done = c.reply(c.shell)
	assert.Contains(t, done["evalue"], "outside of the program's directory")
	c.send(c.shell, "execute_request", map[string]any{"code": "{⍵}⍣{0}1"})
	time.Sleep(200 * time.Millisecond)
	c.send(c.control, "interrupt_request", map[string]any{})
	_, done = c.reply(c.shell)
	assert.Equal(t, "interrupted", done["ename"])
	kind, _ = c.reply(c.control)
	assert.Equal(t, "interrupt_reply", kind)
	c.send(c.control, "shutdown_request", map[string]any{"restart": false})
	kind, _ = c.reply(c.control)
	assert.Equal(t, "shutdown_reply", kind)
	assert.NoError(t, <-c.ended)
}

// Messages with a wrong signature, or without a form, are not read.
func TestSignatures(t *testing.T) {
	s := &signer{key: []byte("k"), session: "s"}
	m, err := s.frames([][]byte{[]byte("id")}, "execute_request", nil, map[string]string{"code": "1"})
	require.NoError(t, err)
	got, err := s.parse(m.Frames)
	require.NoError(t, err)
	assert.Equal(t, "execute_request", got.header.Type)
	assert.Equal(t, "id", string(got.identities[0]))
	_, err = (&signer{key: []byte("other")}).parse(m.Frames)
	assert.ErrorIs(t, err, errSignature)
	m.Frames[len(m.Frames)-1] = []byte(`{"code":"2"}`)
	_, err = s.parse(m.Frames)
	assert.ErrorIs(t, err, errSignature)
	_, err = s.parse(m.Frames[:3])
	assert.ErrorIs(t, err, errForm)
}

// installed builds tailor, installs its kernel in a folder of its own, and returns the
// environment in which Jupyter finds it.
func installed(t *testing.T) (env []string, python string) {
	if !sampling.All() {
		t.Skip("the kernel is tried with Jupyter's clients by make test-all (" + sampling.Variable + "=all)")
	}
	python = "/usr/bin/python3" // of the system, which has Debian's packages
	if err := exec.Command(python, "-c", "import jupyter_client, nbclient, nbformat").Run(); err != nil {
		t.Skip("Jupyter's clients are not installed (Debian's packages python3-jupyter-client and python3-nbclient)")
	}
	dir := t.TempDir()
	tailor := filepath.Join(dir, "tailor")
	out, err := exec.Command("go", "build", "-o", tailor, "../../cmd/tailor").CombinedOutput()
	require.NoError(t, err, string(out))
	env = append(os.Environ(), "JUPYTER_DATA_DIR="+filepath.Join(dir, "data"), "JUPYTER_RUNTIME_DIR="+filepath.Join(dir, "run"), "HOME="+dir)
	install := exec.Command(tailor, "kernel", "--install")
	install.Env = env
	out, err = install.CombinedOutput()
	require.NoError(t, err, string(out))
	assert.Contains(t, string(out), filepath.Join(dir, "data", "kernels", "tailor"))
	return env, python
}

// answered is what client.py prints of a cell.
type answered struct {
	Out   [][2]any
	Reply map[string]any
}

// TestJupyter uses the kernel as Jupyter's clients do.
func TestJupyter(t *testing.T) {
	env, python := installed(t)
	cells := []string{"temperature←20", "mean←{(+⌿⍵)÷≢⍵} ⍝: [double]r+1 → [double]r", "mean 3 2⍴⍳6", "x←1\n\n1 2 3+4 5", "⎕←'written'", "2 2⍴{⍵>2:⍵ ⋄ 'ab'}¨1 5", "⎕PLOT 1 4 9", "]vars", "⊃⎕NGET '/etc/passwd'", "⎕SH 'ls'"}
	in, err := json.Marshal(map[string]any{"cells": cells})
	require.NoError(t, err)
	cmd := exec.Command(python, "testdata/client.py")
	var stderr bytes.Buffer
	cmd.Env, cmd.Stdin, cmd.Stderr = env, bytes.NewReader(in), &stderr
	out, err := cmd.Output()
	require.NoError(t, err, stderr.String())
	var all map[string]json.RawMessage
	require.NoError(t, json.Unmarshal(out, &all), string(out))
	text := func(name string) string { return string(all[name]) }
	cell := func(code string) (a answered) {
		require.NoError(t, json.Unmarshal(all[code], &a), code)
		return a
	}
	assert.Contains(t, text("info"), `"apl"`)
	assert.Equal(t, "ok", cell("temperature←20").Reply["status"])
	assert.Contains(t, text(cells[1]), "[double]r+1")
	assert.Equal(t, "3 4\n[double]1 \u00b7 2", cell(cells[2]).Out[0][1].(map[string]any)["text/plain"])
	fault := cell(cells[3])
	assert.Equal(t, "LENGTH ERROR", fault.Reply["ename"])
	assert.Contains(t, strings.Join(strings.Fields(text(cells[3])), " "), "3 | 1 2 3+4 5")
	assert.Contains(t, text(cells[4]), `written`)
	assert.Contains(t, text(cells[5]), "<table>")
	assert.Contains(t, text(cells[6]), "image/svg+xml")
	assert.Contains(t, text(cells[7]), "temperature")
	assert.Contains(t, text(cells[8]), "outside of the program's directory")
	assert.Contains(t, text(cells[9]), "--allow-shell")
	assert.Contains(t, text("complete"), `"cursor_start": 4`)
	assert.Contains(t, text("complete"), `\u2374`)
	assert.Contains(t, text("names"), `"temperature"`)
	assert.Contains(t, text("inspect"), `temperature : [int]0`)
	assert.Contains(t, text("glyph"), "reshape")
	assert.Contains(t, text("function"), "mean : [double]r+1")
	assert.Contains(t, text("nothing"), `"found": false`)
	assert.Contains(t, text("open"), "incomplete")
	assert.Contains(t, text("whole"), `"complete"`)
	assert.Contains(t, text("interrupt"), "interrupted")
	assert.Contains(t, text("afterwards"), "21")
	assert.Equal(t, "true", text("ended"))
	t.Logf("interrupted after %s s, %s s a cell", text("interrupted after"), text("seconds a cell"))
}

// TestConsole types lines into jupyter console.
func TestConsole(t *testing.T) {
	env, python := installed(t)
	if err := exec.Command(python, "-c", "import jupyter_console").Run(); err != nil {
		t.Skip("jupyter console is not installed (Debian's package python3-jupyter-console)")
	}
	cmd := exec.Command(python, "-m", "jupyter_console", "--kernel", "tailor", "--simple-prompt")
	cmd.Env, cmd.Stdin = env, strings.NewReader("x←3 4⍴⍳12\n+/x\nx[9;9]\n⍴x\n")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
	assert.Contains(t, string(out), "10 26 42\n[int]1")
	assert.Contains(t, string(out), "INDEX ERROR: index 9 is outside 1…3 on axis 1 [E0501]")
	assert.Contains(t, string(out), "3 4\n[int]1")
}

// TestNotebook executes the notebook of the examples, whose texts are those in the file.
func TestNotebook(t *testing.T) {
	env, python := installed(t)
	const file = "../../examples/notebook/tour.ipynb"
	args := []string{"testdata/notebook.py", file}
	if to := os.Getenv("TAILOR_NOTEBOOK"); to != "" {
		args = append(args, to)
	}
	cmd := exec.Command(python, args...)
	var stderr bytes.Buffer
	cmd.Env, cmd.Stderr = env, &stderr
	out, err := cmd.Output()
	require.NoError(t, err, stderr.String())
	var shown [][]string
	require.NoError(t, json.Unmarshal(out, &shown), string(out))
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	var book struct {
		Cells []struct {
			Type    string `json:"cell_type"`
			Outputs []struct {
				Text lines
				Data map[string]lines
			}
		}
	}
	require.NoError(t, json.Unmarshal(text, &book))
	var want [][]string
	for _, c := range book.Cells {
		if c.Type != "code" {
			continue
		}
		of := []string{}
		for _, o := range c.Outputs {
			if said := string(o.Text) + string(o.Data["text/plain"]); said != "" {
				of = append(of, said)
			}
		}
		want = append(want, of)
	}
	require.Greater(t, len(want), 5)
	assert.Equal(t, want, shown)
}

// lines is a text of a notebook, which may be cut into lines.
type lines string

func (l *lines) UnmarshalJSON(b []byte) error {
	var all []string
	if json.Unmarshal(b, &all) == nil {
		*l = lines(strings.Join(all, ""))
		return nil
	}
	var one string
	_ = json.Unmarshal(b, &one) // data of other kinds are no text
	*l = lines(one)
	return nil
}
