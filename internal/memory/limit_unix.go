//go:build unix

package memory

import (
	"math"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// limitLeft is what the limit of the address space leaves (ulimit -v).
func limitLeft() int64 {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_AS, &limit); err != nil || uint64(limit.Cur) > math.MaxInt64/2 {
		return math.MaxInt64
	}
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return int64(limit.Cur)
	}
	pages, _ := strconv.ParseInt(strings.Fields(string(text))[0], 10, 64)
	return int64(limit.Cur) - pages*int64(os.Getpagesize())
}
