/* All bytes that may be padding are checked, with masks. */
#include <stdint.h>

/* 0xff for a value below the limit, else 0. */
static uint8_t below(uint8_t value, uint8_t limit) {
    volatile uint16_t difference = (uint16_t)(value - limit);
    return (uint8_t)(difference >> 8);
}

/* Bytes of padding at the end, 0 if it is wrong. */
static uint8_t padding(const uint8_t *text, uint8_t length) {
    /* Read anew for each byte: a compiler would count from the secret number to a secret end
     * otherwise. */
    volatile uint8_t count = text[length - 1];
    uint8_t wrong = below(count, 1) | below(16, count);
    for (uint8_t i = 2; i <= 16; i++) {
        uint8_t differs = below(0, text[length - i] ^ count);
        wrong |= differs & (uint8_t)~below(count, i);
    }
    return count & (uint8_t)~wrong;
}

void probe(uint8_t *out, const uint8_t *secret, const uint8_t *open) {
    uint8_t count = padding(secret, 32);
    for (uint8_t i = 0; i < 32; i++) {
        out[i] = open[i] ^ count;
    }
}
