#include "shift.h"

int64_t __ashrdi3(int64_t value, int places) {
    return (int64_t)wide_right((uint64_t)value, places, value < 0 ? 0xFFFF : 0);
}
