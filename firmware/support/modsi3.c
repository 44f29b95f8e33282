#include "long.h"

int32_t __modsi3(int32_t dividend, int32_t divisor) {
    uint32_t remainder = long_divide(long_magnitude(dividend), long_magnitude(divisor)).remainder;
    return (int32_t)(dividend < 0 ? -remainder : remainder);
}
