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
// the limits of the process, of its control group and of TAILOR_MEMORY. A part is
// left to the machine; see reserve.
func Available() int64 {
	return max(0, min(left(), limitLeft()))
}

// left is Available without the limit of the address space, of which the process
// has more than it uses.
func left() int64 {
	free := meminfo("MemAvailable:")
	if free < 0 {
		free = unknown
	}
	return min(free, groupLeft(), allowed())
}

// Room reports whether an array of n bytes can be made; before it says no it
// gives back what is garbage.
func Room(n int64) bool {
	if n <= Available()-reserve {
		return true
	}
	debug.FreeOSMemory()
	return n <= Available()-reserve
}

// collectAt is how much the heap grows, in percent, before garbage is collected, where
// GOGC does not say it: what compilers and interpreters allocate is many and short-lived.
const collectAt = 400

// Bound has garbage collected seldom, but in time where little memory is left, and Short
// tell when it is used up.
func Bound() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(collectAt)
	}
	debug.SetMemoryLimit(max(Available()-reserve, reserve) / 10 * 8)
	watch()
}

// meminfo returns a line of /proc/meminfo in bytes, -1 where there is none.
func meminfo(name string) int64 {
	kib := entry("/proc/meminfo", name)
	if kib < 0 {
		return -1
	}
	return kib << 10
}

// groupLeft is what the control group leaves. What the system keeps of files counts
// as used there, and is given back.
func groupLeft() int64 {
	for _, g := range [][4]string{
		{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current", "/sys/fs/cgroup/memory.stat", "file "},
		{"/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/memory/memory.usage_in_bytes", "/sys/fs/cgroup/memory/memory.stat", "total_cache "},
	} {
		most, ok := number(g[0])
		used, known := number(g[1])
		if ok && known {
			return leaves(most, used, entry(g[2], g[3]))
		}
	}
	return math.MaxInt64
}

// leaves is what a limit leaves beside what is used, part of which is given back. That may
// be more than all: the system counts them at different times.
func leaves(most, used, given int64) int64 { return most - max(0, used-max(0, given)) }

// entry returns the number in a line of a file, -1 where there is none.
func entry(file, name string) int64 {
	text, err := os.ReadFile(file)
	if err != nil {
		return -1
	}
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, name); ok {
			if n, err := strconv.ParseInt(strings.Fields(rest)[0], 10, 64); err == nil {
				return n
			}
		}
	}
	return -1
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
