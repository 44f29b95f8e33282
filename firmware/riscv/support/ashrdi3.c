#include "shift.h"

int64_t __ashrdi3(int64_t value, int count) {
    uint32_t low = (uint32_t)value, high = (uint32_t)((uint64_t)value >> 32);
    uint32_t amount = (uint32_t)count & 31;
    if (count & 32) {
        low = (uint32_t)((int32_t)high >> amount);
        high = (uint32_t)((int32_t)high >> 31);
    } else if (amount) {
        low = low >> amount | high << (32 - amount);
        high = (uint32_t)((int32_t)high >> amount);
    }
    return (int64_t)((uint64_t)high << 32 | low);
}
