#!/usr/bin/env bash
# What `make` needs from the machine, one step by name: check, python VENV, node PYTHON, compilers, test-packages, rtl.
set -euo pipefail

# Packages by the compiler that they bring.
AVR_GCC=(gcc-avr binutils-avr)
ARM_GCC=(gcc-arm-none-eabi binutils-arm-none-eabi)
RISCV_GCC=(gcc-riscv64-unknown-elf binutils-riscv64-unknown-elf)
SPARC_GCC=(gcc-sparc64-linux-gnu binutils-sparc64-linux-gnu)
# gdb's sources and readline are for the simulators of differential/simulators.
TEST_PACKAGES=(libsimavr-dev libelf-dev libcrypto++-dev libbotan-2-dev clang-format chromium pkg-config qemu-user
    gdb-source libreadline-dev openssh-server openssh-client)
RUST_MINIMUM=1.82

# Prints the command that becomes root, nothing where we are root; fails where neither is possible.
as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        return
    fi
    sudo -n true 2>/dev/null || return 1
    echo "sudo -n"
}

missing_of() {
    local package
    for package in "$@"; do
        dpkg-query --show --showformat='${db:Status-Abbrev}' "$package" 2>/dev/null | grep -q '^ii' || echo "$package"
    done
}

# Installs the named packages; fails where that is not possible on this machine.
install_packages() {
    local root
    command -v apt-get >/dev/null || return 1
    root=$(as_root) || return 1
    echo "Installing ${*/#--*/}"
    if ! DEBIAN_FRONTEND=noninteractive $root apt-get install --yes --quiet --quiet "$@" >/dev/null 2>&1; then
        $root apt-get update --quiet --quiet >/dev/null || return 1
        DEBIAN_FRONTEND=noninteractive $root apt-get install --yes --quiet --quiet "$@" >/dev/null || return 1
    fi
}

find_python() {
    local candidate
    for candidate in python3 python3.14 python3.13 python3.12 python3.11; do
        if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            echo "$candidate"
            return
        fi
    done
    return 1
}

check() {
    local version
    find_python >/dev/null || {
        echo "Python 3.11 or later is missing; run: apt-get install python3 python3-venv" >&2
        exit 3
    }
    version=$(rustc --version 2>/dev/null | cut -d ' ' -f 2) || true
    if ! command -v cargo >/dev/null || [ -z "$version" ] ||
        [ "$(printf '%s\n' "$RUST_MINIMUM" "$version" | sort --version-sort | head -n 1)" != "$RUST_MINIMUM" ]; then
        echo "Rust $RUST_MINIMUM or later is missing; install it with rustup (https://rustup.rs) and run make again." >&2
        exit 3
    fi
}

python() {
    local interpreter
    interpreter=$(find_python)
    "$interpreter" -m venv "$1" >/dev/null 2>&1 && return
    rm -rf "$1"
    install_packages python3-venv && "$interpreter" -m venv "$1" && return
    echo "Python has no venv module; run: apt-get install python3-venv" >&2
    exit 3
}

# Installs Node into the environment of this Python where the machine has none that builds the page of the report.
node() {
    "$1" -c 'import sys; sys.path.insert(0, "build_backend"); import explorer_build; sys.exit(not explorer_build.has_node())' ||
        "$1" -m pip install --quiet --disable-pip-version-check "$("$1" -c 'import sys; sys.path.insert(0, "build_backend"); import explorer_build; print(explorer_build.NODE_PACKAGE)')"
}

# compiler_for FAMILY DRIVER PACKAGE...
compiler_for() {
    local family=$1 driver=$2 missing
    shift 2
    mapfile -t missing < <(missing_of "$@")
    if command -v "$driver" >/dev/null || install_packages --no-install-recommends "${missing[@]}"; then
        echo "Compilers for $family: GCC and the clang of the ziglang package"
    else
        echo "Compilers for $family: the clang of the ziglang package only; for GCC run: apt-get install ${missing[*]}"
    fi
}

compilers() {
    compiler_for AVR avr-gcc "${AVR_GCC[@]}"
    # Its C library is not used, and large.
    compiler_for ARM arm-none-eabi-gcc "${ARM_GCC[@]}"
    compiler_for RISC-V riscv64-unknown-elf-gcc "${RISCV_GCC[@]}"
    # The clang of the wheel needs its linker too.
    compiler_for SPARC sparc64-linux-gnu-gcc "${SPARC_GCC[@]}"
}

test_packages() {
    local missing
    mapfile -t missing < <(missing_of "${TEST_PACKAGES[@]}")
    if [ ${#missing[@]} -gt 0 ] && ! install_packages "${missing[@]}"; then
        echo "Some checks will be left out, each with its reason; for all of them run: apt-get install ${missing[*]}"
    fi
}

# What simulates the RTL of a core, for the soak.
rtl() {
    command -v verilator >/dev/null || install_packages --no-install-recommends verilator g++ ||
        echo "Cores beside their RTL will be left out; for them run: apt-get install verilator g++"
}

case "${1:-}" in
    check) check ;;
    python) python "$2" ;;
    node) node "$2" ;;
    compilers) compilers ;;
    test-packages) test_packages ;;
    rtl) rtl ;;
    *)
        echo "usage: tools/setup.sh check | python VENV | node PYTHON | compilers | test-packages | rtl" >&2
        exit 2
        ;;
esac
