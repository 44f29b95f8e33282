/* Both modes in one image: each is compiled with a name of its own. */
#include <stddef.h>
#include <stdint.h>

#include "block.h"

void ctr_encrypt(const block_context *ctx, uint8_t *iv, uint8_t *out, const uint8_t *in,
                 size_t length);
void cbc_encrypt(const block_context *ctx, uint8_t *iv, uint8_t *out, const uint8_t *in,
                 size_t length);
