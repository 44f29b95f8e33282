#include <stdint.h>

int __popcountsi2(uint32_t value);

int __popcountsi2(uint32_t value) {
    uint32_t pairs = value - (value >> 1 & 0x55555555);
    uint32_t nibbles = (pairs & 0x33333333) + (pairs >> 2 & 0x33333333);
    uint32_t bytes = (nibbles + (nibbles >> 4)) & 0x0f0f0f0f;
    uint32_t halves = bytes + (bytes >> 8);
    return (int)((halves + (halves >> 16)) & 0x3f);
}
