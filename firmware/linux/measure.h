/* The timed series of a cell, written once for every program. */
#ifndef STEELYARD_MEASURE_H
#define STEELYARD_MEASURE_H

#include <stddef.h>
#include <stdint.h>

#include "observe.h"
#include "wire.h"

#define MEASURE_THREADS_MAX 256

/* What is measured: the work of one call, shared out to `threads` threads that are all there before
 * the first run. Thread 0 is the caller; a call lasts until every thread is done. `part` returns 0,
 * or a number that ends the series. */
struct work {
    int (*part)(void *state, unsigned thread);
    void *state;
    unsigned threads;
};

/* Words of a request that this reads:
 *   runs=50        timed runs
 *   calls=0        calls per run; 0: as many as make a run last run_us
 *   run_us=20
 *   window_ms=200  the shares of the CPU, the context switches and the energy are those of a window
 *                  of at least this length: where the runs are shorter, the same calls go on
 *   limit_ms=60000 no further run begins after it (but two are always made), and the window ends
 */
struct series {
    int64_t *delays_ns;    /* of a run, all its calls, */
    int64_t *cycles;       /* NULL where absent */
    int64_t *instructions; /* NULL where absent */
    size_t runs;
    int64_t calls_per_run;
    int64_t first_call_ns; /* the very first call, before anything is warm */
    struct usage before, after;
    int64_t window_calls;
    int64_t rss_peak_bytes, pss_bytes, frequency_hz, temperature_millicelsius;
    char governor[32];
    int result; /* of the part that failed, or 0 */
};

/* Measures; false where threads or memory are lacking (`detail` says what) or a part failed
 * (series->result). series_free in either case. */
bool measure(const struct request *request, const struct work *work, struct series *series,
             const char **detail);
void series_free(struct series *series);

/* The members that all replies have in common, from id to absent; the caller has opened the
 * object, adds its own, such as output, and closes it. */
void series_print(const struct request *request, const struct series *series);

#endif
