#define _GNU_SOURCE
#include "observe.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "wire.h"

/* Where the kernel's files are; tests have a tree of their own. */
#ifndef OBSERVE_ROOT
#define OBSERVE_ROOT ""
#endif

#define SYS           OBSERVE_ROOT "/sys"
#define TEXT_BYTES    4096
#define PATH_BYTES    384
#define REASON_BYTES  160
#define SENSORS_MAX   32
#define NS_PER_SECOND INT64_C(1000000000)

static const char *const names[OBSERVED_COUNT] = {
    "cycles",       "instructions", "cpu_machine_percent", "rss_peak_bytes", "pss_bytes",
    "frequency_hz", "governor",     "temperature_celsius", "energy_uj"};

static char reasons[OBSERVED_COUNT][REASON_BYTES];
static int counters[2] = {-1, -1};

/* A counter of energy: where it is read, where it wraps to zero (0: never), what it said last. */
struct sensor {
    char path[PATH_BYTES];
    int64_t range_uj;
    int64_t last_uj;
    int64_t sum_uj;
};

static struct sensor sensors[SENSORS_MAX];
static size_t sensor_count;

static void absent(enum observed fact, const char *what, const char *why) {
    snprintf(reasons[fact], REASON_BYTES, "%.60s: %.90s", what, why);
}

const char *observe_absent(enum observed fact) {
    return reasons[fact];
}

const char *observe_name(enum observed fact) {
    return names[fact];
}

/* Reads the start of a file as text; false, with errno, where it cannot. */
static bool read_text(const char *path, char *text, size_t size) {
    int file = open(path, O_RDONLY | O_CLOEXEC);
    size_t length = 0;
    ssize_t count;

    text[0] = '\0';
    if (file < 0) {
        return false;
    }
    while ((count = read(file, text + length, size - 1 - length)) > 0) {
        length += (size_t)count;
    }
    close(file);
    text[length] = '\0';
    if (count < 0) {
        return false;
    }
    errno = ENODATA; /* for a caller that misses something in what was read */
    return true;
}

static bool read_line(const char *path, char *text, size_t size) {
    if (!read_text(path, text, size)) {
        return false;
    }
    text[strcspn(text, "\n")] = '\0';
    return text[0] != '\0';
}

static bool read_number(const char *path, int64_t *value) {
    char text[64];

    if (!read_line(path, text, sizeof text)) {
        return false;
    }
    *value = strtoll(text, NULL, 10);
    return true;
}

/* The number behind `field` where a line begins with it; OBSERVE_ABSENT where none does. */
static int64_t number_of(const char *text, const char *field) {
    size_t length = strlen(field);

    while (text != NULL) {
        if (strncmp(text, field, length) == 0) {
            return strtoll(text + length, NULL, 10);
        }
        text = strchr(text, '\n');
        text = text != NULL ? text + 1 : NULL;
    }
    return OBSERVE_ABSENT;
}

static int64_t in_ns(struct timespec t) {
    return t.tv_sec * NS_PER_SECOND + t.tv_nsec;
}

int64_t observe_now_ns(void) {
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC_RAW, &t);
    return in_ns(t);
}

int64_t observe_clock_resolution_ns(void) {
    struct timespec t;

    clock_getres(CLOCK_MONOTONIC_RAW, &t);
    return in_ns(t);
}

int64_t observe_tick_ns(void) {
    return NS_PER_SECOND / sysconf(_SC_CLK_TCK);
}

/* Counters of user space alone: what an unprivileged process may have (perf_event_paranoid 2). */
static int open_counter(enum observed fact, uint64_t config) {
    struct perf_event_attr attr;
    long file;

    memset(&attr, 0, sizeof attr);
    attr.type = PERF_TYPE_HARDWARE;
    attr.size = sizeof attr;
    attr.config = config;
    attr.exclude_kernel = 1;
    attr.exclude_hv = 1;
    attr.inherit = 1; /* threads started later count too */
    file = syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
    if (file < 0) {
        absent(fact, "perf_event",
               errno == ENOENT || errno == EOPNOTSUPP
                   ? "this machine has no hardware counters that the kernel knows"
                   : strerror(errno));
    }
    return (int)file;
}

