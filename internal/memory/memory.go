// Package memory says how much memory this process may still take, so that
// arrays are refused before the system ends the process.
package memory

import (
	"math"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
)

// unknown is the answer where the system does not tell.
const unknown = 8 << 30

// Available returns how many bytes are left: what the machine has free, within
// the limits of the process and of its control group.
func Available() int64 {
	free := meminfo("MemAvailable:")
	if free < 0 {
		free = unknown
	}
	return max(0, min(free, groupLeft(), limitLeft()))
}

// Room reports whether an array of n bytes can be made; before it says no it
// gives back what is garbage.
func Room(n int64) bool {
	if n <= Available() {
		return true
	}
	debug.FreeOSMemory()
	return n <= Available()
}

// Bound has garbage collected in time where little memory is left.
func Bound() { debug.SetMemoryLimit(Available() / 10 * 8) }

// meminfo returns a line of /proc/meminfo in bytes, -1 where there is none.
func meminfo(name string) int64 {
	text, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return -1
	}
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, name); ok {
			kib, err := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
			if err == nil {
				return kib << 10
			}
		}
	}
	return -1
}

// groupLeft is what the control group leaves.
func groupLeft() int64 {
	for _, g := range [][2]string{
		{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"},
		{"/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/memory/memory.usage_in_bytes"},
	} {
		most, ok := number(g[0])
		used, known := number(g[1])
		if ok && known {
			return most - used
		}
	}
	return math.MaxInt64
}

// number returns the number in a file; false where there is none, as in one
// that says "max".
func number(name string) (int64, bool) {
	text, err := os.ReadFile(name)
	if err != nil {
		return 0, false
	}
	n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
	return n, err == nil
}
