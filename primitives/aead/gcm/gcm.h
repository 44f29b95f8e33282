#ifndef STEELYARD_GCM_H
#define STEELYARD_GCM_H

#include "aead.h"

/* SP 800-38D, section 6.3: y times the hash key. */
void gcm_multiply(const aead_context *ctx, uint8_t *y);

/* Section 6.4: GHASH goes on over length bytes, zero filled to whole blocks. */
void gcm_ghash(const aead_context *ctx, uint8_t *y, const uint8_t *in, size_t length);

/* The block of both lengths, and the tag of section 7.1, step 6, in y. */
void gcm_tag(const aead_context *ctx, uint8_t *y, const uint8_t *nonce, size_t ad_length,
             size_t length);

/* Section 6.5, from the second counter block on. */
void gcm_counter(const aead_context *ctx, uint8_t *out, const uint8_t *nonce, const uint8_t *in,
                 size_t length);

#endif
