/* The same pass; the compiler cannot know that the mask has only two values. */
#include <stdint.h>

#define ENTRIES 8
#define WORDS   3

/* 1 for a number below 0 in two's complement. */
static uint8_t is_negative(uint32_t value) {
    volatile uint8_t byte = (uint8_t)(value >> 24);
    return byte >> 7;
}

static uint32_t hide(uint32_t value) {
    volatile uint32_t hidden = value;
    return hidden;
}

static void get_entry(uint32_t *to, const uint32_t *table, uint8_t index) {
    for (uint8_t j = 0; j < WORDS; j++) {
        to[j] = 0;
    }
    for (uint8_t i = 0; i < ENTRIES; i++) {
        uint32_t mask = 0 - hide(is_negative((uint32_t)(i ^ index) - 1));
        for (uint8_t j = 0; j < WORDS; j++) {
            uint32_t word = *table++;
            to[j] |= mask & word;
        }
    }
}

void probe(uint8_t *out, const uint8_t *secret, const uint8_t *open) {
    uint32_t table[ENTRIES * WORDS], entry[WORDS];
    for (uint8_t i = 0; i < ENTRIES; i++) {
        for (uint8_t j = 0; j < WORDS; j++) {
            table[WORDS * i + j] = (uint32_t)open[i + 8 * j] << 16 | open[8 * j];
        }
    }
    for (uint8_t i = 0; i < 10; i++) {
        get_entry(entry, table, secret[i] & (ENTRIES - 1));
        for (uint8_t j = 0; j < WORDS; j++) {
            out[3 * i + j] = (uint8_t)(entry[j] ^ entry[j] >> 16);
        }
    }
    out[30] = open[30];
    out[31] = open[31];
}
