#include <stdint.h>

int __ctzsi2(uint32_t value);
int __ctzdi2(uint64_t value);

int __ctzdi2(uint64_t value) {
    uint32_t lower = (uint32_t)value;
    return lower ? __ctzsi2(lower) : 32 + __ctzsi2((uint32_t)(value >> 32));
}
