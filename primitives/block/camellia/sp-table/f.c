#include "camellia.h"

#include "entries.h"
#include "rotate.h"

/* SBOX1 to SBOX4 of RFC 3713, each in the three bytes of the left half of the output
 * that it reaches from the left half of the input. */
#define TURNED(s, n) (((s) << (n) | (s) >> (8 - (n))) & 0xff)
#define ROW(...)     EACH(ENTRY, __VA_ARGS__)

static const ROM uint32_t sp1[256] = {
#define ENTRY(s) ((uint32_t)(s)*0x01010100)
#include "sbox.inc"
#undef ENTRY
};

static const ROM uint32_t sp2[256] = {
#define ENTRY(s) ((uint32_t)TURNED(s, 1) * 0x00010101)
#include "sbox.inc"
#undef ENTRY
};

static const ROM uint32_t sp3[256] = {
#define ENTRY(s) ((uint32_t)TURNED(s, 7) * 0x01000101)
#include "sbox.inc"
#undef ENTRY
};

static const ROM uint32_t sp4[256] = {
#define ENTRY(s) ((uint32_t)(s)*0x01010001)
#include "sbox4.inc"
#undef ENTRY
};

/* The right half of the output is the left half and, a byte further on, what the left half of the
 * input has added to it. */
void camellia_add_f(uint32_t *y, const uint32_t *x, const uint32_t *subkey) {
    uint32_t left = x[0] ^ subkey[0];
    uint32_t right = x[1] ^ subkey[1];
    uint32_t from_left = sp1[left >> 24] ^ sp2[(uint8_t)(left >> 16)] ^ sp3[(uint8_t)(left >> 8)] ^
                         sp4[(uint8_t)left];
    uint32_t sum = from_left ^ sp2[right >> 24] ^ sp3[(uint8_t)(right >> 16)] ^
                   sp4[(uint8_t)(right >> 8)] ^ sp1[(uint8_t)right];

    y[0] ^= sum;
    y[1] ^= sum ^ rotl32(from_left, 24);
}
