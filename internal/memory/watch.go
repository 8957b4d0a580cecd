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

// allowed is what TAILOR_MEMORY leaves of it.
func allowed() int64 {
	limit, ok := asked(os.Getenv("TAILOR_MEMORY"))
	if !ok {
		return math.MaxInt64
	}
	return limit - resident() + reserve
}

// asked reads a number of bytes, or of what a K, M, G or T behind it says.
func asked(text string) (limit int64, ok bool) {
	digits := strings.TrimRight(text, "KMGTBikmgtb")
	limit, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || limit <= 0 {
		return 0, false
	}
	if unit := strings.TrimPrefix(text, digits); unit != "" {
		if shift := 10 * (1 + strings.Index("KMGT", strings.ToUpper(unit[:1]))); limit < math.MaxInt64>>shift {
			return limit << shift, true
		}
		return math.MaxInt64 / 2, true
	}
	return limit, true
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
