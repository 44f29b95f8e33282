/* <assert.h>: a condition that does not hold ends in a loop, without a message. */
#include <stdlib.h>

#undef assert
#ifdef NDEBUG
#define assert(condition) ((void)0)
#else
#define assert(condition) ((condition) ? (void)0 : abort())
#endif
