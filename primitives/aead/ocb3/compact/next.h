#ifndef STEELYARD_NEXT_H
#define STEELYARD_NEXT_H

#include <string.h>

#include "double.h"
#include "ocb.h"

/* For offset.c alone. */
void ocb_next(const aead_context *ctx, uint8_t *offset, size_t index) {
    uint8_t mask[16];

    memcpy(mask, ctx->star, 16);
    double_block(mask);
    double_block(mask);
    for (; (index & 1) == 0; index >>= 1) {
        double_block(mask);
    }
    ocb_add(offset, mask);
}

#endif
