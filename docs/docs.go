// Package docs holds the pages of documentation that the program prints.
package docs

import (
	_ "embed"
	"strings"
)

// Errors is errors.md: a section for every code of a diagnostic.
//
//go:embed errors.md
var Errors string

// Explain returns the section of a code, or "".
func Explain(code string) string {
	for _, section := range strings.Split(Errors, "\n## ")[1:] {
		if strings.HasPrefix(section, code+" ") {
			return strings.TrimSpace(section) + "\n"
		}
	}
	return ""
}