/* Remembers a counter of energy that can be read. */
static void add_sensor(const char *counter, const char *range) {
    struct sensor *sensor = &sensors[sensor_count];

    if (sensor_count == SENSORS_MAX) {
        return;
    }
    snprintf(sensor->path, PATH_BYTES, "%s", counter);
    if (!read_number(counter, &sensor->last_uj)) {
        if (errno != ENOENT) {
            absent(OBSERVED_ENERGY, counter, strerror(errno));
        }
        return;
    }
    sensor->sum_uj = 0;
    sensor->range_uj = 0;
    if (range != NULL) {
        read_number(range, &sensor->range_uj);
    }
    sensor_count++;
}

/* Calls `visit` for each entry of a folder whose name begins so; false where there is no folder. */
static bool each_entry(const char *folder, const char *prefix, void (*visit)(const char *path)) {
    DIR *open_folder = opendir(folder);
    struct dirent *entry;
    char path[PATH_BYTES];

    if (open_folder == NULL) {
        return false;
    }
    while ((entry = readdir(open_folder)) != NULL) {
        if (strncmp(entry->d_name, prefix, strlen(prefix)) == 0) {
            snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
            visit(path);
        }
    }
    closedir(open_folder);
    return true;
}

/* A package of RAPL is intel-rapl:0; what lies in it, intel-rapl:0:0, is counted in it. */
static void add_zone(const char *path) {
    char counter[PATH_BYTES + 32], range[PATH_BYTES + 32];
    const char *first = strchr(path, ':');

    if (first == NULL || strchr(first + 1, ':') != NULL) {
        return;
    }
    snprintf(counter, sizeof counter, "%s/energy_uj", path);
    snprintf(range, sizeof range, "%s/max_energy_range_uj", path);
    add_sensor(counter, range);
}

static void add_monitor(const char *path) {
    char counter[PATH_BYTES + 32];

    for (int i = 1; i <= 8; i++) {
        snprintf(counter, sizeof counter, "%s/energy%d_input", path, i);
        if (access(counter, F_OK) == 0) {
            add_sensor(counter, NULL);
        }
    }
}

void observe_open(void) {
    counters[0] = open_counter(OBSERVED_CYCLES, PERF_COUNT_HW_CPU_CYCLES);
    counters[1] = open_counter(OBSERVED_INSTRUCTIONS, PERF_COUNT_HW_INSTRUCTIONS);
    absent(OBSERVED_ENERGY, "/sys/class/powercap and /sys/class/hwmon", "no counter of energy");
    each_entry(SYS "/class/powercap", "intel-rapl:", add_zone);
    if (sensor_count == 0) {
        each_entry(SYS "/class/hwmon", "hwmon", add_monitor);
    }
    if (sensor_count > 0) {
        reasons[OBSERVED_ENERGY][0] = '\0';
    }
}

static int64_t counted(int file) {
    int64_t value;

    return file >= 0 && read(file, &value, sizeof value) == sizeof value ? value : OBSERVE_ABSENT;
}

struct moment observe_moment(void) {
    struct moment now;

    now.cycles = counted(counters[0]);
    now.instructions = counted(counters[1]);
    now.time_ns = observe_now_ns();
    return now;
}

static int64_t energy_uj(void) {
    int64_t total = 0;

    if (sensor_count == 0) {
        return OBSERVE_ABSENT;
    }
    for (size_t i = 0; i < sensor_count; i++) {
        struct sensor *sensor = &sensors[i];
        int64_t value;

        if (!read_number(sensor->path, &value)) {
            absent(OBSERVED_ENERGY, sensor->path, strerror(errno));
            return OBSERVE_ABSENT;
        }
        sensor->sum_uj +=
            value - sensor->last_uj + (value < sensor->last_uj ? sensor->range_uj : 0);
        sensor->last_uj = value;
        total += sensor->sum_uj;
    }
    return total;
}

/* proc(5), /proc/stat: user, nice, system, idle, iowait, irq, softirq, steal; of these idle and
 * iowait are not work. Guests are counted in user already. */
