#ifndef STEELYARD_PRINCE_SETUP_H
#define STEELYARD_PRINCE_SETUP_H

#include <stdint.h>

#include "context.h"

/* PRINCE paper: key set-up with k0, k0' and k1 in their places; minus, for decryption,
 * exchanges the first two and adds alpha to the third (section 3.1). */
void prince_setup(block_context *ctx, const uint8_t *key, uint8_t minus);

#endif
