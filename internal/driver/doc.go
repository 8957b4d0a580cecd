// Package driver runs the compiler's pipeline and what surrounds it: it finds
// a C compiler, keeps compiled programs in a cache, and starts them.
//
// What comes in is a source and Options; what goes out is a Compilation, whose
// stages are made when they are asked for, or a binary. Errors of the user's
// program are *diag.Error or diag.List, a missing tool is a *MissingTool, and
// everything else is an error of the system.
package driver
