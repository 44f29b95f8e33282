/* Every byte is looked at; masks keep the first place of a zero. */
#include <stdint.h>

/* 0xff for 0, else 0. */
static uint8_t is_zero(uint8_t value) {
    volatile uint16_t less_one = (uint16_t)(value - 1u);
    return (uint8_t)(less_one >> 8);
}

/* Place of the message, 0 if the padding is wrong. */
static uint8_t message_at(const uint8_t *block, uint8_t length) {
    uint8_t right = is_zero(block[0]) & is_zero(block[1] ^ 2);
    uint8_t searching = 0xff, at = 0;
    for (uint8_t i = 2; i < length; i++) {
        uint8_t found = searching & is_zero(block[i]);
        uint8_t far_enough = i < 10 ? 0 : 0xff;
        at |= found & far_enough & (uint8_t)(i + 1);
        searching &= (uint8_t)~found;
    }
    return at & right;
}

void probe(uint8_t *out, const uint8_t *secret, const uint8_t *open) {
    uint8_t at = message_at(secret, 32);
    for (uint8_t i = 0; i < 32; i++) {
        out[i] = open[i] ^ at;
    }
}
