#ifndef STEELYARD_HIGHT_SUBKEY_H
#define STEELYARD_HIGHT_SUBKEY_H

#include <stdint.h>

#include "context.h"

/* HIGHT paper, section 2.2: delta_127. */
#define HIGHT_LAST_DELTA 0x5A

/* HIGHT paper, section 2.2: subkey SK_index less its constant. */
uint8_t hight_key_byte(const block_context *ctx, uint8_t index);

/* HIGHT paper, section 2.4. */
uint8_t hight_f0(uint8_t x);
uint8_t hight_f1(uint8_t x);

/* Adds whitening bytes from `from` on to every second byte, by turns modulo 256 and 2, or takes
 * them away. */
void hight_whiten(uint8_t *x, const block_context *ctx, uint8_t from, uint8_t minus);

#endif
