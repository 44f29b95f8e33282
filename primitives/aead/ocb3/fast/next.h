#ifndef STEELYARD_NEXT_H
#define STEELYARD_NEXT_H

#include <string.h>

#include "double.h"
#include "ocb.h"

/* For offset.c alone. */
void ocb_next(const aead_context *ctx, uint8_t *offset, size_t index) {
    uint8_t mask[16];
    uint8_t zeros = 0;

    for (; (index & 1) == 0; index >>= 1) {
        zeros++;
    }
    if (zeros < OCB_MASKS) {
        ocb_add(offset, ctx->masks[zeros]);
        return;
    }
    memcpy(mask, ctx->masks[OCB_MASKS - 1], 16);
    for (; zeros >= OCB_MASKS; zeros--) {
        double_block(mask);
    }
    ocb_add(offset, mask);
}

#endif
