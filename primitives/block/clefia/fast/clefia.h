#ifndef STEELYARD_CLEFIA_H
#define STEELYARD_CLEFIA_H

#include <stdint.h>

/* Bytes of K, or of KL and KR, and as many of the intermediate key L. */
#define CLEFIA_KEY_BYTES (PRIMITIVE_KEY_BYTES == 16 ? 16 : 32)

/* The key schedule: what it goes on from. */
typedef struct {
    uint8_t key[CLEFIA_KEY_BYTES];
    uint8_t l[CLEFIA_KEY_BYTES];
    uint16_t constant;
} clefia_schedule;

/* Add F0(key, x) or F1(key, x) to y, four bytes each (RFC 6114). */
void clefia_add_f0(uint8_t *y, const uint8_t *x, const uint8_t *key);
void clefia_add_f1(uint8_t *y, const uint8_t *x, const uint8_t *key);

/* Sets the schedule up: L from the key. */
void clefia_begin(clefia_schedule *schedule, const uint8_t *key);

/* The 16 bytes of round keys of the rounds 2 i and 2 i + 1, for each i from 0 on in turn. */
void clefia_next_keys(uint8_t *round_keys, clefia_schedule *schedule, uint8_t i);

/* The whitening keys, from the key. */
void clefia_whitening(uint8_t *whitening, const uint8_t *key);

#endif
