# SPDX-License-Identifier: Apache-2.0
"""Reads result files of scripts/bench and computes ratios and changes from their numbers."""

import json
import math
import re
from dataclasses import dataclass, field
from statistics import median

KIND, FORMAT = "kolam benchmarks", 1
FEW = 3  # fewer repeats cannot estimate noise
HOSTS = ("openmp", "threads", "serial")
BASELINES = {"openmp": "OpenMP by hand", "serial": "serial by hand", "cuda": "CUDA by hand", "kokkos": "Kokkos",
             "views": "Views", "kokkos-kernels": "Kokkos Kernels", "mfem": "MFEM"}


class BadRun(Exception):
    """A file without results; the text is a sentence for the user."""


def check_run(run, name):
    """Returns the run; raises BadRun if its format is wrong."""
    if not isinstance(run, dict) or run.get("kind") != KIND:
        raise BadRun(f'{name} holds no results of scripts/bench: its "kind" is not "{KIND}".')
    if run.get("format") != FORMAT:
        raise BadRun(f"{name} has format {run.get('format')}; this program reads format {FORMAT}.")
    entries = run.get("benchmarks")
    if not isinstance(entries, list) or not all(
            isinstance(e, dict) and isinstance(e.get("name"), str) and isinstance(e.get("seconds") or [], list)
            and isinstance(e.get("counters") or {}, dict) for e in entries):
        raise BadRun(f'{name}: "benchmarks" is not a list of objects with "name", "seconds" and "counters".')
    for part in ("context", "builds"):
        if not isinstance(run.get(part, {}), dict):
            raise BadRun(f'{name}: "{part}" is not an object.')
    if not all(isinstance(build, dict) for build in run.get("builds", {}).values()):
        raise BadRun(f'{name}: "builds" does not hold objects.')
    return run


