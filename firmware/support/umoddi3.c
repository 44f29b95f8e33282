#include "wide.h"

uint64_t __umoddi3(uint64_t dividend, uint64_t divisor) {
    return wide_divide(dividend, divisor).remainder;
}
