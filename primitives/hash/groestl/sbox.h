#ifndef STEELYARD_SBOX_H
#define STEELYARD_SBOX_H

#include <stdint.h>

#include "rom.h"

#define COLUMNS (PRIMITIVE_BLOCK_BYTES / 8)

/* The S-box of AES: FIPS 197, section 5.1.1. */
static const ROM uint8_t sbox[256] = {
#define ROW(...) __VA_ARGS__,
#include "aes_sbox.inc"
#undef ROW
};

/* The Grøstl specification: how far each row moves to the left in P and in Q. */
#if COLUMNS == 8
static const ROM uint8_t shifts[2][8] = {{0, 1, 2, 3, 4, 5, 6, 7}, {1, 3, 5, 7, 0, 2, 4, 6}};
#else
static const ROM uint8_t shifts[2][8] = {{0, 1, 2, 3, 4, 5, 6, 11}, {1, 3, 5, 11, 0, 2, 4, 6}};
#endif

#endif
