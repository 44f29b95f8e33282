#ifndef STEELYARD_GIFT_SCHEDULE_H
#define STEELYARD_GIFT_SCHEDULE_H

#include <stdint.h>

#include "context.h"
#include "rom.h"

#define GIFT_NIBBLES (2 * PRIMITIVE_BLOCK_BYTES)

/* Bit b of the nibble at `place`, in its byte. */
#define GIFT_MASK(place, b) ((uint8_t)(((place)&1 ? 0x10 : 1) << (b)))

/* The key's words stay where they are: the round beginning at word `at` uses them from there. */
typedef struct {
    uint16_t key[8];
    uint8_t at;
    uint8_t round;
    uint8_t constant;
} gift_schedule;

void gift_schedule_start(gift_schedule *s, const block_context *ctx);

/* GIFT paper, and back. */
void gift_schedule_next(gift_schedule *s);
void gift_schedule_back(gift_schedule *s);

/* GIFT paper, AddRoundKey. */
void gift_schedule_add(const gift_schedule *s, uint8_t *state);

/* PermBits, section 2.1: the nibble to which bit b of nibble n goes. */
uint8_t gift_place(uint8_t n, uint8_t b);

void gift_flip(uint8_t *state, uint8_t place, uint8_t b);

/* The state has its lowest byte first, the block its highest. */
void gift_reverse(uint8_t *to, const uint8_t *from);

#endif
