package cgen

import (
	"embed"
	"io/fs"
	"maps"

	"github.com/tailor-lang/tailor/internal/formulas"
)

//go:embed rt/*.c rt/*.h
var library embed.FS

// RunTime returns the files of the run-time library by their names: tailor.h, which
// emitted code includes, and rt.c, all of the library as one translation unit, with what
// they include. Parts of it can be compiled alone.
func RunTime() map[string]string {
	own, err := fs.Sub(library, "rt")
	if err != nil {
		panic("internal error: " + err.Error())
	}
	all := texts(own)
	maps.Copy(all, texts(formulas.Files))
	return all
}

// texts returns the files of a folder by their names.
func texts(folder fs.FS) map[string]string {
	names, err := fs.Glob(folder, "*.[ch]")
	if err != nil {
		panic("internal error: " + err.Error())
	}
	all := map[string]string{}
	for _, name := range names {
		text, err := fs.ReadFile(folder, name)
		if err != nil {
			panic("internal error: " + err.Error())
		}
		all[name] = string(text)
	}
	return all
}
