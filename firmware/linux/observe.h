/* What this process and its machine can tell about themselves around measured work.
 *
 * Nothing here fails: what the machine does not have, or does not let an unprivileged process read,
 * is absent, and observe_absent says why. One process observes one piece of work at a time; the
 * functions are called by one thread. */
#ifndef STEELYARD_OBSERVE_H
#define STEELYARD_OBSERVE_H

#include <stdbool.h>
#include <stdint.h>

#define OBSERVE_ABSENT INT64_MIN

/* Read around each run: cheap. Times are CLOCK_MONOTONIC_RAW; counters count user space of this
 * process with the threads it started after observe_open. Absent counters are OBSERVE_ABSENT. */
struct moment {
    int64_t time_ns;
    int64_t cycles;
    int64_t instructions;
};

/* Read around a series of runs: opens files, some tens of microseconds. */
struct usage {
    int64_t time_ns;
    int64_t process_cpu_ns;       /* user and system, all threads */
    int64_t switches_voluntary;   /* context switches of the process, */
    int64_t switches_involuntary; /* all threads */
    int64_t machine_busy_ticks;   /* all cores; a tick is observe_tick_ns */
    int64_t machine_total_ticks;
    int64_t energy_uj; /* of the whole machine, counts up; sensors' ranges are unwrapped */
};

/* Which fact is missing. The order is that of observe_name. */
enum observed {
    OBSERVED_CYCLES,
    OBSERVED_INSTRUCTIONS,
    OBSERVED_CPU_MACHINE,
    OBSERVED_RSS_PEAK,
    OBSERVED_PSS,
    OBSERVED_FREQUENCY,
    OBSERVED_GOVERNOR,
    OBSERVED_TEMPERATURE,
    OBSERVED_ENERGY,
    OBSERVED_COUNT
};

/* Opens the counters; before any thread is started. */
void observe_open(void);

int64_t observe_now_ns(void);
int64_t observe_clock_resolution_ns(void);
int64_t observe_tick_ns(void);
struct moment observe_moment(void);
struct usage observe_usage(void);

/* Makes the peak of resident memory begin anew at what is resident now; false where the kernel
 * cannot, and the peak is then that of the whole life of the process. */
bool observe_reset_peak(void);
int64_t observe_rss_peak_bytes(void);
int64_t observe_pss_bytes(void);

/* Of the core this thread runs on, now. The governor is "" where absent; the text is valid until
 * the next call. */
int64_t observe_frequency_hz(void);
const char *observe_governor(void);

/* The hottest sensor, in thousandths of a degree Celsius. */
int64_t observe_temperature_millicelsius(void);

/* Why a fact was absent when last asked for, in a few words; "" where it was not. */
const char *observe_absent(enum observed fact);

/* The fact's name in replies. */
const char *observe_name(enum observed fact);

/* Prints the member "absent": an object of the facts that are, each with its reason. */
void observe_print_absent(void);

/* Prints the first line of a program: {"machine":{...}}. */
void observe_print_machine(const char *program);

#endif
