#include "block.h"

#include "rom.h"
#include "sm4.h"

/* The system parameter FK. */
static const ROM uint32_t fk[4] = {0xa3b1bac6, 0x56aa3350, 0x677d9197, 0xb27022dc};

void block_init(block_context *ctx, const uint8_t *key) {
    sm4_load(ctx->window, key);
    for (uint8_t i = 0; i < 4; i++) {
        ctx->window[i] ^= fk[i];
    }
}
