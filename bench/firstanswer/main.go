// Firstanswer times how long people wait: for the first output of twenty programs, with
// an empty cache and with what an earlier run left there, and for lines of the
// interactive session on arrays of 10³ to 10⁷ elements. It prints tables in Markdown.
//
//	go build -o bin/tailor ./cmd/tailor && go run ./bench/firstanswer -tailor bin/tailor [-rounds 3]
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"
)

func main() {
	command := flag.String("tailor", "tailor", "the command that is timed")
	rounds := flag.Int("rounds", 3, "how often each is timed; the median is printed")
	flag.Parse()
	if err := run(*command, *rounds); err != nil {
		fmt.Fprintln(os.Stderr, "firstanswer:", err)
		os.Exit(1)
	}
}

func run(command string, rounds int) error {
	dir, err := os.MkdirTemp("", "firstanswer-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	t := &timer{command: command, dir: dir, rounds: rounds}
	if err := t.programs(); err != nil {
		return err
	}
	return t.session()
}

// timer runs the command with caches of its own.
type timer struct {
	command, dir string
	rounds       int
	caches       int
}

// emptyCache returns the environment of a command that finds nothing in its cache.
func (t *timer) emptyCache() []string {
	t.caches++
	return append(os.Environ(), "TAILOR_CACHE="+filepath.Join(t.dir, fmt.Sprint("cache", t.caches)))
}

// targets are those of the table of programs.
var targets = []string{"auto", "eval", "c"}

// programs prints the table of programs.
func (t *timer) programs() error {
	fmt.Println("| first answer, ms | auto, cold | warm | eval, cold | warm | c, cold | warm |")
	fmt.Println("|---|---|---|---|---|---|---|")
	for _, p := range programs {
		file := filepath.Join(t.dir, "program.apl")
		if err := os.WriteFile(file, []byte(p.text), 0o600); err != nil {
			return err
		}
		fmt.Printf("| %s |", p.name)
		for _, target := range targets {
			cold, warm, err := t.coldAndWarm(file, target)
			if err != nil {
				return fmt.Errorf("%s on %s: %w", p.name, target, err)
			}
			fmt.Printf(" %s | %s |", ms(cold), ms(warm))
		}
		fmt.Println()
	}
	fmt.Println()
	return nil
}

// coldAndWarm returns the medians of the first run with an empty cache and of the second.
func (t *timer) coldAndWarm(file, target string) (cold, warm time.Duration, err error) {
	var first, second []time.Duration
	for range t.rounds {
		env := t.emptyCache()
		for _, times := range []*[]time.Duration{&first, &second} {
			took, err := t.answer(env, file, target)
			if err != nil {
				return 0, 0, err
			}
			*times = append(*times, took)
		}
	}
	return median(first), median(second), nil
}

// answer returns the time until a program has written something.
func (t *timer) answer(env []string, file, target string) (time.Duration, error) {
	cmd := exec.Command(t.command, "run", "--target", target, file)
	cmd.Env, cmd.Stderr = env, os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return 0, err
	}
	start := time.Now()
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	var one [1]byte
	if _, err := io.ReadFull(out, one[:]); err != nil {
		return 0, fmt.Errorf("no answer: %w", err)
	}
	took := time.Since(start)
	if _, err := io.Copy(io.Discard, out); err != nil {
		return 0, err
	}
	return took, cmd.Wait()
}

func median(times []time.Duration) time.Duration {
	slices.Sort(times)
	return times[len(times)/2]
}

func ms(d time.Duration) string {
	ms := float64(d) / float64(time.Millisecond)
	if ms < 10 {
		return fmt.Sprintf("%.1f", ms)
	}
	return fmt.Sprintf("%.0f", ms)
}
