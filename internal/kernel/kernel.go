package kernel

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/signal"
	"strings"
	"sync"

	"github.com/go-zeromq/zmq4"

	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/internal/driver"
	"github.com/tailor-lang/tailor/internal/pictures"
	"github.com/tailor-lang/tailor/internal/session"
	"github.com/tailor-lang/tailor/interp"
	"github.com/tailor-lang/tailor/tail/eval"
)

// mostRows is the number of lines of a value that is not elided.
const mostRows = 60

// kernel answers the messages of one connection.
type kernel struct {
	*sockets
	version string
	session *session.Session
	stop    context.CancelFunc // of the kernel

	one sync.Mutex // held by what is answered with the session

	mutex     sync.Mutex
	interrupt context.CancelFunc // of the cell that runs, or nil

	request *message // the one that is answered
	silent  bool
	failure error // of the cell
	count   int   // of cells
}

// Run answers the connection of a file until a client ends it. Cells may do outside of the
// session what access says.
func Run(ctx context.Context, file, version string, access interp.Access) error {
	c, err := readConnection(file)
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	s, err := listen(ctx, c)
	if err != nil {
		return err
	}
	defer s.close()
	k := &kernel{sockets: s, version: version, stop: stop}
	k.open(access)
	interrupts := make(chan os.Signal, 1)
	signal.Notify(interrupts, os.Interrupt)
	defer signal.Stop(interrupts)
	go func() {
		for range interrupts {
			k.cancel()
		}
	}()
	go s.echo()
	go k.serve(ctx, s.control)
	go k.serve(ctx, s.shell)
	<-ctx.Done()
	return nil
}

// open makes the session.
func (k *kernel) open(access interp.Access) {
	s := session.New(output{k})
	s.Rows, s.Access = mostRows, access
	s.Values = func(v session.Shown) { k.display(valueData(v)) }
	s.Pictures = func(p *pictures.Picture) { k.display(pictureData(p)) }
	s.Notes = func(text string) { k.write("stdout", text+"\n") }
	s.Faults = func(err error) { k.failure = err }
	k.session = s
}

// serve answers the requests of a socket. Those of shell and control may come at the
// same time: control has what stops a cell.
func (k *kernel) serve(ctx context.Context, from zmq4.Socket) {
	for {
		raw, err := from.Recv()
		if err != nil {
			if ctx.Err() == nil {
				k.stop()
			}
			return
		}
		m, err := k.parse(raw.Frames)
		if err != nil {
			continue // not from our client
		}
		_ = k.publish(m, "status", map[string]string{"execution_state": "busy"})
		k.answer(ctx, from, m)
		_ = k.publish(m, "status", map[string]string{"execution_state": "idle"})
		if m.header.Type == "shutdown_request" {
			k.stop()
			return
		}
	}
}

// answers are the contents of the replies to requests of each type.
var answers = map[string]func(k *kernel, ctx context.Context, m *message) any{
	"kernel_info_request": (*kernel).info,
	"execute_request":     (*kernel).execute,
	"complete_request":    (*kernel).complete,
	"inspect_request":     (*kernel).inspect,
	"is_complete_request": (*kernel).isComplete,
	"history_request": func(*kernel, context.Context, *message) any {
		return map[string]any{"status": "ok", "history": []any{}}
	},
	"comm_info_request": func(*kernel, context.Context, *message) any {
		return map[string]any{"status": "ok", "comms": map[string]any{}}
	},
	"interrupt_request": func(k *kernel, _ context.Context, _ *message) any {
		k.cancel()
		return map[string]string{"status": "ok"}
	},
	"shutdown_request": func(k *kernel, _ context.Context, m *message) any {
		k.cancel()
		var asked struct {
			Restart bool `json:"restart"`
		}
		_ = json.Unmarshal(m.content, &asked)
		return map[string]any{"status": "ok", "restart": asked.Restart}
	},
}

// answer replies to a request; others than those of the table have no reply.
func (k *kernel) answer(ctx context.Context, to zmq4.Socket, m *message) {
	f := answers[m.header.Type]
	if f == nil {
		return
	}
	switch m.header.Type {
	case "interrupt_request", "shutdown_request", "kernel_info_request": // at any time
	default:
		k.one.Lock()
		defer k.one.Unlock()
	}
	_ = k.reply(to, m, strings.TrimSuffix(m.header.Type, "_request")+"_reply", f(k, ctx, m))
}

// cancel stops the cell that runs.
func (k *kernel) cancel() {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	if k.interrupt != nil {
		k.interrupt()
	}
}

func (k *kernel) info(context.Context, *message) any {
	return map[string]any{
		"status": "ok", "protocol_version": protocol, "implementation": "tailor", "implementation_version": k.version,
		"language_info": map[string]any{
			"name": "apl", "version": k.version, "mimetype": "text/apl", "file_extension": ".apl", "codemirror_mode": "apl", "pygments_lexer": "apl",
		},
		"banner":     "Tailor " + k.version + ": APL, every value with its type",
		"help_links": []any{},
	}
}

