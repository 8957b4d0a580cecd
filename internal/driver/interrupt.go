package driver

import (
	"os"
	"os/signal"
	"path/filepath"
	"sync"
	"time"
)

// pending is what has to go when this process does: directories of unfinished
// work, and the compilers that write there.
var pending = struct {
	sync.Mutex
	paths map[string]bool
	stop  map[*os.Process]*Compiler
	child *os.Process // see RunChild
}{paths: map[string]bool{}, stop: map[*os.Process]*Compiler{}}

// remember has a path removed when the process ends or is interrupted.
func remember(path string) {
	watchSignals()
	pending.Lock()
	defer pending.Unlock()
	pending.paths[path] = true
}

// forget removes a path that was remembered.
func forget(path string) {
	os.RemoveAll(path)
	pending.Lock()
	defer pending.Unlock()
	delete(pending.paths, path)
}

// CleanUp stops compilers that run and removes what they have written, and the
// directory of programs that are not kept.
func CleanUp() {
	pending.Lock()
	defer pending.Unlock()
	cleanUp()
}

func cleanUp() {
	for p := range pending.stop {
		killGroup(p)
	}
	for path := range pending.paths {
		for try := 0; os.RemoveAll(path) != nil && try < 100; try++ { // a compiler that dies may still write
			time.Sleep(10 * time.Millisecond)
		}
	}
	clear(pending.paths)
}

// willGo reports whether a file is removed by CleanUp.
func willGo(path string) bool {
	pending.Lock()
	defer pending.Unlock()
	return pending.paths[filepath.Dir(path)]
}

// Interactive says that the process handles SIGINT by itself.
var Interactive bool

// watchSignals makes signals that end the process clean up first.
var watchSignals = sync.OnceFunc(func() {
	signals := make(chan os.Signal, 1)
	for _, s := range endings {
		if !signal.Ignored(s) && (s != os.Interrupt || !Interactive) {
			signal.Notify(signals, s)
		}
	}
	go func() {
		s := <-signals
		for passOn(s) {
			s = <-signals
		}
		pending.Lock() // for good: what waits for a compiler goes no further
		cleanUp()
		endBy(s)
	}()
})
