#!/bin/sh
# Builds Ibex's own RTL under Verilator as references of the tester: build.sh CHECKOUT, a checkout of lowRISC/ibex.
set -eu
[ $# = 1 ] || { echo "build.sh: name a checkout of lowRISC/ibex" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
[ -f "$1/rtl/ibex_top.sv" ] || { echo "build.sh: $1 has no rtl/ibex_top.sv: name a checkout of lowRISC/ibex" >&2; exit 2; }
command -v verilator >/dev/null || { echo "build.sh: verilator is missing: apt-get install verilator" >&2; exit 3; }
source=$(cd "$1" && pwd)
prim=$source/vendor/lowrisc_ip/ip
for name in small maxperf; do
    folder=${XDG_CACHE_HOME:-$HOME/.cache}/steelyard/simulators/ibex-$name
    mkdir -p "$folder"
    maxperf=0
    [ "$name" = small ] || maxperf=1
    verilator --cc --exe --build -O3 -CFLAGS "-O2 -std=c++17" -DSYNTHESIS -Wno-fatal -Wno-lint -Wno-style \
        --top-module bench -GMaxperf=$maxperf --Mdir "$folder/build" -o "$folder/simulator" \
        -I"$prim/prim/rtl" -I"$source/vendor/lowrisc_ip/dv/sv/dv_utils" \
        -y "$source/rtl" -y "$prim/prim/rtl" -y "$prim/prim_generic/rtl" -y "$source/vendor/pulp_common_cells/rtl" \
        $(cat "$here/packages" | sed "s#^#$source/#") "$here/bench.sv" "$here/bench.cpp"
done
