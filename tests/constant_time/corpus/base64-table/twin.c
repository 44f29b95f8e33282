/* The same digits by arithmetic on the ranges of characters. */
#include <stdint.h>

/* 0xff for a character of the range, else 0. */
static uint8_t within(uint8_t character, uint8_t first, uint8_t last) {
    volatile uint16_t before = (uint16_t)(character - first);
    volatile uint16_t behind = (uint16_t)(last - character);
    return (uint8_t) ~((before | behind) >> 8);
}

static uint8_t digit(uint8_t character) {
    uint8_t upper = within(character, 'A', 'Z'), lower = within(character, 'a', 'z');
    uint8_t number = within(character, '0', '9');
    uint8_t plus = within(character, '+', '+'), slash = within(character, '/', '/');
    uint8_t value = upper & (uint8_t)(character - 'A');
    value |= lower & (uint8_t)(character - 'a' + 26);
    value |= number & (uint8_t)(character - '0' + 52);
    value |= (plus & 62) | (slash & 63);
    return value | (64 & (uint8_t) ~(upper | lower | number | plus | slash));
}

void probe(uint8_t *out, const uint8_t *secret, const uint8_t *open) {
    for (uint8_t i = 0; i < 32; i++) {
        out[i] = digit(secret[i]) ^ open[i];
    }
}
