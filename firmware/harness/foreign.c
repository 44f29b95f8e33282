/* What code with an interface of its own finds beside itself: the context that its calls share, a
 * source of random bytes, which are those that the bench has placed, and a place for what it
 * prints, which is nowhere. The build defines what there is; the linker drops what nothing calls.
 */
#include <stddef.h>
#include <stdint.h>

#if defined(HARNESS_CONTEXT_TYPE)
HARNESS_CONTEXT_TYPE harness_context;
#elif defined(HARNESS_CONTEXT_BYTES)
_Alignas(8) uint8_t harness_context[HARNESS_CONTEXT_BYTES];
#endif

#if defined(HARNESS_RANDOM)
const uint8_t *harness_random_next;
const uint8_t *harness_random_begin;
const uint8_t *harness_random_end;
uintptr_t harness_random_lap;

int HARNESS_RANDOM(uint8_t *out, size_t count);

int HARNESS_RANDOM(uint8_t *out, size_t count) {
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

__attribute__((weak)) int printf(const char *format, ...);
__attribute__((weak)) int puts(const char *text);
__attribute__((weak)) int putchar(int character);

int printf(const char *format, ...) {
    (void)format;
    return 0;
}

int puts(const char *text) {
    (void)text;
    return 0;
}

int putchar(int character) {
    return character;
}
