#ifndef STEELYARD_CONTEXT_H
#define STEELYARD_CONTEXT_H

#include <stdint.h>

/* The 128-bit strings of which all subkeys are rotations (RFC 3713, key schedule). */
#if PRIMITIVE_KEY_BYTES == 16
enum { KL, KA, CAMELLIA_STRINGS };
#else
enum { KL, KA, KR, KB, CAMELLIA_STRINGS };
#endif

typedef struct {
    uint8_t strings[CAMELLIA_STRINGS][16];
} block_context;

#endif
