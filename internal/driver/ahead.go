package driver

import (
	"os"
	"os/exec"
	"strconv"
	"time"
)

// Worth is how long a program runs before it is worth to be optimised for the
// next time.
const Worth = time.Second

// mostAhead bounds the time that is spent on it.
const mostAhead = 2 * time.Minute

// Ahead starts a process that optimises a program for its next run: the command
// ahead, whose flags are given, in a session of its own and without a terminal. It
// gets the text on its standard input. With while it waits first whether this
// process, or the program that it becomes, runs for long enough.
func (c *Compilation) Ahead(flags []string, while bool) {
	self, err := os.Executable()
	if err != nil || !canDetach {
		return
	}
	args := append([]string{"ahead"}, flags...)
	if while {
		args = append(args, "--while", strconv.Itoa(os.Getpid()))
	}
	cmd := exec.Command(self, append(args, "--", c.Source.Name)...)
	detach(cmd)
	in, err := cmd.StdinPipe()
	if err != nil || cmd.Start() != nil {
		return
	}
	in.Write([]byte(c.Source.Text))
	in.Close()
}

// WaitAhead waits until the program that the process while has become, the parent
// of this one, has run for long enough. It reports false where it has ended.
func WaitAhead(while int) bool {
	time.AfterFunc(mostAhead, func() {
		CleanUp()
		os.Exit(ExitMissing)
	})
	lowerPriority()
	for end := time.Now().Add(Worth); while > 0 && time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if os.Getppid() != while {
			return false
		}
	}
	return true
}
