/* The part of <string.h> that a primitive may use. */
#ifndef STEELYARD_STRING_H
#define STEELYARD_STRING_H

#include <stddef.h>

void *memcpy(void *to, const void *from, size_t length);
void *memmove(void *to, const void *from, size_t length);
void *memset(void *to, int value, size_t length);
int memcmp(const void *left, const void *right, size_t length);

#endif
