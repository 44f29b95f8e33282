#ifndef STEELYARD_OCB_H
#define STEELYARD_OCB_H

#include "aead.h"

/* Adds to offset, of RFC 7253, section 4.1: L_* doubled twice and as often as index has zeros below
 * its lowest one. */
void ocb_next(const aead_context *ctx, uint8_t *offset, size_t index);

/* Section 4.2: the first offset of a message. */
void ocb_start(const aead_context *ctx, uint8_t *offset, const uint8_t *nonce);

/* Section 4.1: the hash of the associated data. */
void ocb_hash(const aead_context *ctx, uint8_t *sum, const uint8_t *ad, size_t length);

/* Sections 4.2 and 4.3 after the whole blocks: a last piece of length bytes (below 16), whose
 * plaintext is added to the checksum, and the tag. */
void ocb_finish(const aead_context *ctx, uint8_t *out, uint8_t *tag, uint8_t *offset,
                uint8_t *checksum, const uint8_t *ad, size_t ad_length, const uint8_t *in,
                uint8_t length, uint8_t decrypt);

static inline void ocb_add(uint8_t *to, const uint8_t *from) {
    for (uint8_t i = 0; i < 16; i++) {
        to[i] ^= from[i];
    }
}

#endif
