#!/bin/sh
# Builds openMSP430's own RTL under Verilator as a reference of the tester: build.sh CHECKOUT, of olgirard/openmsp430.
set -eu
[ $# = 1 ] || { echo "build.sh: name a checkout of olgirard/openmsp430" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
rtl=$1/core/rtl/verilog
[ -f "$rtl/openMSP430.v" ] || {
    echo "build.sh: $1 has no core/rtl/verilog/openMSP430.v: name a checkout of olgirard/openmsp430" >&2
    exit 2
}
command -v verilator >/dev/null || { echo "build.sh: verilator is missing: apt-get install verilator" >&2; exit 3; }
rtl=$(cd "$rtl" && pwd)
folder=${XDG_CACHE_HOME:-$HOME/.cache}/steelyard/simulators/openmsp430
mkdir -p "$folder/configuration"
# 41 KB of program memory, 16 KB of data memory, the multiplier; no debugger and no watchdog, which would count from reset.
sed -e 's#^`define \(PMEM_SIZE_4_KB\|DMEM_SIZE_1_KB\|DBG_EN\|WATCHDOG\|DMA_IF_EN\|NMI\)$#// \1#' \
    -e 's#^//`define \(PMEM_SIZE_41_KB\|DMEM_SIZE_16_KB\)$#`define \1#' \
    "$rtl/openMSP430_defines.v" >"$folder/configuration/openMSP430_defines.v"
verilator --cc --exe --build -O3 -CFLAGS "-O2 -std=c++17" -Wno-fatal -Wno-lint -Wno-style \
    --top-module bench --Mdir "$folder/build" -o "$folder/simulator" \
    -I"$folder/configuration" -y "$rtl" -I"$rtl" \
    "$folder/configuration/openMSP430_defines.v" "$here/bench.v" "$here/bench.cpp"
