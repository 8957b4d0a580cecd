// Command page is Tailor in a worker of a page: make page builds it as WebAssembly.
package main
