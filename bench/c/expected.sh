#!/bin/sh
# Writes the expected outputs NAME.out (test sizes), NAME.bench.out and, where a size
# line has a large size, NAME.large.out into the folder of NAME.apl, testdata/programs
# or that of PROGRAMS, from the twins built in the folder given.
# The twins take the sizes in the order of the size lines of NAME.apl.
# usage: [PROGRAMS=bench/corpus] bench/c/expected.sh BUILT [NAME...]
set -e
built=$1
shift
root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$root"
programs=${PROGRAMS:-testdata/programs}
[ $# -gt 0 ] || set -- $(ls $programs/*.apl | sed 's|.*/||; s/\.apl$//')
for name; do
	for size in test bench large; do
		out=$programs/$name.out
		[ $size = test ] || out=$programs/$name.$size.out
		source=$programs/$name.apl
		[ $size != large ] || grep -q '⍝ size: .*large' "$source" || continue
		args=$(sed -n "/⍝ size:/{s/.*$size \([^,]*\).*/\1/p;t;s/.*bench \([^,]*\).*/\1/p}" "$source" | tr -d "'")
		"$built/$name" $args >"$out" 2>/dev/null
	done
done
