#ifndef STEELYARD_SKEIN_H
#define STEELYARD_SKEIN_H

#include "hash.h"

/* The Skein specification: types of unique block iteration and flags of the tweak, as they
 * stand in its highest byte. */
#define SKEIN_CONFIGURATION 4
#define SKEIN_MESSAGE       48
#define SKEIN_OUTPUT        63
#define SKEIN_FIRST         0x40
#define SKEIN_FINAL         0x80

/* Compresses ctx->block after length of its bytes have been counted; type is one of the types, with
 * SKEIN_FINAL for a last block. */
void skein_compress(hash_context *ctx, uint8_t length, uint8_t type);

/* Makes the next block the first one of another iteration. */
static inline void skein_start(hash_context *ctx) {
    ctx->bytes_low = 0;
    ctx->bytes_high = 0;
    ctx->first = SKEIN_FIRST;
}

#endif
