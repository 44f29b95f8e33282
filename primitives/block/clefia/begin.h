#ifndef STEELYARD_BEGIN_H
#define STEELYARD_BEGIN_H

#include "clefia.h"

/* How the key schedule of every variant begins, for its schedule.c alone. */

/* RFC 6114: the word that the constants begin from, the two that they are made with, and the rounds
 * that make L. */
#if PRIMITIVE_KEY_BYTES == 16
#define CONSTANT   0x428a
#define GFN_ROUNDS 12
#elif PRIMITIVE_KEY_BYTES == 24
#define CONSTANT   0x7137
#define GFN_ROUNDS 10
#else
#define CONSTANT   0xb5c0
#define GFN_ROUNDS 10
#endif
#define P 0xb7e1
#define Q 0x243f

static void add16(uint8_t *to, uint16_t word) {
    to[0] = (uint8_t)(to[0] ^ word >> 8);
    to[1] = (uint8_t)(to[1] ^ word);
}

/* Adds the two constants made of one word. */
static void add_constants(uint8_t *to, uint16_t t) {
    uint16_t inverted = (uint16_t)~t;

    add16(to, t ^ P);
    add16(to + 2, (uint16_t)(inverted << 1 | inverted >> 15));
    add16(to + 4, inverted ^ Q);
    add16(to + 6, (uint16_t)(t << 8 | t >> 8));
}

/* Division by x modulo x^16 + x^15 + x^13 + x^11 + x^5 + x^4 + 1. */
static uint16_t next_constant(uint16_t t) {
    return (uint16_t)(t >> 1 ^ (0xd418 & (0u - (t & 1u))));
}

/* RFC 6114, key schedule: the generalised Feistel network on the key under the constants; the words
 * stay in place instead of moving on after each round. */
void clefia_begin(clefia_schedule *schedule, const uint8_t *key) {
    uint8_t s[CLEFIA_KEY_BYTES];
    uint8_t at = 0;

    for (uint8_t i = 0; i < CLEFIA_KEY_BYTES; i++) {
        schedule->key[i] =
            i < PRIMITIVE_KEY_BYTES ? key[i] : (uint8_t)~key[i - PRIMITIVE_KEY_BYTES];
        s[i] = schedule->key[i];
    }
    schedule->constant = CONSTANT;
    for (uint8_t round = 0; round < GFN_ROUNDS; round++) {
        for (uint8_t half = 0; half < CLEFIA_KEY_BYTES / 16; half++) {
            uint8_t constants[8] = {0};
            add_constants(constants, schedule->constant);
            schedule->constant = next_constant(schedule->constant);
            at = (uint8_t)(4 * round + 16 * half) & (CLEFIA_KEY_BYTES - 1);
            clefia_add_f0(s + ((at + 4) & (CLEFIA_KEY_BYTES - 1)), s + at, constants);
            clefia_add_f1(s + ((at + 12) & (CLEFIA_KEY_BYTES - 1)),
                          s + ((at + 8) & (CLEFIA_KEY_BYTES - 1)), constants + 4);
        }
    }
    for (uint8_t i = 0; i < CLEFIA_KEY_BYTES; i++) {
        schedule->l[i] = s[(4 * (GFN_ROUNDS - 1) + i) & (CLEFIA_KEY_BYTES - 1)];
    }
}

void clefia_whitening(uint8_t *whitening, const uint8_t *key) {
    for (uint8_t i = 0; i < 16; i++) {
        whitening[i] = key[i];
#if PRIMITIVE_KEY_BYTES > 16
        whitening[i] ^= key[16 + i];
#endif
    }
}

/* DoubleSwap: seven bits from either end change places with the 57 next to them. */
static void double_swap(uint8_t *l) {
    uint8_t first = l[0];
    uint8_t last = l[15];

    for (uint8_t i = 0; i < 7; i++) {
        l[i] = (uint8_t)(l[i] << 7 | l[i + 1] >> 1);
    }
    for (uint8_t i = 15; i > 8; i--) {
        l[i] = (uint8_t)(l[i] >> 7 | l[i - 1] << 1);
    }
    l[7] = (uint8_t)(l[7] << 7 | (last & 0x7f));
    l[8] = (uint8_t)(l[8] >> 7 | (first & 0xfe));
}

/* The half of L that makes the keys number i, and the half of the key that is added to odd ones. */
#if PRIMITIVE_KEY_BYTES == 16
#define L_OF(schedule, i)   ((schedule)->l)
#define KEY_OF(schedule, i) ((schedule)->key)
#else
#define L_OF(schedule, i)   ((schedule)->l + ((i)&2 ? 16 : 0))
#define KEY_OF(schedule, i) ((schedule)->key + ((i)&2 ? 0 : 16))
#endif

#endif
