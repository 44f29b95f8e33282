#ifndef STEELYARD_SIMON_ROUND_H
#define STEELYARD_SIMON_ROUND_H

#include "inline.h"
#include "word.h"

/* SIMON paper, section 3.1: y + f(x) + k, the new left word. */
ALWAYS_INLINE word simon_mix(word x, word y, word k) {
    word once = word_rotl1(x);
    word mixed = word_xor(word_and(once, word_rotl8(x)), word_rotl1(once));
    return word_xor(word_xor(y, mixed), k);
}

#endif
