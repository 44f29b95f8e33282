#include "long.h"

uint32_t __umodsi3(uint32_t dividend, uint32_t divisor) {
    return long_divide(dividend, divisor).remainder;
}
