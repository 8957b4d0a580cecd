package driver

import "syscall"

// dieWithParent ends a process when the one that started it is killed.
func dieWithParent(attr *syscall.SysProcAttr) { attr.Pdeathsig = syscall.SIGTERM }
