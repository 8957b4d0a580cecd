package cli

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/tailor-lang/tailor/page"
)

func playCommand() *cobra.Command {
	port := 8080
	cmd := &cobra.Command{
		Use:   "play",
		Short: "Serve the page in which programs run in the browser",
		Long: `Play serves a page with an editor, the values, types and code of programs, and a
tutorial. Programs run in the browser, with neither files nor a shell; this
process only hands out the page, and only to this machine.`,
		Example: `  tailor play
  tailor play --port 0`,
		Args: argsBetween(0, 0, "no arguments"),
		RunE: func(cmd *cobra.Command, args []string) error { return play(cmd, port) },
	}
	cmd.Flags().IntVar(&port, "port", port, "where the page is served; 0 takes a free port")
	return cmd
}

// play serves the page until it is interrupted.
func play(cmd *cobra.Command, port int) error {
	if !page.Built() {
		return errors.New("this tailor was built without the page: make page builds page/site, which every web server can serve; a tailor that is built behind it (make build) has the page in it")
	}
	at, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err != nil {
		return fmt.Errorf("cannot serve the page: %w; --port takes another port", err)
	}
	fmt.Fprintf(cmd.OutOrStdout(), "http://%s/\n", at.Addr())
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	server := &http.Server{Handler: page.Handler(page.Files()), ReadHeaderTimeout: 5 * time.Second}
	defer context.AfterFunc(ctx, func() { server.Close() })()
	if err := server.Serve(at); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
