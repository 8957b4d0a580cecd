// Package repl is the interactive session on a terminal: Run reads lines, with glyph
// entry, history and completion, or from a pipe, and internal/session runs them.
package repl
