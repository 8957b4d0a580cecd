#!/bin/sh
# Rates of inner products with one thread: +.× on doubles beside OpenBLAS, in
# turn, and ⌊.+ beside a naive triple loop in an interpreter (ours).
# usage: bench/products/run.sh TAILOR [ROUNDS]     needs libopenblas-dev
set -e
tailor=$1
rounds=${2:-7}
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

time_of() { # COMMAND...: the least time of a program that reports some
	"$@" 2>&1 >/dev/null | sed -n 's/^time_ms: //p' | sort -g | head -1
}
median() { sort -g | awk '{x[NR] = $1} END {print x[int((NR + 1) / 2)]}'; }

${CC:-gcc} -O2 -o "$work/dgemm" "$here/dgemm.c" -lopenblas
"$tailor" build -o "$work/matmul" "$here/matmul.apl"
i=0
while [ "$i" -lt "$rounds" ]; do
	blas=$(OPENBLAS_NUM_THREADS=1 time_of "$work/dgemm" 1024)
	ours=$(TAILOR_TIME=5 time_of "$work/matmul")
	echo "$blas $ours" >>"$work/times"
	i=$((i + 1))
done
awk '{print $1}' "$work/times" | median >"$work/blas"
awk '{print $2}' "$work/times" | median >"$work/ours"
awk '{print $1 / $2}' "$work/times" | median >"$work/ratio"
echo "+.× of 1024² doubles: OpenBLAS $(cat "$work/blas") ms, ours with its input $(cat "$work/ours") ms, rate $(cat "$work/ratio") of OpenBLAS's"

naive=$(time_of "$tailor" run --target eval --time "$here/naive.apl")
sed 's/^n←.*/n←1024/; /^_←/d; /^c←/d; /^+\/,c/d' "$here/naive.apl" >"$work/minplus.apl"
"$tailor" build -o "$work/minplus" "$work/minplus.apl"
fast=$(TAILOR_TIME=5 time_of "$work/minplus")
awk -v slow="$naive" -v fast="$fast" 'BEGIN {
	a = 2e-6 * 100 ^ 3 / slow; b = 2e-6 * 1024 ^ 3 / fast
	printf "⌊.+: naive in the evaluator %.4f Gop/s, ours %.1f Gop/s, %.0f times as much\n", a, b, b / a }'
