#include "wide.h"

int64_t __moddi3(int64_t dividend, int64_t divisor) {
    uint64_t remainder = wide_divide(wide_magnitude(dividend), wide_magnitude(divisor)).remainder;
    return (int64_t)(dividend < 0 ? -remainder : remainder);
}
