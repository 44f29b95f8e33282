/* Calls a published routine as its authors did: once to warm up, then between two readings of the
 * cycle counter. */
#include <stddef.h>
#include <stdint.h>

uint64_t getcycles(void);
uint32_t measure(void);

static uint8_t input[2048], output[2080], key[32], nonce[16], state[400];
static unsigned long long length;

void ROUTINE();

#define WARM_RUNS 20

static uint32_t __attribute__((noinline)) timed(void) {
    uint64_t before, after;
    CALL;
    before = getcycles();
    CALL;
    after = getcycles();
    return (uint32_t)(after - before);
}

uint32_t measure(void) {
    uint32_t least = UINT32_MAX;
    for (int run = 0; run < WARM_RUNS; run++) {
        uint32_t cycles = timed();
        least = cycles < least ? cycles : least;
    }
    (void)input, (void)output, (void)key, (void)nonce, (void)state, (void)length;
    return least;
}
