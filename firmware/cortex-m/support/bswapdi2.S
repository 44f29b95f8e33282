#include "core.h"

function __bswapdi2
    rev r2, r0
    rev r0, r1
    movs r1, r2
    bx lr
end_function __bswapdi2
