#include <stdint.h>

uint32_t __bswapsi2(uint32_t value);

uint32_t __bswapsi2(uint32_t value) {
    return value << 24 | (value & 0xff00) << 8 | (value >> 8 & 0xff00) | value >> 24;
}
