#!/bin/sh
# Prints a Markdown table of the twins' times at benchmark size: the median of
# five runs in milliseconds, sequential and with OpenMP.
# usage: bench/c/times.sh BUILT [NAME...]
set -e
built=$1
shift
cd "$(dirname "$0")/../.."
[ $# -gt 0 ] || set -- $(ls testdata/programs/*.apl | sed 's|.*/||; s/\.apl$//')
median() {
	for _ in 1 2 3 4 5; do "$@" 2>&1 >/dev/null | sed -n 's/^time_ms: //p'; done | sort -n | sed -n 3p
}
echo "| program | sizes | C, ms | C with OpenMP, ms |"
echo "|---|---|---|---|"
for name; do
	args=$(sed -n "s/.*⍝ size: .*bench \([^,]*\).*/\1/p" "testdata/programs/$name.apl" | tr -d "'" | tr '\n' ' ')
	echo "| $name | $args| $(median "$built/$name" $args) | $(median "$built/$name-omp" $args) |"
done
