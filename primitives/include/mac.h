/* Contract of a MAC variant. See primitives/README.md.
 *
 * The build defines PRIMITIVE_KEY_BYTES and PRIMITIVE_TAG_BYTES from the algorithm's metadata and,
 * for a construction, the parameters of what it is over; the variant's folder holds
 * mac_context.h, which defines mac_context. */
#ifndef STEELYARD_MAC_H
#define STEELYARD_MAC_H

#include <stddef.h>
#include <stdint.h>

#include "mac_context.h"

/* Key set-up with PRIMITIVE_KEY_BYTES bytes, and the start of a message. */
void mac_init(mac_context *ctx, const uint8_t *key);

/* Absorbs length bytes; any split of a message gives the same tag. */
void mac_update(mac_context *ctx, const uint8_t *in, size_t length);

/* Writes the PRIMITIVE_TAG_BYTES bytes of the tag; ctx must be initialised anew afterwards. */
void mac_final(mac_context *ctx, uint8_t *tag);

#endif
