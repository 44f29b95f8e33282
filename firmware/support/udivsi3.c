#include "long.h"

uint32_t __udivsi3(uint32_t dividend, uint32_t divisor) {
    return long_divide(dividend, divisor).quotient;
}
