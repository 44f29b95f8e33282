/* The tag of a whole message in one call, written once for every MAC. See modes/README.md. */
#ifndef STEELYARD_MAC_COMPUTE_H
#define STEELYARD_MAC_COMPUTE_H

#include "mac.h"

/* Writes the PRIMITIVE_TAG_BYTES bytes of the tag of length bytes; ctx comes from mac_init and must
 * be initialised anew afterwards. */
void mac_compute(mac_context *ctx, uint8_t *tag, const uint8_t *in, size_t length);

#endif
