package driver

import (
	"errors"
	"os"
	"os/exec"
)

// RunChild runs a program that gets the signals which would end this process, and
// returns its exit status: 128 and the number of the signal where one ended it.
func RunChild(child *exec.Cmd) (status int, err error) {
	watchSignals()
	pending.Lock()
	err = child.Start()
	if err == nil {
		pending.child = child.Process
	}
	pending.Unlock()
	if err != nil {
		return 0, err
	}
	err = child.Wait()
	pending.Lock()
	pending.child = nil
	pending.Unlock()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return statusOf(exit.ProcessState), nil
	}
	return 0, err
}

// passOn gives a signal to the program that RunChild runs, if there is one. One that
// the terminal sent has been given to it already.
func passOn(s os.Signal) bool {
	pending.Lock()
	defer pending.Unlock()
	if pending.child == nil {
		return false
	}
	if s != os.Interrupt {
		pending.child.Signal(s)
	}
	return true
}
