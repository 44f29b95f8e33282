#ifndef STEELYARD_CONTEXT_H
#define STEELYARD_CONTEXT_H

#include <stdint.h>

/* As many bytes of the key schedule w of FIPS 197, section 5.2, as the key has: its first ones for
 * encryption, its last ones for decryption. */
typedef struct {
    uint8_t window[PRIMITIVE_KEY_BYTES];
    uint8_t position; /* of the next word in window */
    uint8_t rcon;     /* of the next word at position 0 */
} block_context;

#endif
