#ifndef STEELYARD_CONTEXT_H
#define STEELYARD_CONTEXT_H

#include <stdint.h>

/* Bytes of K, or of KL and KR, and as many of the intermediate key L. */
#define CLEFIA_KEY_BYTES (PRIMITIVE_KEY_BYTES == 16 ? 16 : 32)

/* The key schedule where it begins, for encryption, or where it ends, for decryption. */
typedef struct {
    uint8_t key[CLEFIA_KEY_BYTES];
    uint8_t l[CLEFIA_KEY_BYTES];
    uint16_t constant;
} block_context;

#endif
