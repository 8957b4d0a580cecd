package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// arrays are expressions that make an array of n elements.
var arrays = []struct{ name, text string }{
	{"int", "⍳%d"}, {"double", "?%d⍴0"}, {"char", "%d⍴'abc'"}, {"complex", "0J1×⍳%d"}, {"nested", "%d⍴'ab' 'cde'"},
}

// lines are what is timed with an array x, when a line like it was entered before.
var lines = []string{"≢y←x", "≢y←⌽x"}

const mostElements = 10_000_000

// session prints the table of lines of the interactive session.
func (t *timer) session() error {
	fmt.Print("| line, ms |")
	for n := 1000; n <= mostElements; n *= 10 {
		fmt.Printf(" eval, %d | c |", n)
	}
	fmt.Println("\n|" + strings.Repeat("---|", 11))
	env := t.emptyCache()
	for _, a := range arrays {
		for _, line := range lines {
			fmt.Printf("| `%s`, x: %s |", line, a.name)
			for n := 1000; n <= mostElements; n *= 10 {
				for _, target := range []string{"eval", "c"} {
					took, err := t.line(env, target, fmt.Sprintf("≢x←"+a.text, n), line)
					if err != nil {
						return fmt.Errorf("%s of %d %ss on %s: %w", line, n, a.name, target, err)
					}
					fmt.Printf(" %s |", ms(took))
				}
			}
			fmt.Println()
		}
	}
	return nil
}

// line returns the median of the times of a line in a session that has an array.
func (t *timer) line(env []string, target, array, line string) (time.Duration, error) {
	cmd := exec.Command(t.command, "repl", "--no-history")
	cmd.Env, cmd.Stderr = env, os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return 0, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return 0, err
	}
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	answers := bufio.NewReader(out)
	enter := func(line string) (time.Duration, error) {
		start := time.Now()
		if _, err := io.WriteString(in, line+"\n"); err != nil {
			return 0, err
		}
		_, err := answers.ReadString('\n')
		return time.Since(start), err
	}
	var times []time.Duration
	for i, text := range append([]string{"]target " + target, array, line}, slices.Repeat([]string{line}, t.rounds)...) {
		took, err := enter(text)
		if err != nil {
			return 0, err
		}
		if i > 2 {
			times = append(times, took)
		}
	}
	in.Close()
	return median(times), cmd.Wait()
}
