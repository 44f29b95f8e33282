#ifndef STEELYARD_CHAPOLY_H
#define STEELYARD_CHAPOLY_H

#include "aead.h"
#include "mac.h"
#include "stream.h"

/* RFC 8439, section 2.6: the first block of the stream is the key of the tag; the stream then
 * stands at the second. */
void chapoly_start(const aead_context *ctx, stream_context *stream, mac_context *mac,
                   const uint8_t *nonce);

/* Section 2.8: the tag over associated data and ciphertext. */
void chapoly_tag(mac_context *mac, uint8_t *tag, const uint8_t *ad, size_t ad_length,
                 const uint8_t *ciphertext, size_t length);

#endif
