#include "shift.h"

uint64_t __lshrdi3(uint64_t value, int places) {
    return wide_right(value, places, 0);
}
