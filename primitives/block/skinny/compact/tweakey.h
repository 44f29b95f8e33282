#ifndef STEELYARD_SKINNY_TWEAKEY_H
#define STEELYARD_SKINNY_TWEAKEY_H

#include <stdint.h>

#include "context.h"
#include "rom.h"

/* SKINNY v1.1, section 2.3: sixteen cells of four or eight bits, row by row, here a byte each. */
#define SKINNY_NIBBLES  (PRIMITIVE_BLOCK_BYTES == 8)
#define SKINNY_TWEAKEYS (PRIMITIVE_KEY_BYTES / PRIMITIVE_BLOCK_BYTES)

/* The tweakey words and the round constant of one round. */
typedef struct {
    uint8_t cells[16 * SKINNY_TWEAKEYS];
    uint8_t rc;
} skinny_tweakey;

/* SKINNY v1.1, section 2.3, the permutation P_T of the upper two rows; the others move up. */
extern const ROM uint8_t skinny_from[8];

void skinny_load(uint8_t *cells, const uint8_t *in);
void skinny_store(uint8_t *out, const uint8_t *cells);
void skinny_start(skinny_tweakey *t, const block_context *ctx);

/* Goes on to the next round (section 2.3). */
void skinny_next(skinny_tweakey *t);

/* Section 2.3, AddConstants and AddRoundTweakey. */
void skinny_add(uint8_t *cells, const skinny_tweakey *t);

#endif
