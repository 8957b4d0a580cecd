//go:build unix && !linux

package driver

import "syscall"

func dieWithParent(*syscall.SysProcAttr) {}
