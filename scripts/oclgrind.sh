#!/bin/sh
# Runs the library of FCL and programs on Oclgrind, which looks for accesses out
# of bounds, races, uninitialised memory and barriers that not all items reach;
# prints what it finds. usage: scripts/oclgrind.sh TAILOR PROGRAM...
# Oclgrind has no integers wider than 64 bits, which LLVM makes of loops over
# sums, so kernels are not optimised.
set -e
tailor=$1
shift
icd=$(find ${OCLGRIND_LIBRARY:-/usr/lib /usr/local/lib} -name 'liboclgrind-rt-icd.so' 2>/dev/null | head -1)
[ -n "$icd" ] || { echo "oclgrind is not installed (Debian: apt-get install oclgrind), skipped"; exit 0; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
echo "$icd" >"$work/oclgrind.icd"
bad=0

export OCL_ICD_VENDORS="$work" TAILOR_CACHE="$work" OCLGRIND_BUILD_OPTIONS=-cl-opt-disable OCLGRIND_DATA_RACES=1 \
    OCLGRIND_UNINITIALIZED=1 OCLGRIND_CHECK_API=1 OCLGRIND_MAX_ERRORS=10 OCLGRIND_LOG="$work/log"

# found prints the first lines of what Oclgrind wrote about what has that name.
found() {
    [ -s "$work/log" ] || return 0
    bad=1
    echo "$1:"
    head -20 "$work/log"
    rm "$work/log"
}

# Every function of FCL's library, on a few elements in small blocks.
FCL_PROGRAMS=1 ${GO:-go} test -v -count=1 ./fcl -run 'TestLibrary$' >"$work/out" || { bad=1; cat "$work/out"; }
grep -e '--- SKIP' "$work/out" && bad=1
found "library of FCL"

for program; do
    for schedule in groups chunks; do
        "$tailor" build --target opencl --schedule $schedule --host-work 0 --group-size 16 --chunk-work 8 \
            --per-item 2 --max-groups 4 --param OrderItems=8 --param Places=5 --param Bins=16384 "$program" -o "$work/program"
        timeout 300 "$work/program" >"$work/out" || { bad=1; echo "$program, $schedule: ends with $?"; }
        found "$program, $schedule"
        [ ! -f "${program%.apl}.out" ] || cmp -s "$work/out" "${program%.apl}.out" || { bad=1; echo "$program, $schedule: other output"; }
    done
done
exit $bad
