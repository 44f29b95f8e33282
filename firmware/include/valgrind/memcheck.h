/* The part of <valgrind/memcheck.h> by which code marks its secrets: undefined bytes are secret,
   defined ones public. A machine that follows secrets obeys calls of the two functions below.
   Elsewhere a mark costs the call of an empty function, with its bytes and cycles. */
#ifndef STEELYARD_VALGRIND_MEMCHECK_H
#define STEELYARD_VALGRIND_MEMCHECK_H

#include <stddef.h>

#include "valgrind.h"

#ifdef __cplusplus
extern "C" {
#endif

/* They are weak so that each file may have them, and so that no compiler drops a call because it
   knows that the function is empty. The second differs from the first, else both become one. */
__attribute__((weak, noinline)) void steelyard_mark_secret(const volatile void *address,
                                                           size_t bytes) {
    (void)address;
    (void)bytes;
}

__attribute__((weak, noinline)) void steelyard_mark_public(const volatile void *address,
                                                           size_t bytes) {
    (void)address;
    (void)bytes;
    __asm__ volatile("" : : : "memory");
}

#ifdef __cplusplus
}
#endif

/* The value is that of Memcheck where no tool runs. */
#define VALGRIND_MAKE_MEM_UNDEFINED(address, bytes) (steelyard_mark_secret((address), (bytes)), 0)
#define VALGRIND_MAKE_MEM_DEFINED(address, bytes)   (steelyard_mark_public((address), (bytes)), 0)

/* Nothing is asked: what depends on a secret is found where it happens. */
#define VALGRIND_CHECK_MEM_IS_DEFINED(address, bytes) ((void)(address), (void)(bytes), 0)
#define VALGRIND_CHECK_VALUE_IS_DEFINED(value)        ((void)(value), 0)

#endif
