// Package cputime measures the processor time of functions, for tests of how long
// something takes that hold on a busy machine, too.
package cputime

import (
	"runtime"
	"time"
)

// Of returns the processor time that f takes in its own goroutine; where the
// system does not tell, the time that passes.
func Of(f func()) time.Duration {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	start := now()
	f()
	return now() - start
}
