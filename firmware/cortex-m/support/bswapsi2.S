#include "core.h"

function __bswapsi2
    rev r0, r0
    bx lr
end_function __bswapsi2
