#include "pad.h"

#include <string.h>

void hmac_start(hash_context *hash, const uint8_t *key, uint8_t pad) {
    uint8_t block[PRIMITIVE_BLOCK_BYTES];

    memset(block, pad, sizeof block);
    for (uint8_t i = 0; i < PRIMITIVE_KEY_BYTES; i++) {
        block[i] ^= key[i];
    }
    hash_init(hash);
    hash_update(hash, block, sizeof block);
}
