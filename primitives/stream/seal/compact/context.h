#ifndef STEELYARD_CONTEXT_H
#define STEELYARD_CONTEXT_H

#include <stdint.h>

/* The key, the specification's table T, the five words of S computed last and their number, the
 * position index n, the number of the next 16 bytes of its key stream, the registers A to D and n1
 * to n4, and the last 16 bytes of key stream. */
typedef struct {
    uint32_t key[5];
    uint32_t t[512];
    uint32_t s[5];
    uint16_t s_number;
    uint32_t index;
    uint8_t block;
    uint32_t registers[4];
    uint32_t n[4];
    uint8_t stream[16];
    uint8_t used_bytes;
} stream_context;

#endif