// execute runs a cell.
func (k *kernel) execute(ctx context.Context, m *message) any {
	var asked struct {
		Code   string `json:"code"`
		Silent bool   `json:"silent"`
		Store  *bool  `json:"store_history"`
	}
	if err := json.Unmarshal(m.content, &asked); err != nil {
		return map[string]any{"status": "error", "ename": "ValueError", "evalue": err.Error(), "traceback": []string{}}
	}
	k.request, k.silent, k.failure = m, asked.Silent, nil
	if !asked.Silent && (asked.Store == nil || *asked.Store) {
		k.count++
	}
	if !asked.Silent {
		_ = k.publish(m, "execute_input", map[string]any{"code": asked.Code, "execution_count": k.count})
	}
	k.run(ctx, asked.Code)
	if k.failure != nil {
		return k.failed()
	}
	return map[string]any{"status": "ok", "execution_count": k.count, "payload": []any{}, "user_expressions": map[string]any{}}
}

// run runs the text of a cell: lines that are commands by themselves, and the program
// between them.
func (k *kernel) run(ctx context.Context, text string) {
	ctx, cancel := context.WithCancel(ctx)
	k.mutex.Lock()
	k.interrupt = cancel
	k.mutex.Unlock()
	defer func() {
		k.mutex.Lock()
		k.interrupt = nil
		k.mutex.Unlock()
		cancel()
	}()
	for _, part := range k.session.Parts(text) {
		if k.failure != nil {
			return
		}
		if errors.Is(k.session.Execute(ctx, part), session.ErrLeave) {
			k.write("stdout", "shut the kernel down to leave it\n")
		}
	}
}

// failed publishes the error of a cell and returns the reply.
func (k *kernel) failed() any {
	name, text := "error", k.failure.Error()
	var all strings.Builder
	var fault *diag.Error
	var list diag.List
	switch {
	case errors.Is(k.failure, eval.ErrInterrupted):
		name, text = "interrupted", ""
		all.WriteString("interrupted")
	default:
		driver.Report(&all, k.failure)
		if errors.As(k.failure, &list) && len(list) > 0 {
			fault = list[0]
		}
		if fault != nil || errors.As(k.failure, &fault) {
			name, text = fault.Kind().String(), fault.Message
		}
	}
	about := map[string]any{"ename": name, "evalue": text, "traceback": strings.Split(strings.TrimRight(all.String(), "\n"), "\n")}
	if !k.silent {
		_ = k.publish(k.request, "error", about)
	}
	about["status"], about["execution_count"] = "error", k.count
	return about
}

// output publishes what is written.
type output struct{ kernel *kernel }

func (o output) Write(b []byte) (int, error) {
	o.kernel.write("stdout", string(b))
	return len(b), nil
}

func (k *kernel) write(stream, text string) {
	if !k.silent {
		_ = k.publish(k.request, "stream", map[string]string{"name": stream, "text": text})
	}
}

// display publishes a value by kinds of media.
func (k *kernel) display(data map[string]string) {
	if !k.silent {
		_ = k.publish(k.request, "display_data", map[string]any{"data": data, "metadata": map[string]any{}, "transient": map[string]any{}})
	}
}

// place is a text and a place in it, counted in characters.
type place struct {
	Code string `json:"code"`
	At   int    `json:"cursor_pos"`
}

func placeOf(m *message) (text []rune, at int) {
	var p place
	_ = json.Unmarshal(m.content, &p)
	text = []rune(p.Code)
	return text, min(max(p.At, 0), len(text))
}

func (k *kernel) complete(_ context.Context, m *message) any {
	text, at := placeOf(m)
	begin := at
	for begin > 0 && text[begin-1] != '\n' {
		begin--
	}
	from, found := session.NewKeyboard(session.DefaultPrefix).Complete(text[begin:at], k.session.Names())
	if found == nil {
		found = []string{}
	}
	return map[string]any{"status": "ok", "matches": found, "cursor_start": begin + from, "cursor_end": at, "metadata": map[string]any{}}
}

func (k *kernel) inspect(ctx context.Context, m *message) any {
	text, at := placeOf(m)
	said, ok := k.session.Inspect(ctx, text, at)
	data := map[string]string{}
	if ok {
		data["text/plain"] = said
	}
	return map[string]any{"status": "ok", "found": ok, "data": data, "metadata": map[string]any{}}
}

func (k *kernel) isComplete(_ context.Context, m *message) any {
	text, _ := placeOf(m)
	if session.Open(string(text)) {
		return map[string]string{"status": "incomplete", "indent": "  "}
	}
	return map[string]string{"status": "complete"}
}
