#!/bin/sh
# Installs what is missing, where this is Debian (or like it) and we may.
# usage: setup.sh run     a C compiler with libc's headers
#        setup.sh test    and tmux, for the sessions in a real terminal, PoCL, an
#                         OpenCL device on the CPU, and g++ and NumPy, which call
#                         libraries
#        setup.sh whole   and Chromium, for the page, Jupyter's clients, Neovim, and Oclgrind
# What cannot be installed is done without: programs run in the evaluator, and
# tests are skipped with the reason.
set -e

missing=
need() { # COMMAND PACKAGE...: the packages unless the command is there
	command -v "$1" >/dev/null 2>&1 && return
	shift
	missing="$missing $*"
}

trial=$(mktemp) # never a device: a linker may put its output in the place of one
trap 'rm -f "$trial"' EXIT

compiles() {
	for cc in ${CC:-gcc clang}; do
		echo 'int main(void) { return 0; }' | $cc -x c - -lm -o "$trial" 2>/dev/null && return
	done
	return 1
}

compiles || missing="gcc libc6-dev"
if [ "${1:-run}" != run ]; then
	need tmux tmux
	need g++ g++
	python3 -c 'import numpy' 2>/dev/null || /usr/bin/python3 -c 'import numpy' 2>/dev/null || missing="$missing python3-numpy"
	ls /etc/OpenCL/vendors/*.icd >/dev/null 2>&1 || missing="$missing pocl-opencl-icd"
	ldconfig -p 2>/dev/null | grep -q libOpenCL.so.1 || missing="$missing ocl-icd-libopencl1"
fi
if [ "${1:-run}" = whole ]; then
	need chromium chromium
	need oclgrind oclgrind
	need nvim neovim
	/usr/bin/python3 -c 'import jupyter_client, nbclient' 2>/dev/null || missing="$missing python3-jupyter-client python3-nbclient"
	/usr/bin/python3 -c 'import jupyter_console' 2>/dev/null || missing="$missing python3-jupyter-console"
fi
[ -n "$missing" ] || exit 0

if ! command -v apt-get >/dev/null 2>&1; then
	echo "setup: there is no apt-get to install$missing with; going on without" >&2
	exit 0
fi

sudo=
if [ "$(id -u)" != 0 ]; then
	if ! sudo -n true 2>/dev/null; then
		echo "setup: only root can install $missing; going on without" >&2
		exit 0
	fi
	sudo=sudo
fi

echo "setup: installing $missing" >&2
export DEBIAN_FRONTEND=noninteractive
$sudo apt-get update -qq || true
for package in $missing; do
	$sudo apt-get install -y -qq --no-install-recommends "$package" >/dev/null ||
		echo "setup: $package cannot be installed; going on without" >&2
done
