/* <assert.h>: what is asserted is not evaluated, as with NDEBUG. */
#undef assert
#define assert(condition) ((void)0)

#ifndef STEELYARD_ASSERT_H
#define STEELYARD_ASSERT_H

#if defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L && __STDC_VERSION__ < 202311L
#define static_assert _Static_assert
#endif

#endif
