#!/bin/sh
# Writes the expected outputs testdata/programs/NAME.out (test sizes) and
# NAME.bench.out (bench sizes) from the twins built in the folder given.
# The twins take the sizes in the order of the size lines of NAME.apl.
# usage: bench/c/expected.sh BUILT [NAME...]
set -e
built=$1
shift
root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$root"
[ $# -gt 0 ] || set -- $(ls testdata/programs/*.apl | sed 's|.*/||; s/\.apl$//')
for name; do
	for size in test bench; do
		out=testdata/programs/$name.out
		[ $size = test ] || out=testdata/programs/$name.bench.out
		args=$(sed -n "s/.*⍝ size: .*$size \([^,]*\).*/\1/p" "testdata/programs/$name.apl" | tr -d "'")
		"$built/$name" $args >"$out" 2>/dev/null
	done
done
