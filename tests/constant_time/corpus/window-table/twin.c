/* All values of the table are read for every window. */
#include <stdint.h>

/* 1 for a number below 0 in two's complement. */
static uint8_t is_negative(uint32_t value) {
    volatile uint8_t byte = (uint8_t)(value >> 24);
    return byte >> 7;
}

static uint32_t hide(uint32_t value) {
    volatile uint32_t hidden = value;
    return hidden;
}

static uint32_t entry(const uint32_t *table, uint8_t index) {
    uint32_t kept = 0;
    for (uint8_t i = 0; i < 16; i++) {
        uint32_t mask = 0 - hide(is_negative((uint32_t)(i ^ index) - 1));
        kept |= table[i] & mask;
    }
    return kept;
}

void probe(uint8_t *out, const uint8_t *secret, const uint8_t *open) {
    uint32_t table[16], value = 0;
    for (uint8_t i = 0; i < 16; i++) {
        table[i] = (uint32_t)open[i] << 20 ^ open[i + 16];
    }
    for (uint8_t i = 0; i < 32; i++) {
        value = (value << 7 | value >> 25) + entry(table, secret[i] >> 4);
        value = (value << 7 | value >> 25) + entry(table, secret[i] & 15);
        out[i] = (uint8_t)(value ^ value >> 16);
    }
}