static void machine_ticks(struct usage *usage) {
    char text[TEXT_BYTES], *next = text + 3;

    usage->machine_busy_ticks = OBSERVE_ABSENT;
    usage->machine_total_ticks = OBSERVE_ABSENT;
    if (!read_text("/proc/stat", text, sizeof text) || strncmp(text, "cpu ", 4) != 0) {
        absent(OBSERVED_CPU_MACHINE, "/proc/stat", strerror(errno));
        return;
    }
    usage->machine_busy_ticks = 0;
    usage->machine_total_ticks = 0;
    for (int i = 0; i < 8; i++) {
        int64_t ticks = strtoll(next, &next, 10);

        usage->machine_total_ticks += ticks;
        usage->machine_busy_ticks += i == 3 || i == 4 ? 0 : ticks;
    }
    reasons[OBSERVED_CPU_MACHINE][0] = '\0';
}

struct usage observe_usage(void) {
    struct usage usage;
    struct rusage own;
    struct timespec cpu;

    memset(&usage, 0, sizeof usage);
    machine_ticks(&usage);
    usage.energy_uj = energy_uj();
    getrusage(RUSAGE_SELF, &own);
    usage.switches_voluntary = own.ru_nvcsw;
    usage.switches_involuntary = own.ru_nivcsw;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &cpu);
    usage.process_cpu_ns = in_ns(cpu);
    usage.time_ns = observe_now_ns();
    return usage;
}

/* proc(5), /proc/pid/clear_refs: 5 sets the peak to what is resident now. */
bool observe_reset_peak(void) {
    int file = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC);
    bool done = file >= 0 && write(file, "5", 1) == 1;

    if (file >= 0) {
        close(file);
    }
    return done;
}

static int64_t kibibytes(enum observed fact, const char *path, const char *field) {
    char text[TEXT_BYTES];
    int64_t value = OBSERVE_ABSENT;

    if (read_text(path, text, sizeof text)) {
        value = number_of(text, field);
    }
    if (value == OBSERVE_ABSENT) {
        absent(fact, path, strerror(errno));
        return OBSERVE_ABSENT;
    }
    reasons[fact][0] = '\0';
    return value * 1024;
}

int64_t observe_rss_peak_bytes(void) {
    return kibibytes(OBSERVED_RSS_PEAK, "/proc/self/status", "VmHWM:");
}

int64_t observe_pss_bytes(void) {
    return kibibytes(OBSERVED_PSS, "/proc/self/smaps_rollup", "Pss:");
}

static void frequency_path(char *path, size_t size, const char *file) {
    int core = sched_getcpu();

    snprintf(path, size, SYS "/devices/system/cpu/cpu%d/cpufreq/%s", core < 0 ? 0 : core, file);
}

/* What the kernel says that the core runs at. Where it does not scale frequencies itself, x86 still
 * tells in /proc/cpuinfo. */
int64_t observe_frequency_hz(void) {
    char path[PATH_BYTES], text[TEXT_BYTES];
    const char *line;
    int64_t khz;

    reasons[OBSERVED_FREQUENCY][0] = '\0';
    frequency_path(path, sizeof path, "scaling_cur_freq");
    if (read_number(path, &khz)) {
        return khz * 1000;
    }
    absent(OBSERVED_FREQUENCY, "cpufreq and /proc/cpuinfo", "neither tells a frequency");
    if (!read_text("/proc/cpuinfo", text, sizeof text) ||
        (line = strstr(text, "cpu MHz")) == NULL || (line = strchr(line, ':')) == NULL) {
        return OBSERVE_ABSENT;
    }
    reasons[OBSERVED_FREQUENCY][0] = '\0';
    return (int64_t)(strtod(line + 1, NULL) * 1e6);
}

const char *observe_governor(void) {
    static char governor[64];
    char path[PATH_BYTES];

    reasons[OBSERVED_GOVERNOR][0] = '\0';
    frequency_path(path, sizeof path, "scaling_governor");
    if (!read_line(path, governor, sizeof governor)) {
        governor[0] = '\0';
        absent(OBSERVED_GOVERNOR, "cpufreq",
               errno == ENOENT ? "the kernel does not scale the frequency" : strerror(errno));
    }
    return governor;
}

static int64_t hottest;

static void look_at(const char *file) {
    int64_t value;

    if (read_number(file, &value) && value > hottest) {
        hottest = value;
    }
}

