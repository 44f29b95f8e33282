#ifndef STEELYARD_BLOWFISH_H
#define STEELYARD_BLOWFISH_H

#include <stdint.h>

#include "context.h"
#include "rom.h"

/* The fraction of pi in words of 32 bits, computed by Machin's formula. */
extern const ROM uint32_t blowfish_pi[BLOWFISH_WORDS];

/* One block as two words; the key set-up uses it, too. */
void blowfish_encrypt(const block_context *ctx, uint32_t *halves);

/* The rounds, with the subkey *p first and then those to which step leads. */
void blowfish_rounds(const block_context *ctx, uint32_t *halves, const uint32_t *p, int8_t step);

#endif
