#include "shift.h"

uint64_t __lshrdi3(uint64_t value, int count) {
    uint32_t low = (uint32_t)value, high = (uint32_t)(value >> 32);
    uint32_t amount = (uint32_t)count & 31;
    if (count & 32) {
        low = high >> amount;
        high = 0;
    } else if (amount) {
        low = low >> amount | high << (32 - amount);
        high >>= amount;
    }
    return ((uint64_t)high << 32 | low);
}
