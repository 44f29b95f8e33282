#ifndef STEELYARD_TWOFISH_H
#define STEELYARD_TWOFISH_H

#include <stdint.h>

#include "context.h"
#include "rom.h"

/* Words in a list of key material: k of the specification. */
#define TWOFISH_LIST_WORDS (PRIMITIVE_KEY_BYTES / 8)

extern const ROM uint8_t twofish_q0[256];
extern const ROM uint8_t twofish_q1[256];

/* The function h up to its matrix, on y in place; list has the words of the key
 * material as bytes, lowest first. */
void twofish_permute(uint8_t *y, const uint8_t *list);

/* h, whole. */
uint32_t twofish_h(uint32_t x, const uint8_t *list);

/* The words K of number 2 pair and 2 pair + 1. */
void twofish_round_keys(const block_context *ctx, uint32_t *keys, uint8_t pair);

/* The four words of whitening from pair on, added to x. */
void twofish_whiten(const block_context *ctx, uint32_t *x, uint8_t pair);

/* The two words of the function F (specification) in round number round, from 0 on. */
void twofish_f(const block_context *ctx, uint32_t *f, const uint32_t *ab, uint8_t round);

#endif
