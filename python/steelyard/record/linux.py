"""The fields of the record that only cells of a Linux device have; null for chips."""

from __future__ import annotations

from steelyard.record.field import Field

HOST_FIELDS: tuple[Field, ...] = (
    Field(
        "device",
        str,
        "",
        "Linux device measured: local, the destination for ssh, or the name of an emulator; null for chips",
        True,
    ),
    Field("library", str, "", "library of the device that did the work; null for Steelyard's own code", True),
    Field("library_version", str, "", "version that the library states; null likewise", True),
    Field("threads", int, "", "threads that share one message; null for chips", True),
    Field("transport", str, "", "how the device was reached: local, ssh or qemu; null for chips"),
    Field("runs", int, "", "timed runs that the figures are of"),
    Field("calls_per_run", int, "", "calls of the operation in a run; times are of one call"),
    Field("warmup_runs", int, "", "runs at the start that were not steady yet, left out of the figures"),
    Field("outlier_runs", int, "", "runs far from the others; they are in the figures all the same"),
    Field("time_sd_us", float, "us", "standard deviation of the runs (sample)", False, True),
    Field("time_min_us", float, "us", "fastest run", False, True),
    Field("time_median_us", float, "us", "median of the runs", False, True),
    Field("time_max_us", float, "us", "slowest run", False, True),
    Field("time_low_us", float, "us", "lower end of the 95 % interval of time_us (bootstrap)", False, True),
    Field("time_high_us", float, "us", "upper end of it", False, True),
    Field("first_call_us", float, "us", "the very first call, before anything was warm", False, True),
    Field("cpu_time_us", float, "us", "CPU time of the process for a call, over the window", False, True),
    Field("cpu_process_percent", float, "%", "CPU time of the process / time; 100 is one core", False, True),
    Field("cpu_machine_percent", float, "%", "busy share of all cores of the machine", False, True),
    Field("rss_peak_bytes", int, "byte", "peak resident memory of the process", False, True),
    Field("pss_bytes", int, "byte", "resident memory, shared pages in proportion", False, True),
    Field("switches_voluntary", int, "", "context switches because the process waited, in the window"),
    Field("switches_involuntary", int, "", "those because another process was let on, in the window"),
    Field("window_us", float, "us", "time over which CPU shares, context switches and energy were observed"),
    Field("window_calls", int, "", "calls in the window"),
    Field("frequency_hz", int, "Hz", "CPU frequency that the kernel stated after the runs"),
    Field("governor", str, "", "the kernel's policy for it"),
    Field("temperature_celsius", float, "degree Celsius", "hottest sensor after the runs"),
    Field("run_times_us", str, "JSON", "times of all runs in order, warm-up included", False, True),
    Field("machine", str, "JSON", "kernel, processor, cores, clock of the device; null for chips"),
    Field("absent", str, "JSON", "what the device does not tell, each with the reason; null for chips"),
)
