// Package analysis tells what is known of an expression of TAIL before it is evaluated:
// whether it can fault or has effects, between which bounds its integers and doubles
// lie, and whether a program is light work.
package analysis
