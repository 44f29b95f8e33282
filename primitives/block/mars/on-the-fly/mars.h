#ifndef STEELYARD_MARS_H
#define STEELYARD_MARS_H

#include <stdint.h>

#include "context.h"
#include "rom.h"

/* The S-box of nine bits; its halves S0 and S1 are those of eight. */
extern const ROM uint32_t mars_sbox[512];

static inline uint32_t mars_s0(uint32_t x) {
    return mars_sbox[(uint8_t)x];
}

static inline uint32_t mars_s1(uint32_t x) {
    return mars_sbox[256 + (uint16_t)(uint8_t)x];
}

static inline uint32_t mars_s(uint32_t x) {
    return mars_sbox[(uint16_t)x & 511];
}

#define MARS_TEMPORARY_WORDS 15

/* The array T of the paper, "Key expansion", before the first pass, and one pass of the four, after
 * which T holds the next ten words of the key. */
void mars_start(uint32_t *t, const block_context *ctx);
void mars_pass(uint32_t *t, uint8_t pass);

/* A word of the expanded key, not one of multiplication; T is that of its ten words. */
uint32_t mars_key(const uint32_t *t, uint8_t number);

/* The three words that the E-function makes of one and of the words of the key from number on. */
typedef struct {
    uint32_t left;
    uint32_t middle;
    uint32_t right;
} mars_expanded;

void mars_expand(mars_expanded *out, uint32_t in, const uint32_t *t, uint8_t number);

#endif
