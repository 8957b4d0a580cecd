package kernel

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"os"
	"sync"

	"github.com/go-zeromq/zmq4"
)

// connection is the connection file that Jupyter writes for a kernel.
type connection struct {
	Transport string `json:"transport"`
	IP        string `json:"ip"`
	Key       string `json:"key"`
	Scheme    string `json:"signature_scheme"`
	Shell     int    `json:"shell_port"`
	Control   int    `json:"control_port"`
	IOPub     int    `json:"iopub_port"`
	Stdin     int    `json:"stdin_port"`
	Heartbeat int    `json:"hb_port"`
}

// readConnection reads a connection file.
func readConnection(file string) (*connection, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	c := &connection{}
	if err := json.Unmarshal(text, c); err != nil {
		return nil, fmt.Errorf("%s is no connection file: %w", file, err)
	}
	if c.Key != "" && c.Scheme != "" && c.Scheme != "hmac-sha256" {
		return nil, fmt.Errorf("%s: signatures by %s", file, c.Scheme)
	}
	return c, nil
}

// address returns the address of a port.
func (c *connection) address(port int) string {
	if c.Transport == "ipc" {
		return fmt.Sprintf("ipc://%s-%d", c.IP, port)
	}
	return fmt.Sprintf("tcp://%s:%d", c.IP, port)
}

// sockets are the ends of a kernel's connection.
type sockets struct {
	signer
	shell, control, stdin, beat, public zmq4.Socket
	sending                             sync.Mutex
}

// listen opens the sockets.
func listen(ctx context.Context, c *connection) (*sockets, error) {
	quiet := zmq4.WithLogger(log.New(io.Discard, "", 0)) // of clients that leave
	s := &sockets{
		signer: signer{key: []byte(c.Key), session: unique()},
		shell:  zmq4.NewRouter(ctx, quiet), control: zmq4.NewRouter(ctx, quiet), stdin: zmq4.NewRouter(ctx, quiet),
		beat: zmq4.NewRep(ctx, quiet), public: zmq4.NewPub(ctx, quiet),
	}
	for _, e := range []struct {
		socket zmq4.Socket
		port   int
	}{{s.shell, c.Shell}, {s.control, c.Control}, {s.stdin, c.Stdin}, {s.beat, c.Heartbeat}, {s.public, c.IOPub}} {
		if err := e.socket.Listen(c.address(e.port)); err != nil {
			s.close()
			return nil, fmt.Errorf("cannot listen at %s: %w", c.address(e.port), err)
		}
	}
	return s, nil
}

func (s *sockets) close() {
	for _, e := range []zmq4.Socket{s.shell, s.control, s.stdin, s.beat, s.public} {
		_ = e.Close()
	}
}

// reply answers a request where it came from.
func (s *sockets) reply(to zmq4.Socket, m *message, kind string, content any) error {
	out, err := s.frames(m.identities, kind, m, content)
	if err != nil {
		return err
	}
	s.sending.Lock()
	defer s.sending.Unlock()
	return to.SendMulti(out)
}

// publish tells all clients.
func (s *sockets) publish(m *message, kind string, content any) error {
	out, err := s.frames([][]byte{[]byte(kind)}, kind, m, content)
	if err != nil {
		return err
	}
	s.sending.Lock()
	defer s.sending.Unlock()
	return s.public.SendMulti(out)
}

// echo answers heartbeats.
func (s *sockets) echo() {
	for {
		m, err := s.beat.Recv()
		if err != nil {
			return
		}
		if s.beat.Send(m) != nil {
			return
		}
	}
}
