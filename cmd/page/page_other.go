//go:build !js

package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "page is built for browsers: make page")
	os.Exit(2)
}