static void look_at_zone(const char *path) {
    char file[PATH_BYTES + 32];

    snprintf(file, sizeof file, "%s/temp", path);
    look_at(file);
}

static void look_at_monitor(const char *path) {
    char file[PATH_BYTES + 32];

    for (int i = 1; i <= 16; i++) {
        snprintf(file, sizeof file, "%s/temp%d_input", path, i);
        look_at(file);
    }
}

int64_t observe_temperature_millicelsius(void) {
    hottest = OBSERVE_ABSENT;
    each_entry(SYS "/class/thermal", "thermal_zone", look_at_zone);
    each_entry(SYS "/class/hwmon", "hwmon", look_at_monitor);
    reasons[OBSERVED_TEMPERATURE][0] = '\0';
    if (hottest == OBSERVE_ABSENT) {
        absent(OBSERVED_TEMPERATURE, "/sys/class/thermal and /sys/class/hwmon", "no sensor");
    }
    return hottest;
}

/* The value of the first of these fields that /proc/cpuinfo has. */
static void print_processor(void) {
    static const char *const fields[] = {"model name", "Model\t",  "Hardware", "uarch",
                                         "cpu model",  "CPU part", "cpu",      NULL};
    char text[TEXT_BYTES];

    if (read_text("/proc/cpuinfo", text, sizeof text)) {
        for (size_t i = 0; fields[i] != NULL; i++) {
            char *line = strstr(text, fields[i]);

            if (line != NULL && (line = strchr(line, ':')) != NULL) {
                line += 1 + strspn(line + 1, " \t");
                line[strcspn(line, "\n")] = '\0';
                wire_print_text("processor", line);
                return;
            }
        }
    }
    wire_print_null("processor");
}

/* Whether a hypervisor has the machine: x86's processors show it as a flag, Xen in sysfs and in the
   device tree, QEMU's own board by its name there. */
static bool is_virtual(void) {
    char text[TEXT_BYTES];

    if (read_text("/proc/cpuinfo", text, sizeof text) && strstr(text, " hypervisor") != NULL) {
        return true;
    }
    if (read_line("/proc/device-tree/compatible", text, sizeof text) &&
        strcmp(text, "linux,dummy-virt") == 0) {
        return true;
    }
    return read_line(SYS "/hypervisor/type", text, sizeof text) ||
           read_line("/proc/device-tree/hypervisor/compatible", text, sizeof text);
}

void observe_print_machine(const char *program) {
    char text[256];
    struct utsname system;

    uname(&system);
    wire_open(NULL, '{');
    wire_open("machine", '{');
    wire_print_text("program", program);
    wire_print_text("system", system.sysname);
    wire_print_text("kernel", system.release);
    wire_print_text("architecture", system.machine);
    print_processor();
    wire_print_number("cores", sysconf(_SC_NPROCESSORS_ONLN));
    wire_print_bool("virtual", is_virtual());
    wire_print_text("clock", "CLOCK_MONOTONIC_RAW");
    wire_print_text("clock_source",
                    read_line(SYS "/devices/system/clocksource/clocksource0/current_clocksource",
                              text, sizeof text)
                        ? text
                        : "unknown");
    wire_print_number("clock_resolution_ns", observe_clock_resolution_ns());
    wire_print_number("tick_ns", observe_tick_ns());
    wire_print_number("page_bytes", sysconf(_SC_PAGESIZE));
    wire_print_number("user_id", (int64_t)geteuid());
    wire_print_number("process_id", (int64_t)getpid());
    wire_print_number("frequency_hz", observe_frequency_hz());
    wire_print_text("governor", observe_governor());
    wire_print_thousandths("temperature_celsius", observe_temperature_millicelsius());
    /* Asked for here so that the line tells what is not to be had. */
    (void)observe_usage();
    (void)observe_rss_peak_bytes();
    (void)observe_pss_bytes();
    observe_print_absent();
    wire_close('}');
    wire_close('}');
}

void observe_print_absent(void) {
    wire_open("absent", '{');
    for (size_t i = 0; i < OBSERVED_COUNT; i++) {
        if (reasons[i][0] != '\0') {
            wire_print_text(names[i], reasons[i]);
        }
    }
    wire_close('}');
}
