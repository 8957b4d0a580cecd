// Growth says how time and memory of operations on nested, irregular and growing data
// grow with the data: operations.txt has the operations, one a line. It prints, for each
// and each target, processor times at n, 2n and 4n, where n is such that they can be
// told from nothing, and a mark before those that grow faster than the data.
//
//	go run ./bench/growth [-targets eval,c,omp] [-steep] [PART OF AN OPERATION…]
package main

import (
	"flag"
	"fmt"
	"os"
	"strings"

	"github.com/tailor-lang/tailor/internal/cli"
	"github.com/tailor-lang/tailor/internal/driver"
)

func main() {
	if len(os.Args) > 1 && os.Args[1] == tailorCommand {
		os.Exit(cli.Main(os.Args[2:], os.Stdout, os.Stderr))
	}
	targets := flag.String("targets", "eval,c,omp", "what runs the operations: eval, interp, c, omp, opencl")
	steep := flag.Bool("steep", false, "print only what grows faster than the data")
	flag.Parse()
	if err := report(strings.Split(*targets, ","), *steep, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "growth:", err)
		os.Exit(1)
	}
}

// report measures the operations that contain one of some parts, or all.
func report(targets []string, steep bool, parts []string) error {
	dir, err := os.MkdirTemp("", "growth")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	for _, o := range operations() {
		if !wanted(o.text, parts) {
			continue
		}
		for _, name := range targets {
			target := driver.Target(name)
			p, err := prepare(o, target, dir)
			g := growth{err: err}
			if err == nil {
				g = measure(p, limitsOf(target))
			}
			if mark := map[bool]string{true: "!", false: " "}[g.steep()]; !steep || g.steep() {
				fmt.Printf("%s %-6s %s: %s\n", mark, name, o.text, g)
			}
		}
	}
	return nil
}

// wanted reports whether text contains one of some parts; no parts are all.
func wanted(text string, parts []string) bool {
	for _, p := range parts {
		if strings.Contains(text, p) {
			return true
		}
	}
	return len(parts) == 0
}
