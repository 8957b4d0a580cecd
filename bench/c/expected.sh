#!/bin/sh
# Writes the expected outputs testdata/programs/NAME.out (test sizes),
# NAME.bench.out and, where a size line has a large size, NAME.large.out from the
# twins built in the folder given.
# The twins take the sizes in the order of the size lines of NAME.apl.
# usage: bench/c/expected.sh BUILT [NAME...]
set -e
built=$1
shift
root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$root"
[ $# -gt 0 ] || set -- $(ls testdata/programs/*.apl | sed 's|.*/||; s/\.apl$//')
for name; do
	for size in test bench large; do
		out=testdata/programs/$name.out
		[ $size = test ] || out=testdata/programs/$name.$size.out
		source=testdata/programs/$name.apl
		[ $size != large ] || grep -q '⍝ size: .*large' "$source" || continue
		args=$(sed -n "/⍝ size:/{s/.*$size \([^,]*\).*/\1/p;t;s/.*bench \([^,]*\).*/\1/p}" "$source" | tr -d "'")
		"$built/$name" $args >"$out" 2>/dev/null
	done
done
