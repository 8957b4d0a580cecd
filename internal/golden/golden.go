package golden

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/tools/txtar"

	"github.com/tailor-lang/tailor/internal/driver"
)

// Case is one .txtar file.
type Case struct {
	File    string
	Program Program
	archive *txtar.Archive
}

// ReadCases reads the cases of a directory, in the order of their names.
func ReadCases(dir string) ([]*Case, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.txtar"))
	if err != nil {
		return nil, err
	}
	var all []*Case
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			return nil, err
		}
		c := &Case{File: file, archive: archive}
		source, ok := c.Section("program.apl")
		if !ok {
			return nil, fmt.Errorf("%s has no section program.apl", file)
		}
		c.Program = Program{Name: "program.apl", Source: source}
		if args, ok := c.Section("args"); ok {
			c.Program.Args = strings.Split(strings.TrimSuffix(args, "\n"), "\n")
		}
		all = append(all, c)
	}
	return all, nil
}

// Name returns the case's name: its file's without the extension.
func (c *Case) Name() string {
	return strings.TrimSuffix(filepath.Base(c.File), ".txtar")
}

// Section returns the text of a section, and whether it is there.
func (c *Case) Section(name string) (string, bool) {
	for _, f := range c.archive.Files {
		if f.Name == name {
			return string(f.Data), true
		}
	}
	return "", false
}

// set replaces or adds a section.
func (c *Case) set(name, text string) {
	for i := range c.archive.Files {
		if c.archive.Files[i].Name == name {
			c.archive.Files[i].Data = []byte(text)
			return
		}
	}
	c.archive.Files = append(c.archive.Files, txtar.File{Name: name, Data: []byte(text)})
}

// Expected returns the outcome that the sections describe, but for its status.
func (c *Case) Expected() Outcome {
	var o Outcome
	o.Stdout, _ = c.Section("stdout")
	o.Stderr, _ = c.Section("stderr")
	return o
}

// Derived returns the text of the section tail or stats.
func (c *Case) Derived(section string) (string, error) {
	k := c.Program.compilation(driver.Options{Target: driver.C, Verify: true})
	if section == "tail" {
		return k.Text("tail", false)
	}
	loops, err := k.Loops()
	if err != nil {
		return "", err
	}
	return Stats(loops), nil
}

// Update rewrites the sections from an outcome; the file is not written when
// nothing changes.
func (c *Case) Update(o Outcome) error {
	before := string(txtar.Format(c.archive))
	c.set("stdout", o.Stdout)
	if _, ok := c.Section("stderr"); ok || o.Stderr != "" {
		c.set("stderr", o.Stderr)
	}
	for _, section := range []string{"tail", "stats"} {
		if _, ok := c.Section(section); !ok || o.Status == driver.ExitSource {
			continue
		}
		text, err := c.Derived(section)
		if err != nil {
			return err
		}
		c.set(section, text)
	}
	after := string(txtar.Format(c.archive))
	if before == after {
		return nil
	}
	return os.WriteFile(c.File, []byte(after), 0o644)
}
