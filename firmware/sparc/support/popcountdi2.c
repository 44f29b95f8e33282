#include <stdint.h>

int __popcountsi2(uint32_t value);
int __popcountdi2(uint64_t value);

int __popcountdi2(uint64_t value) {
    return __popcountsi2((uint32_t)value) + __popcountsi2((uint32_t)(value >> 32));
}
