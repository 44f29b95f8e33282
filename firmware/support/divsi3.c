#include "long.h"

int32_t __divsi3(int32_t dividend, int32_t divisor) {
    uint32_t quotient = long_divide(long_magnitude(dividend), long_magnitude(divisor)).quotient;
    return (int32_t)((dividend < 0) != (divisor < 0) ? -quotient : quotient);
}
