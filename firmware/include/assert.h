/* <assert.h>: without NDEBUG a condition that does not hold ends in a loop, without a message. */
#include <stdlib.h>

#undef assert
#ifdef NDEBUG
#define assert(condition) ((void)0)
#else
#define assert(condition) ((condition) ? (void)0 : abort())
#endif

#ifndef STEELYARD_ASSERT_H
#define STEELYARD_ASSERT_H

#if defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L && __STDC_VERSION__ < 202311L
#define static_assert _Static_assert
#endif

#endif
