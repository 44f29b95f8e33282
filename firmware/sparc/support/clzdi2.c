#include <stdint.h>

int __clzsi2(uint32_t value);
int __clzdi2(uint64_t value);

int __clzdi2(uint64_t value) {
    uint32_t upper = (uint32_t)(value >> 32);
    return upper ? __clzsi2(upper) : 32 + __clzsi2((uint32_t)value);
}
