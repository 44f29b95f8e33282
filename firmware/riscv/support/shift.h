/* Shifts of 64 bits for a compiler that brings no runtime, made of shifts of 32. */
#ifndef STEELYARD_SHIFT_H
#define STEELYARD_SHIFT_H

#include <stdint.h>

uint64_t __ashldi3(uint64_t value, int count);
uint64_t __lshrdi3(uint64_t value, int count);
int64_t __ashrdi3(int64_t value, int count);

#endif
