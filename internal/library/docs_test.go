package library

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/internal/driver"
)

// block returns the first block of a language on a page, and the text that follows it.
func block(t *testing.T, page, language string) (code, text string) {
	_, rest, ok := strings.Cut(page, "```"+language+"\n")
	require.True(t, ok, language)
	code, rest, _ = strings.Cut(rest, "```\n")
	if rest, ok = strings.CutPrefix(rest, "```text\n"); ok {
		text, _, _ = strings.Cut(rest, "```\n")
	}
	return code, text
}

// TestPage runs the examples of docs/embedding.md.
func TestPage(t *testing.T) {
	sampled(t)
	tool(t, "gcc", "clang", "cc")
	page, err := os.ReadFile("../../docs/embedding.md")
	require.NoError(t, err)
	program, _ := block(t, string(page), "apl")
	dir := t.TempDir()
	require.NoError(t, write(dir, "price", program, driver.C))
	put := func(name, text string) {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	for language, name := range map[string]string{"c": "main.c", "cpp": "main.cpp"} {
		t.Run(language, func(t *testing.T) {
			code, text := block(t, string(page), language)
			put(name, code)
			args := append(compiler(t, strings.Replace(language, "cpp", "c++", 1)), name, "-x", "none", "./price.so", "-Wl,-rpath,$ORIGIN", "-lm")
			runs(t, dir, "", args...)
			runs(t, dir, text, "./calls")
		})
	}
	t.Run("python", func(t *testing.T) {
		code, text := block(t, string(page), "python")
		put("main.py", code)
		runs(t, dir, text, python(t), "main.py")
	})
	t.Run("go", func(t *testing.T) {
		code, text := block(t, string(page), "go")
		module(t, dir)
		source, err := os.ReadFile(filepath.Join(dir, "price.go"))
		require.NoError(t, err)
		require.NoError(t, os.Remove(filepath.Join(dir, "price.go")))
		put("price/price.go", string(source))
		put("main.go", strings.Replace(code, "example/price", "calls/price", 1))
		for _, name := range []string{"main.c", "main.cpp"} {
			os.Remove(filepath.Join(dir, name))
		}
		runs(t, dir, text, "go", "run", ".")
	})
}

// TestDevicePage runs the examples with arrays that stay on the device.
func TestDevicePage(t *testing.T) {
	sampled(t)
	if _, err := driver.Device(false, false); err != nil {
		t.Skip(err)
	}
	page, err := os.ReadFile("../../docs/embedding.md")
	require.NoError(t, err)
	program, _ := block(t, string(page), "apl")
	_, section, ok := strings.Cut(string(page), "## Arrays on the device\n")
	require.True(t, ok)
	dir := t.TempDir()
	require.NoError(t, write(dir, "price", program, driver.OpenCL))
	code, text := block(t, section, "c")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "main.c"), []byte(code), 0o644))
	runs(t, dir, "", append(compiler(t, "c"), "main.c", "./price.so", "-Wl,-rpath,$ORIGIN")...)
	runs(t, dir, text, "./calls")
	code, text = block(t, section, "python")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "main.py"), []byte(code), 0o644))
	runs(t, dir, text, python(t), "main.py")
}
