/* What a shared point does to a message (GM/T 0003.4, steps A5 to A7 and B4 to B6). */
#ifndef SM2_MASKED_H
#define SM2_MASKED_H

#include <stddef.h>
#include <stdint.h>

#include "point.h"

#define C1_BYTES     65
#define C3_BYTES     32
#define UNCOMPRESSED 4

/* out = in XOR KDF(x || y), and digest = Hash(x || message || y), for the affine coordinates of the
 * point; the message is in, or where to_message is not 0 out. 0 where the key stream is all zeros.
 * out may be in. */
uint8_t sm2_mask_message(uint8_t *out, uint8_t *digest, const sm2_point *point, const uint8_t *in,
                         size_t length, uint8_t to_message);

#endif
