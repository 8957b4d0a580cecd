// Package idiom has the passes that know an algorithm for what loops say in many
// words: functions of package laila/ir, well-formed before and after.
//
//	bitlinear.go bitroots.go bittables.go  functions of the bits of an index, as tables
package idiom
