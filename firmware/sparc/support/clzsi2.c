#include <stdint.h>

int __clzsi2(uint32_t value);

int __clzsi2(uint32_t value) {
    int zeros = 0;
    for (; !(value & 0x80000000) && zeros < 32; value <<= 1)
        zeros++;
    return zeros;
}
