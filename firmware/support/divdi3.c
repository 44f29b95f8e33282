#include "wide.h"

int64_t __divdi3(int64_t dividend, int64_t divisor) {
    uint64_t quotient = wide_divide(wide_magnitude(dividend), wide_magnitude(divisor)).quotient;
    return (int64_t)((dividend < 0) != (divisor < 0) ? -quotient : quotient);
}
