#ifndef STEELYARD_TURN_H
#define STEELYARD_TURN_H

#include <stdint.h>

/* Moves each of the four words one place down, or up, and the outermost one to the other end. */
void mars_turn(uint32_t *x);
void mars_turn_back(uint32_t *x);

#endif
