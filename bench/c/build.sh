#!/bin/sh
# Builds every twin of a folder, bench/c or that of TWINS, into the folder given: NAME
# (sequential) and NAME-omp.
# usage: [TWINS=bench/corpus] [CFLAGS=more] bench/c/build.sh OUT [NAME...]
set -e
src=$(cd "${TWINS:-$(dirname "$0")}" && pwd)
out=$1
shift
mkdir -p "$out"
flags="-O3 -march=native -std=gnu11 -Wall -Wextra -fno-math-errno -fno-trapping-math $CFLAGS"
[ $# -gt 0 ] || set -- $(cd "$src" && ls *.c | sed 's/\.c$//')
for name; do
	${CC:-gcc} $flags -Wno-unknown-pragmas "$src/$name.c" -o "$out/$name" -lm
	${CC:-gcc} $flags -fopenmp "$src/$name.c" -o "$out/$name-omp" -lm
done
