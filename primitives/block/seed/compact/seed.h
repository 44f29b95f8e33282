#ifndef STEELYARD_SEED_H
#define STEELYARD_SEED_H

#include "block.h"

/* The function G of RFC 4269. */
uint32_t seed_g(uint32_t x);

/* Adds F(x, key) to y, two words each, high word first (RFC 4269, F-function). */
void seed_add_f(uint32_t *y, const uint32_t *x, const uint32_t *key);

/* The two words of a round's key, from the key as turned for that round. */
void seed_round_key(uint32_t *round_key, const uint8_t *key, uint8_t round);

/* Turns eight bytes by one to the right, or to the left. */
void seed_turn_right(uint8_t *half);
void seed_turn_left(uint8_t *half);

void seed_load(uint32_t *x, const uint8_t *in);
void seed_store_exchanged(uint8_t *out, const uint32_t *x);

#endif
