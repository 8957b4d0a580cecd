// Package lsp is the language server: it tells editors about programs while they are
// typed.
//
// In come the requests of the Language Server Protocol, and the texts of documents; out
// go diagnostics, types, completions, places of names, edits. What is said of a text is
// found in two ways. The index (index.go) reads tokens: which names are bound where, and
// used where. It takes microseconds, and does not mind faults. The analysis
// (analysis.go) parses, infers and checks the program, as tailor check does, in the
// background; requests get the last one that is finished.
//
//	textDocument/didChange → index, now; analysis, when keys have paused → publishDiagnostics
//
// Positions of the protocol are lines and UTF-16 units from 0 (document.go); those of
// package diag are bytes.
package lsp
