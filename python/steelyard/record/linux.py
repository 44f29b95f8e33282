"""The fields of the record that only cells of a Linux device have; null for chips."""

from __future__ import annotations

from steelyard.record.field import Field

# fmt: off
HOST_FIELDS: tuple[Field, ...] = (
    Field("device", str, "", "measured Linux device: local, the destination for ssh, or the name of an"
          " emulator; null for chips", True),
    Field("library", str, "", "library of the device that was measured; null for Steelyard's own code and for"
          " chips", True),
    Field("library_version", str, "", "version that the library states; null without a library", True),
    Field("threads", int, "", "number of threads that share one message; null for chips", True),
    Field("transport", str, "", "how the device was reached: local, ssh or qemu; null for chips"),
    Field("runs", int, "", "number of timed runs behind the figures"),
    Field("calls_per_run", int, "", "calls of the operation in a run; times are those of one call"),
    Field("warmup_runs", int, "", "number of runs at the start that were not yet steady; the figures exclude"
          " them"),
    Field("outlier_runs", int, "", "number of runs beyond the outer fences; the figures include them"),
    Field("time_sd_us", float, "us",
          "standard deviation of the time of a call over the runs (sample)", False, True),
    Field("time_min_us", float, "us", "time of a call in the fastest run", False, True),
    Field("time_median_us", float, "us", "median of the time of a call over the runs", False, True),
    Field("time_max_us", float, "us", "time of a call in the slowest run", False, True),
    Field("time_low_us", float, "us", "lower end of the 95 % interval of time_us (bootstrap)", False, True),
    Field("time_high_us", float, "us", "upper end of the 95 % interval of time_us (bootstrap)", False, True),
    Field("first_call_us", float, "us", "time of the very first call, with cold caches", False, True),
    Field("cpu_time_us", float, "us",
          "CPU time of the process for a call, mean over the window", False, True),
    Field("cpu_process_percent", float, "%", "CPU time of the process / elapsed time in the window; 100 is"
          " one core", False, True),
    Field("cpu_machine_percent", float, "%",
          "busy share of all cores of the machine in the window", False, True),
    Field("rss_peak_bytes", int, "byte", "peak resident memory of the process", False, True),
    Field("pss_bytes", int, "byte",
          "resident memory of the process, with shared pages in proportion", False, True),
    Field("switches_voluntary", int, "", "context switches in the window because the process waited"),
    Field("switches_involuntary", int, "", "context switches in the window because another process got the"
          " core"),
    Field("window_us", float, "us", "time over which CPU shares, context switches and energy were observed"),
    Field("window_calls", int, "", "number of calls in the window"),
    Field("frequency_hz", int, "Hz", "CPU frequency that the kernel stated after the runs; null if it does"
          " not state one"),
    Field("governor", str, "", "the kernel's policy for the CPU frequency; null if it does not state one"),
    Field("temperature_celsius", float, "degree Celsius", "temperature of the hottest sensor after the runs;"
          " null without a sensor", signed=True),
    Field("run_times_us", str, "JSON", "time of a call in every run in order, warm-up included", False, True),
    Field("machine", str, "JSON", "kernel, processor, cores and clock of the device; null for chips"),
    Field("absent", str, "JSON", "missing figures of the device, each with the reason; null for chips"),
)
# fmt: on
