#ifndef STEELYARD_CCM_H
#define STEELYARD_CCM_H

#include "aead.h"

/* RFC 3610, sections 2.2 to 2.4: writes the other text to out, and a whole block of which the tag
 * is the beginning. */
void ccm_crypt(const aead_context *ctx, uint8_t *out, uint8_t *tag, const uint8_t *nonce,
               const uint8_t *ad, size_t ad_length, const uint8_t *in, size_t length,
               uint8_t decrypt);

#endif
