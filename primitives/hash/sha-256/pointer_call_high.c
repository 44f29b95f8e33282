/* The calls of hash.h for records whose words have their high byte first. */
#define LOAD32  load32_be
#define STORE32 store32_be

#include "pointer_call.c"
