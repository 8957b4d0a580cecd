#!/bin/sh
# Runs programs on Oclgrind, which looks for accesses out of bounds, races,
# uninitialised memory and barriers that not all items reach; prints what it
# finds. usage: scripts/oclgrind.sh TAILOR PROGRAM...
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

# look runs the executable on Oclgrind; what its name is follows.
look() {
    name=$1
    shift
    OCL_ICD_VENDORS=$work TAILOR_CACHE=$work OCLGRIND_BUILD_OPTIONS=-cl-opt-disable OCLGRIND_DATA_RACES=1 \
        OCLGRIND_UNINITIALIZED=1 OCLGRIND_CHECK_API=1 OCLGRIND_MAX_ERRORS=10 \
        timeout 300 "$work/program" "$@" >"$work/out" 2>"$work/err" || bad=1
    if [ -s "$work/err" ]; then
        bad=1
        echo "$name:"
        head -20 "$work/err"
    fi
}

for program; do
    if [ "${program%.fcl}" != "$program" ]; then # its first run, which has one argument
        params=$(sed -n 's/^--params //p' "$program" | sed 's/[^ ]*=/--param &/g')
        "$tailor" build $params "$program" -o "$work/program"
        look "$program" "$(sed -n 's/^--> //p' "$program" | head -1)"
        [ "$(cat "$work/out")" = "$(sed -n 's/^--= //p' "$program" | head -1)" ] || { bad=1; echo "$program: other output"; }
        continue
    fi
    for schedule in groups chunks; do
        "$tailor" build --target opencl --schedule $schedule --host-work 0 --group-size 16 --chunk-work 8 \
            --per-item 2 --max-groups 4 "$program" -o "$work/program"
        look "$program, $schedule"
        [ ! -f "${program%.apl}.out" ] || cmp -s "$work/out" "${program%.apl}.out" || echo "$program, $schedule: other output"
    done
done
exit $bad
