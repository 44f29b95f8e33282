#ifndef STEELYARD_IDEA_H
#define STEELYARD_IDEA_H

#include <stdint.h>

#include "context.h"

/* Four words of the block, in the order of the first round, and back. */
void idea_load(uint16_t *x, const uint8_t *in);
void idea_store(uint8_t *out, const uint16_t *x);

/* One round with its six subkeys, the exchange of the middle words with it, and the output
 * transformation with its four. */
void idea_round(uint16_t *x, const uint16_t *k);
void idea_output(uint16_t *x, const uint16_t *k);

/* Copies count subkeys of encryption from number first on, cut out of the key: eight of them are
 * the key, the next eight the key rotated left by 25 bits, and so on. */
void idea_subkeys(uint16_t *to, const block_context *ctx, uint8_t first, uint8_t count);

#endif
