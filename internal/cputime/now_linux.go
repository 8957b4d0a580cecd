package cputime

import (
	"syscall"
	"time"
)

// now is the processor time that this thread has used.
func now() time.Duration {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_THREAD, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
