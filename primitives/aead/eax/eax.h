#ifndef STEELYARD_EAX_H
#define STEELYARD_EAX_H

#include "aead.h"

/* Figure 1 of the paper: OMAC of a block that holds tweak, and of length bytes. */
void eax_omac(const aead_context *ctx, uint8_t *out, uint8_t tweak, const uint8_t *in,
              size_t length);

/* CTR from the block start on. */
void eax_counter(const aead_context *ctx, uint8_t *out, const uint8_t *start, const uint8_t *in,
                 size_t length);

#endif
