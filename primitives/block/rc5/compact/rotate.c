#include "rc5.h"

uint32_t rc5_rotate(uint32_t x, uint8_t n) {
    for (n &= 31; n > 0; n--) {
        x = x << 1 | x >> 31;
    }
    return x;
}
