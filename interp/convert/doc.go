// Package convert has the system functions that turn arrays into documents and dates and
// back: ⎕JSON and 7162⌶ (json), ⎕XML (xml), ⎕DT and 1200⌶ (datetime, dates). They need
// nothing of the interpreter.
package convert
