// Package kernel is Tailor in Jupyter: it answers the messages of a notebook or a
// console (version 5.3 of Jupyter's protocol, over ZeroMQ) from a session
// (internal/session), which keeps the names of cells.
//
//	message.go   messages on the wire: frames, signatures
//	sockets.go   the connection file, the five sockets
//	kernel.go    requests and their replies
//	display.go   values as HTML, pictures
//	install.go   the kernel specification
package kernel
