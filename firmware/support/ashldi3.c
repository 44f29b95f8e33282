#include "shift.h"

uint64_t __ashldi3(uint64_t value, int places) {
    wide_words x = {value};
    for (; places >= 16; places -= 16) {
        x.word[3] = x.word[2];
        x.word[2] = x.word[1];
        x.word[1] = x.word[0];
        x.word[0] = 0;
    }
    for (; places > 0; places--) {
        x.half[1] = x.half[1] << 1 | (uint16_t)(x.word[1] >> 15);
        x.half[0] <<= 1;
    }
    return x.whole;
}
