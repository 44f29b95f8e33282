#ifndef STEELYARD_CONTEXT_H
#define STEELYARD_CONTEXT_H

#include <stdint.h>

/* The key schedule w of FIPS 197, section 5.2, as columns with row 0 lowest, and the tables, which
 * do not depend on the key. */
typedef struct {
    uint32_t round_keys[4 * (PRIMITIVE_ROUNDS + 1)];
    uint8_t sbox[256];
    uint8_t inverse_sbox[256];
} block_context;

#endif
