#include <stdint.h>

int __ctzsi2(uint32_t value);

int __ctzsi2(uint32_t value) {
    int zeros = 0;
    for (; !(value & 1) && zeros < 32; value >>= 1)
        zeros++;
    return zeros;
}
