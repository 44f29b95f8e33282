#include "rc6.h"

/* One bit at a time: no compiler needs more than a few instructions for it. */
uint32_t rc6_rotate(uint32_t x, uint8_t n) {
    for (n &= 31; n > 0; n--) {
        x = x << 1 | x >> 31;
    }
    return x;
}

uint32_t rc6_quadratic(uint32_t x) {
    return rc6_rotate(x * (2 * x + 1), 5);
}
