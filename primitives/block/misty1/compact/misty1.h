#ifndef STEELYARD_MISTY1_H
#define STEELYARD_MISTY1_H

#include "context.h"

/* RFC 2994, section 2.3, on a half block as two words, the left one first. */
uint16_t misty1_fi(uint16_t in, uint16_t key);

/* FO for round k, with its result added to to. */
void misty1_add_fo(const block_context *ctx, uint16_t *to, const uint16_t *from, uint8_t k);

/* The subkeys of FL number k: the one that is multiplied, the other. */
void misty1_fl_keys(const block_context *ctx, uint16_t *keys, uint8_t k);

#endif
