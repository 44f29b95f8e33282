/* The constant sequences z_0 to z_4 of the SIMON paper, section 3.2: 62 bits, the first
 * lowest. */
#ifndef STEELYARD_SIMON_SEQUENCE_H
#define STEELYARD_SIMON_SEQUENCE_H

#define SIMON_SEQUENCE_BITS 62

#if SIMON_SEQUENCE == 0
#define SIMON_SEQUENCE_BYTES                                                                       \
    { 0x5F, 0xA4, 0x86, 0xB3, 0x2F, 0x52, 0xC3, 0x19 }
#elif SIMON_SEQUENCE == 1
#define SIMON_SEQUENCE_BYTES                                                                       \
    { 0x71, 0x9F, 0x0C, 0xAD, 0xB8, 0x4F, 0x86, 0x16 }
#elif SIMON_SEQUENCE == 2
#define SIMON_SEQUENCE_BYTES                                                                       \
    { 0xF5, 0x0E, 0x2C, 0x19, 0x85, 0xF8, 0x69, 0x33 }
#elif SIMON_SEQUENCE == 3
#define SIMON_SEQUENCE_BYTES                                                                       \
    { 0xDB, 0x35, 0xA6, 0x07, 0x12, 0xE5, 0x2C, 0x3C }
#else
#define SIMON_SEQUENCE_BYTES                                                                       \
    { 0x8B, 0x67, 0x6D, 0x04, 0x3A, 0x4C, 0xC9, 0x3D }
#endif

#endif
