/* The contexts of variants with the pointer interface: the record comes first and begins at an even
 * address. The build defines RECORD_BYTES from variant.toml. */
#ifndef STEELYARD_POINTER_CONTEXT_H
#define STEELYARD_POINTER_CONTEXT_H

#include <stdint.h>

typedef union {
    uint8_t bytes[RECORD_BYTES];
    uint16_t words[RECORD_BYTES / 2];
} pointer_record;

/* The record of a block cipher holds the text, the key and room to work in. */
typedef struct {
    pointer_record record;
} block_context;

/* Behind the record of a hash stands what its callers count: bytes or blocks so far, bytes that
 * wait, and whether the first block is still to come. */
typedef struct {
    pointer_record record;
    uint32_t low;
    uint32_t high;
    uint8_t used;
    uint8_t first;
} hash_context;

#endif
