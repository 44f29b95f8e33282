#ifndef STEELYARD_SKINNY_CELLS_H
#define STEELYARD_SKINNY_CELLS_H

#include <stdint.h>

#include "rom.h"

/* SKINNY v1.1, section 2.3: sixteen cells of four or eight bits, row by row, here a byte each. */
#define SKINNY_NIBBLES (PRIMITIVE_BLOCK_BYTES == 8)
#define SKINNY_VALUES  (SKINNY_NIBBLES ? 16 : 256)

/* The round constant after rc, SKINNY v1.1, section 2.3. */
#define SKINNY_NEXT_CONSTANT(rc) ((uint8_t)(((rc) << 1 & 0x3E) | (((rc) >> 5 ^ (rc) >> 4 ^ 1) & 1)))

static inline void skinny_load(uint8_t *cells, const uint8_t *in) {
#if SKINNY_NIBBLES
    for (uint8_t i = 0; i < 8; i++) {
        cells[2 * i] = in[i] >> 4;
        cells[2 * i + 1] = in[i] & 0xF;
    }
#else
    for (uint8_t i = 0; i < 16; i++) {
        cells[i] = in[i];
    }
#endif
}

static inline void skinny_store(uint8_t *out, const uint8_t *cells) {
#if SKINNY_NIBBLES
    for (uint8_t i = 0; i < 8; i++) {
        out[i] = (uint8_t)(cells[2 * i] << 4 | cells[2 * i + 1]);
    }
#else
    for (uint8_t i = 0; i < 16; i++) {
        out[i] = cells[i];
    }
#endif
}

#endif
