#ifndef STEELYARD_CONTEXT_H
#define STEELYARD_CONTEXT_H

#include <stdint.h>

/* The round keys as columns with row 0 lowest: the key schedule w of FIPS 197, section 5.2, or for
 * decryption dw of section 5.3.5, in the order of encryption either way. */
typedef struct {
    uint32_t round_keys[4 * (PRIMITIVE_ROUNDS + 1)];
} block_context;

#endif
