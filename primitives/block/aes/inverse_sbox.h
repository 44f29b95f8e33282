#ifndef STEELYARD_INVERSE_SBOX_H
#define STEELYARD_INVERSE_SBOX_H

#include <stdint.h>

#include "rom.h"

static const ROM uint8_t inverse_sbox[256] = {
#define ROW(...) __VA_ARGS__,
#include "inverse_sbox.inc"
#undef ROW
};

#endif
