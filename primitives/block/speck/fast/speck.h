#ifndef STEELYARD_SPECK_H
#define STEELYARD_SPECK_H

#include "word.h"

/* The rotation amounts of the SPECK paper, section 4: 7 and 2 for words of 16 bits, else 8 and 3.
 */
#if WORD_BYTES == 2
#define SPECK_RIGHT(x)   word_rotl1(word_rotr8(x))
#define SPECK_UNRIGHT(x) word_rotr1(word_rotl8(x))
#define SPECK_LEFT(x)    word_rotl1(word_rotl1(x))
#define SPECK_UNLEFT(x)  word_rotr1(word_rotr1(x))
#else
#define SPECK_RIGHT(x)   word_rotr8(x)
#define SPECK_UNRIGHT(x) word_rotl8(x)
#define SPECK_LEFT(x)    word_rotl3(x)
#define SPECK_UNLEFT(x)  word_rotr3(x)
#endif

#endif
