#ifndef STEELYARD_SEAL_H
#define STEELYARD_SEAL_H

#include "stream.h"

/* The specification's tables: T, S and R begin at these indices of the function G. */
#define SEAL_T 0x0000
#define SEAL_S 0x1000
#define SEAL_R 0x2000

/* Five words of G, those from index 5 * number on: the compression function of SHA-1 from the key,
 * on a block whose first word is number. */
void seal_gamma(uint32_t *words, const uint32_t *key, uint16_t number);

/* Sets count words to G from an index on. */
void seal_fill(uint32_t *words, uint16_t count, const uint32_t *key, uint16_t index);

/* Fills ctx->stream with the next 16 bytes of key stream. */
void seal_next(stream_context *ctx);

#endif
