#!/usr/bin/env bash
# Builds gdb's simulators out of the distribution's package gdb-source, each linked with simulator.c, into the user's
# cache, and prints the folder. References for tests only: nothing of them becomes part of Steelyard.
#
#   differential/simulators/build.sh [rl78|m16c|msp430|sparc|arm]...       all of them without an argument
#
# A simulator that is there and made from the same sources is kept. The log of each lies beside it.
set -euo pipefail

SOURCE=${STEELYARD_GDB_SOURCE:-/usr/src/gdb.tar.xz}
HERE=$(cd "$(dirname "$0")" && pwd)
CACHE=${XDG_CACHE_HOME:-$HOME/.cache}/steelyard/simulators
ALL=(rl78 m16c msp430 sparc arm)
# Without what gdb needs beyond its simulators.
CONFIGURE=(--disable-gdb --disable-gdbserver --enable-sim --disable-sim-hardware --disable-nls --disable-werror
    --disable-binutils --disable-ld --disable-gas --disable-gprof --disable-gprofng --without-zstd --with-system-readline)

# Sets `triplet` and `folder`, the simulator's part of gdb's sources.
look_up() {
    case "$1" in
        rl78) triplet=rl78-elf folder=rl78 ;;
        m16c) triplet=m32c-elf folder=m32c ;;
        msp430) triplet=msp430-elf folder=msp430 ;;
        sparc) triplet=sparc-elf folder=erc32 ;;
        arm) triplet=arm-none-eabi folder=arm ;;
        *)
            echo "no simulator \`$1\`; there are ${ALL[*]}" >&2
            exit 2
            ;;
    esac
}

# build CPU SOURCES PLACE: leaves the program PLACE/simulator.
build() {
    local sources=$2 place=$3 macro
    case "$folder" in
        erc32) macro=SIMULATOR_SPARC ;;
        *) macro=SIMULATOR_${folder^^} ;;
    esac
    # Chips have RAM at the addresses where a write asks the simulator to do something: they leave the address space.
    [ "$folder" != m32c ] || sed -i -E 's/\b0x40([0-3])\b/0x100040\1/' "$sources/sim/m32c/mem.c"
    mkdir -p "$place/build"
    cd "$place/build"
    "$sources/configure" --target="$triplet" "${CONFIGURE[@]}" CFLAGS="-O2 -w" MAKEINFO=true
    make -j "$(nproc)" all-sim MAKEINFO=true
    # bfd.h asks for the macro PACKAGE of a program with a config.h.
    ${CC:-cc} -O2 -std=c99 -Wall -Wextra -DPACKAGE -D"$macro" -I"$sources/include" -Ibfd "$HERE/simulator.c" \
        -o "$place/simulator" "sim/$folder/libsim.a" opcodes/.libs/libopcodes.a bfd/.libs/libbfd.a \
        libiberty/libiberty.a libsframe/.libs/libsframe.a zlib/libz.a gnulib/import/libgnu.a -lm
}

wanted=("$@")
[ $# -gt 0 ] || wanted=("${ALL[@]}")
for cpu in "${wanted[@]}"; do
    look_up "$cpu"
done

mkdir -p "$CACHE"
work=
trap '[ -z "$work" ] || rm -rf "$work"' EXIT
missing=()
if [ ! -r "$SOURCE" ]; then
    for cpu in "${wanted[@]}"; do
        [ -x "$CACHE/$cpu/simulator" ] || missing+=("$cpu")
    done
    if [ ${#missing[@]} -gt 0 ]; then
        echo "gdb's sources are missing, so there is no simulator of ${missing[*]}; run: apt-get install gdb-source" >&2
        exit 3
    fi
    echo "$CACHE"
    exit
fi

made_from=$(sha256sum "$SOURCE" "$HERE/build.sh" "$HERE/simulator.c" | cut -d ' ' -f 1 | sha256sum | cut -d ' ' -f 1)
for cpu in "${wanted[@]}"; do
    look_up "$cpu"
    place=$CACHE/$cpu
    [ "$(cat "$place/made-from" 2>/dev/null)" = "$made_from" ] && continue
    if [ -z "$work" ]; then
        work=$(mktemp -d "$CACHE/work.XXXXXX")
        tar -xf "$SOURCE" -C "$work" gdb
    fi
    echo "Building gdb's simulator of $cpu" >&2
    if ! (build "$cpu" "$work/gdb" "$work/$cpu") >"$CACHE/$cpu.log" 2>&1; then
        echo "gdb's simulator of $cpu could not be built; see $CACHE/$cpu.log" >&2
        exit 3
    fi
    mkdir -p "$place"
    mv "$work/$cpu/simulator" "$place/simulator"
    echo "$made_from" >"$place/made-from"
    rm -rf "${work:?}/$cpu"
done
echo "$CACHE"