def read_run(path):
    """Returns a file's run, checked."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise BadRun(f"{path} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise BadRun(f"{path} is not JSON: it is not even text.") from error
    try:
        return check_run(json.loads(text), path)
    except json.JSONDecodeError as error:
        raise BadRun(f"{path} is not JSON: {error}.") from error


@dataclass
class Case:
    """One benchmark: the parts of its name, its measurements and its series."""

    name: str
    build: str
    seconds: list
    counters: dict
    label: str
    error: str | None
    series: str = ""
    parts: list = field(init=False)

    def __post_init__(self):
        self.parts = (self.name.split("/") + [""] * 6)[:6]
        self.subject, self.variant, self.precision, self.size, self.backend, self.baseline = self.parts
        if not self.seconds and not self.error:
            self.error = "no time was recorded"
        self.kernel = " ".join(w for w in (self.subject, self.variant, self.precision) if w != "none")
        self.other = BASELINES.get(self.baseline, self.baseline)
        scaling = re.fullmatch(r"(strong|weak)-(?:(.*)-)?x(\d+)", self.variant)
        self.scaling, self.scaled, workers = scaling.groups() if scaling else (None, None, 1)
        self.workers = int(workers)
        order = re.search(r"-p(\d+)(?=-|$)", self.variant)
        self.order = self.count("order") or (int(order[1]) if order else None)
        self.without_order = re.sub(r"-p\d+(?=-|$)", "", self.variant)

    @property
    def partner(self):
        """The name of the case of a baseline."""
        return "/".join(self.parts[:5])

    @property
    def extent(self):
        """The size as a number."""
        digits = re.match(r"[\d.]+(e\d+)?", self.size)
        return float(digits[0]) if digits else 0.0

    @property
    def size_text(self):
        """The size as text: 16384, but 14 M."""
        return self.size if self.extent < 1e6 else scaled(self.extent, "")

    @property
    def median(self):
        return median(self.seconds)

    @property
    def spread(self):
        return (max(self.seconds) - min(self.seconds)) / self.median if self.median else 0.0

    def count(self, key):
        """Returns a positive counter, else None."""
        value = self.counters.get(key)
        usable = isinstance(value, (int, float)) and math.isfinite(value) and value > 0
        return value if usable else None

    def per_nanosecond(self, key):
        """Returns a counter per ns, or None."""
        return self.count(key) / self.median / 1e9 if self.count(key) and self.median else None

    @property
    def devices(self):
        """Number of GPUs; a host is one device."""
        return 1 if self.backend in HOSTS else self.count("workers") or 1

    @property
    def t_eff(self):
        return self.count("t_eff") or self.per_nanosecond("bytes")

    @property
    def gflops(self):
        return self.count("gflops") or self.per_nanosecond("flop")

    @property
    def share(self):
        """T_eff / (number of devices * T_peak), or None."""
        peak = self.count("t_peak")
        return self.t_eff / (self.devices * peak) if peak and self.t_eff else None

    @property
    def rate(self):
        """The (value, unit) to show beside the time, or None."""
        for value, unit in ((self.count("t_eff"), "GB/s"), (self.count("gdofs"), "GDOF/s"),
                            (self.per_nanosecond("bytes"), "GB/s"), (self.gflops, "GFLOP/s")):
            if value:
                return value, unit
        return None


def cases_of(run):
    """Returns all cases of a run. A series is a backend, with its build if several have it."""
    cases = [Case(e["name"], str(e.get("build") or ""),
                  [s for s in e.get("seconds") or [] if isinstance(s, (int, float)) and s >= 0],
                  e.get("counters") or {}, str(e.get("label") or ""), e.get("error"))
             for e in run["benchmarks"]]
    builds = {}
    for case in cases:
        builds.setdefault(case.backend, set()).add(case.build)
    for case in cases:
        several = len(builds[case.backend]) > 1
        case.series = f"{case.backend} @ {case.build}" if several else case.backend
    return cases


def series_of(cases):
    """Returns all series, devices first."""
    def place(case):
        return HOSTS.index(case.backend) if case.backend in HOSTS else -1, case.series
    return list(dict.fromkeys(case.series for case in sorted(cases, key=place) if case.series))


def largest(cases, key):
    """Returns the case of the largest size for each key."""
    chosen = {}
    for case in cases:
        if case.extent >= chosen.setdefault(key(case), case).extent:
            chosen[key(case)] = case
    return list(chosen.values())


def peaks(run, cases, series):
    """Returns (T_peak in GB/s or None, {precision: GFLOP/s}) of one device."""
    of_it = [c for c in cases if c.series == series and not c.error]
    one = [c for c in of_it if c.devices == 1 and not c.scaling]
    arithmetic = {}
    for case in of_it:
        if (case.subject, case.variant, case.baseline) == ("bandwidth", "fma", "") and case.gflops:
            arithmetic[case.precision] = max(case.gflops, arithmetic.get(case.precision, 0))
    bandwidth = max((c.count("t_peak") or 0 for c in one), default=0)
    if not bandwidth and of_it:
        build = run.get("builds", {}).get(of_it[0].build, {})
        bandwidth = (build.get("backends") or {}).get(of_it[0].backend, {}).get("t_peak_gbs") or 0
    if not bandwidth:
        streams = largest((c for c in one if c.subject == "bandwidth" and c.count("t_eff")
                           and not c.baseline), key=lambda c: (c.variant, c.precision))
        bandwidth = max((c.t_eff for c in streams), default=0)
    return bandwidth or None, arithmetic


@dataclass
class Ratio:
    """The time of `other` over the time of `case`, with bounds from the repeats."""

    case: Case
    other: Case

    def __post_init__(self):
        mine, theirs = self.case.seconds, self.other.seconds
        self.value = median(theirs) / median(mine)
        self.worst, self.best = min(theirs) / max(mine), max(theirs) / min(mine)
        if min(len(mine), len(theirs)) < FEW:
            self.verdict = "too few repeats"
        elif self.worst <= 1 <= self.best:
            self.verdict = "within noise"
        else:
            self.verdict = "faster" if self.value > 1 else "slower"


def measured(cases):
    """Returns {(name, build): case} if all times are positive."""
    return {(c.name, c.build): c for c in cases if not c.error and min(c.seconds) > 0}


def ratios(cases):
    """Returns the ratios of cases to their baselines, slowest first."""
    found = measured(cases)
    pairs = [Ratio(found[c.partner, c.build], c) for c in found.values()
             if c.baseline and (c.partner, c.build) in found]
    return sorted(pairs, key=lambda pair: pair.value)


@dataclass
class Changes:
    """Differences of two runs: ratios (old time over new) beyond noise, counts of other cases, and names of
    cases measured in one run only."""

    faster: list
    slower: list
    within_noise: int
    too_few: int
    appeared: list
    disappeared: list
    failed: list
    warnings: list


def changes(old, new):
    """Compares two runs. Names a change if the ranges of the repeats do not overlap and the medians differ
    by more than 2 %."""
    before, now = measured(cases_of(old)), measured(cases_of(new))
    failing = {(c.name, c.build) for c in cases_of(new) if c.error}
    result = Changes([], [], 0, 0, [], [], [], differences(old, new))
    for key, case in now.items():
        if key not in before:
            result.appeared.append(case.name)
            continue
        pair = Ratio(case, before[key])
        if pair.verdict == "too few repeats":
            result.too_few += 1
        elif pair.verdict == "within noise" or abs(1 / pair.value - 1) <= 0.02:
            result.within_noise += 1
        else:
            getattr(result, pair.verdict).append(pair)
    result.failed = [name for name, build in before if (name, build) in failing]
    gone = [key for key in before if key not in now and key not in failing]
    result.disappeared = [name for name, _ in gone]
    result.faster.sort(key=lambda pair: -pair.value)
    result.slower.sort(key=lambda pair: pair.value)
    return result


def differences(old, new):
    """Returns sentences on changes that make times incomparable."""
    def machine(run):
        context = run.get("context", {})
        host = context.get("host") or {}
        return {"CPU": host.get("cpu"), "number of cores": host.get("cores"),
                "number of threads": host.get("threads_used"), "binding": host.get("binding"),
                "GPUs": ", ".join(context.get("gpus") or []) or "none", "scale": context.get("scale")}

    def build(run, name):
        of_it = run.get("builds", {}).get(name, {})
        return {f"{what} of build {name}": of_it.get(key) for what, key in (
            ("compiler", "compiler"), ("compiler's flags", "compiler_flags"),
            ("Kokkos", "kokkos_version"), ("build type", "build_type"))}

    before, now = machine(old), machine(new)
    for name in new.get("builds", {}):
        if name in old.get("builds", {}):
            before, now = before | build(old, name), now | build(new, name)
    return [f"The {what} changed from {before[what] or 'unknown'} to {now[what] or 'unknown'}."
            for what in before if before[what] != now[what]]


def scaled(value, unit, steps=(("T", 1e12), ("G", 1e9), ("M", 1e6), ("k", 1e3), ("", 1))):
    """Returns three digits and unit: 1.3 MB."""
    prefix, factor = next(((p, f) for p, f in steps if abs(value) >= 0.9995 * f), steps[-1])
    return f"{digits(value / factor)} {prefix}{unit}".strip()


def digits(value):
    """Returns 3 digits, not 1e+03."""
    return f"{value:.3g}" if abs(value) < 999.5 else f"{value:.0f}"


def as_time(seconds):
    return scaled(seconds, "s", (("", 1), ("m", 1e-3), ("µ", 1e-6), ("n", 1e-9)))


def as_share(share):
    """Returns 95 %, or 3.8× from a share of 2 on (fused steps)."""
    return f"{100 * share:.0f} %" if share < 1.995 else f"{share:.1f}×"


def as_ratio(value):
    return f"{value:.3f}" if value < 9.9995 else digits(value)


UNITS = {"t_eff": "GB/s", "t_peak": "GB/s", "gdofs": "GDOF/s", "gflops": "GFLOP/s"}


def as_counter(key, value):
    """Returns text: t_eff 10.9 GB/s."""
    if not isinstance(value, (int, float)) or not math.isfinite(value):
        text = str(value)
    elif key in ("bytes", "flop"):
        text = scaled(value, {"bytes": "B", "flop": "flop"}[key])
    elif key == "setup":
        text = as_time(value)
    elif key in UNITS:
        text = f"{digits(value)} {UNITS[key]}"
    else:
        text = f"{value:.0f}" if value == int(value) and value < 1e15 else digits(value)
    return f"{key} {text}"
