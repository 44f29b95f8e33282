#ifndef STEELYARD_BYTE_WORDS_H
#define STEELYARD_BYTE_WORDS_H

#include "bytes.h"

/* Words of a block put together from bytes, by variants where whole words are not worth a test of
 * the address. */
#define load_word_le  load32_le
#define store_word_le store32_le

#endif
