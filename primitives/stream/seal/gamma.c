#include "stream.h"

#include "rotate.h"
#include "seal.h"

/* FIPS 180-4, section 6.1.2 and 6.1.3. */
void seal_gamma(uint32_t *words, const uint32_t *key, uint16_t number) {
    uint32_t w[16];
    uint32_t a = key[0];
    uint32_t b = key[1];
    uint32_t c = key[2];
    uint32_t d = key[3];
    uint32_t e = key[4];

    w[0] = number;
    for (uint8_t i = 1; i < 16; i++) {
        w[i] = 0;
    }
    for (uint8_t step = 0; step < 80; step++) {
        uint32_t sum = rotl32(a, 5) + e;
        uint32_t *word = w + (step & 15);

        if (step >= 16) {
            uint32_t next = *word ^ w[(step + 2) & 15] ^ w[(step + 8) & 15] ^ w[(step + 13) & 15];
            *word = rotl32(next, 1);
        }
        sum += *word;
        if (step < 20) {
            sum += (d ^ (b & (c ^ d))) + UINT32_C(0x5a827999);
        } else if (step < 40) {
            sum += (b ^ c ^ d) + UINT32_C(0x6ed9eba1);
        } else if (step < 60) {
            sum += ((b & c) | (d & (b | c))) + UINT32_C(0x8f1bbcdc);
        } else {
            sum += (b ^ c ^ d) + UINT32_C(0xca62c1d6);
        }
        e = d;
        d = c;
        c = rotl32(b, 30);
        b = a;
        a = sum;
    }
    words[0] = key[0] + a;
    words[1] = key[1] + b;
    words[2] = key[2] + c;
    words[3] = key[3] + d;
    words[4] = key[4] + e;
}

void seal_fill(uint32_t *words, uint16_t count, const uint32_t *key, uint16_t index) {
    uint16_t number = index / 5;
    uint8_t at = (uint8_t)(index % 5);
    uint32_t five[5];

    seal_gamma(five, key, number);
    for (; count > 0; count--) {
        if (at == 5) {
            seal_gamma(five, key, ++number);
            at = 0;
        }
        *words++ = five[at++];
    }
}
