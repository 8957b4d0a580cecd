#!/bin/sh
# Runs programs on Oclgrind, which looks for accesses out of bounds, races,
# uninitialised memory and barriers that not all items reach; prints what it
# finds. usage: scripts/oclgrind.sh TAILOR PROGRAM.apl...
# Oclgrind has no integers wider than 64 bits, which LLVM makes of loops over
# sums, so kernels are not optimised.
set -e
tailor=$1
shift
icd=$(find /usr/lib /usr/local/lib -name 'liboclgrind-rt-icd.so' 2>/dev/null | head -1)
[ -n "$icd" ] || { echo "oclgrind is not installed (Debian: apt-get install oclgrind), skipped"; exit 0; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
echo "$icd" >"$work/oclgrind.icd"
bad=0
for program; do
    for schedule in groups chunks; do
        "$tailor" build --target opencl --schedule $schedule --host-work 0 --group-size 16 --chunk-work 8 \
            --per-item 2 --max-groups 4 "$program" -o "$work/program"
        OCL_ICD_VENDORS=$work TAILOR_CACHE=$work OCLGRIND_BUILD_OPTIONS=-cl-opt-disable OCLGRIND_DATA_RACES=1 \
            OCLGRIND_UNINITIALIZED=1 OCLGRIND_CHECK_API=1 OCLGRIND_MAX_ERRORS=10 \
            timeout 300 "$work/program" >"$work/out" 2>"$work/err" || bad=1
        if [ -s "$work/err" ]; then
            bad=1
            echo "$program, $schedule:"
            head -20 "$work/err"
        fi
        [ ! -f "${program%.apl}.out" ] || cmp -s "$work/out" "${program%.apl}.out" || echo "$program, $schedule: other output"
    done
done
exit $bad
