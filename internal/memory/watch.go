package memory

import (
	"math"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// reserve is left to the machine: below that, programs stop.
const reserve = 256 << 20

// short is set while less is left.
var short atomic.Bool

// Short reports whether memory is nearly used up. It costs next to nothing, so that
// what makes small arrays asks it for each.
func Short() bool { return short.Load() }

// watch looks how much is left, from now on: often where it is little.
var watch = sync.OnceFunc(func() {
	go func() {
		for {
			some := left()
			if some < reserve {
				debug.FreeOSMemory()
				some = left()
			}
			short.Store(some < reserve/2)
			if some > 16*reserve {
				time.Sleep(80 * time.Millisecond)
			} else {
				time.Sleep(20 * time.Millisecond)
			}
		}
	}()
})

// allowed is what TAILOR_MEMORY, a number of bytes, leaves of it.
func allowed() int64 {
	limit, err := strconv.ParseInt(os.Getenv("TAILOR_MEMORY"), 10, 64)
	if err != nil || limit <= 0 {
		return math.MaxInt64
	}
	return limit - resident() + reserve
}

// resident is the memory that the process has, 0 where the system does not tell.
func resident() int64 {
	text, err := os.ReadFile("/proc/self/statm")
	if fields := strings.Fields(string(text)); err == nil && len(fields) > 1 {
		pages, _ := strconv.ParseInt(fields[1], 10, 64)
		return pages * int64(os.Getpagesize())
	}
	return 0
}
