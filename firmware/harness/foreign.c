/* What code with an interface of its own finds beside itself: the context that its calls share, and
 * a source of random bytes, which are those that the bench has placed. The build defines what there
 * is. */
#include <stddef.h>
#include <stdint.h>

#if defined(HARNESS_CONTEXT_PREPARED)
/* The bench puts its content here before each call. */
#include <avr/pgmspace.h>
#define HARNESS_CONTEXT_KIND    const
#define HARNESS_CONTEXT_CONTENT PROGMEM = {0}
#else
#define HARNESS_CONTEXT_KIND
#define HARNESS_CONTEXT_CONTENT
#endif

#if defined(HARNESS_CONTEXT_TYPE)
HARNESS_CONTEXT_KIND HARNESS_CONTEXT_TYPE harness_context HARNESS_CONTEXT_CONTENT;
#elif defined(HARNESS_CONTEXT_BYTES)
_Alignas(8)
    HARNESS_CONTEXT_KIND uint8_t harness_context[HARNESS_CONTEXT_BYTES] HARNESS_CONTEXT_CONTENT;
#endif

#if defined(HARNESS_RANDOM)
const uint8_t *harness_random_next;
const uint8_t *harness_random_begin;
const uint8_t *harness_random_end;
uintptr_t harness_random_lap;

#ifndef HARNESS_RANDOM_LENGTH
#define HARNESS_RANDOM_LENGTH size_t
#endif

int HARNESS_RANDOM(uint8_t *out, HARNESS_RANDOM_LENGTH count);

int HARNESS_RANDOM(uint8_t *out, HARNESS_RANDOM_LENGTH count) {
    const uint8_t *next = harness_random_next;

    while (count-- > 0) {
        if (next == harness_random_end) {
            /* Code that tries until it succeeds must not meet the same bytes for ever. */
            next = harness_random_begin;
            harness_random_lap++;
        }
        *out++ = (uint8_t)(*next++ ^ harness_random_lap);
    }
    harness_random_next = next;
    return 0;
}
#endif
