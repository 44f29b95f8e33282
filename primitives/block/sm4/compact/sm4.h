#ifndef STEELYARD_SM4_H
#define STEELYARD_SM4_H

#include <stdint.h>

/* Either round takes the first of four words away, moves the others down and puts behind them the
 * first plus L(tau(the sum of the others and a word)): the round key, or the constant CK of a
 * number, with an L of its own. */
void sm4_round(uint32_t *x, uint32_t round_key);
void sm4_key_round(uint32_t *window, uint8_t number);

void sm4_load(uint32_t *x, const uint8_t *in);
void sm4_store_reversed(uint8_t *out, const uint32_t *x);

#endif
