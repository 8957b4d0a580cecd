package kernel

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
)

// Install writes the kernel specification of a program, started with more arguments, for
// the user, and returns the folder.
func Install(program string, args []string) (string, error) {
	data, err := dataFolder()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(data, "kernels", "tailor")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", fmt.Errorf("cannot install the kernel: %w", err)
	}
	text, err := json.MarshalIndent(map[string]any{
		"argv":           append(append([]string{program, "kernel"}, args...), "{connection_file}"),
		"display_name":   "APL (Tailor)",
		"language":       "apl",
		"interrupt_mode": "message",
	}, "", "  ")
	if err != nil {
		return "", err
	}
	if err := os.WriteFile(filepath.Join(dir, "kernel.json"), append(text, '\n'), 0o644); err != nil {
		return "", fmt.Errorf("cannot install the kernel: %w", err)
	}
	return dir, nil
}

// dataFolder returns the folder in which Jupyter looks for what users install.
func dataFolder() (string, error) {
	if dir := os.Getenv("JUPYTER_DATA_DIR"); dir != "" {
		return dir, nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", err
	}
	switch runtime.GOOS {
	case "darwin":
		return filepath.Join(home, "Library", "Jupyter"), nil
	case "windows":
		if dir := os.Getenv("APPDATA"); dir != "" {
			return filepath.Join(dir, "jupyter"), nil
		}
	}
	if dir := os.Getenv("XDG_DATA_HOME"); dir != "" {
		return filepath.Join(dir, "jupyter"), nil
	}
	return filepath.Join(home, ".local", "share", "jupyter"), nil
}
