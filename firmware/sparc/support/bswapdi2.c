#include <stdint.h>

uint32_t __bswapsi2(uint32_t value);
uint64_t __bswapdi2(uint64_t value);

uint64_t __bswapdi2(uint64_t value) {
    return (uint64_t)__bswapsi2((uint32_t)value) << 32 | __bswapsi2((uint32_t)(value >> 32));
}
