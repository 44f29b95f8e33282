#ifndef STEELYARD_POLY1305_H
#define STEELYARD_POLY1305_H

#include "mac.h"

/* Adds a block of 16 bytes, with high (0 or 1) as its 129th bit, and multiplies by r. */
void poly1305_block(mac_context *ctx, const uint8_t *block, uint8_t high);

#endif
