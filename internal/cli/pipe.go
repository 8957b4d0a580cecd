//go:build !js

package cli

import (
	"os/signal"
	"syscall"
)

// ignoreClosedPipes makes a closed pipe an error like any other.
func ignoreClosedPipes() { signal.Ignore(syscall.SIGPIPE) }
