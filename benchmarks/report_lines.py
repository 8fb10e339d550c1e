# SPDX-License-Identifier: Apache-2.0
"""The line charts of a report: rates over sizes and orders, efficiency over workers."""

from collections import defaultdict
from functools import partial

from report_data import HOSTS, as_time, digits, largest, scaled, series_of
from report_figure import MUTED, Chart, legend_entry, log_axis, look_of

MOST_LINES = 8  # in one chart


def line_charts(name, title, lines, draw):
    """Draws lines, [(label, style, [(x, y, tip)])], in as many charts as needed. Lines of one colour stay
    together: style = (colour's key, hollow, dashes, pale)."""
    keys = list(dict.fromkeys(style[0] for _, style, _ in lines))
    groups, room = [[]], MOST_LINES
    for key in keys:
        same = [line for line in lines if line[1][0] == key]
        if groups[-1] and len(same) > room:
            groups.append([])
            room = MOST_LINES
        groups[-1] += same
        room -= len(same)
    charts = []
    for i, group in enumerate(groups):
        part = f" ({i + 1} of {len(groups)})" if len(groups) > 1 else ""
        numbers = {key: n for n, key in enumerate(dict.fromkeys(style[0] for _, style, _ in group))}
        looks = [look_of(numbers[key], *rest) for _, (key, *rest), _ in group]
        legend = [legend_entry(label, **look) for (label, _, _), look in zip(group, looks)]
        charts.append(chart := draw(name + part, title + part, legend, group))
        for (_, _, points), look in zip(group, looks):
            points.sort()
            chart.axes.plot([p[0] for p in points], [p[1] for p in points], **look | {"marker": ""})
            for x, y, tip in points:
                chart.point(x, y, tip, **look)
    return charts


def top_of(lines):
    return 1.12 * max(y for _, _, points in lines for _, y, _ in points)


def rates_over_size(run, cases):
    """Draws lines of at least three sizes, a chart per subject and series."""
    charts = []
    for series in series_of(cases):
        for subject in ("bandwidth", "jacobi", "diffusion", "elements", "transfers", "halo"):
            chosen = [c for c in cases if c.series == series and c.subject == subject and not c.error
                      and not c.scaling and c.rate and c.variant != "fma"]
            unit = "GDOF/s" if subject == "elements" else "GB/s"
            by_bytes = all(c.count("bytes") for c in chosen)
            lines = defaultdict(list)
            for case in chosen:
                y = case.count("gdofs") if unit == "GDOF/s" else case.t_eff
                x = case.count("bytes") if by_bytes else case.extent
                if x and y:
                    lines[case.variant, case.precision, case.baseline].append(
                        (x, y, f"{case.name}: {digits(y)} {unit}, {as_time(case.median)}"))
            others = ["", *sorted({c.baseline for c in chosen if c.baseline})]
            lines = [(" ".join(w for w in key if w != "none").strip(),
                      (key[0], key[1] == "float", others.index(key[2]), bool(key[2])), points)
                     for key, points in sorted(lines.items()) if len({p[0] for p in points}) >= 3]
            if lines:
                peak = max((c.count("t_peak") or 0 for c in chosen), default=0) if unit == "GB/s" else 0
                caches = cache_sizes(run, chosen[0]) if by_bytes and subject != "transfers" else []
                draw = partial(over_size, unit=unit, peak=peak, caches=caches,
                               x_label="bytes of an iteration" if by_bytes else "size")
                charts += line_charts(f"size-{subject}-{series}", f"{subject}: {series}", lines, draw)
    return charts


def cache_sizes(run, case):
    """Returns [(name, bytes)] of the known caches of a case's device."""
    if case.backend in HOSTS:
        caches = (run.get("context", {}).get("host") or {}).get("caches") or []
        sizes = {f"L{c.get('level')}": c.get("size") or 0 for c in caches if c.get("type") != "Instruction"}
        return sorted(sizes.items())
    device = (run.get("builds", {}).get(case.build, {}).get("backends") or {}).get(case.backend, {})
    return [("cache", device.get("last_level_cache_bytes") or 0)]


def over_size(name, title, legend, lines, unit, peak, caches, x_label):
    if peak:
        legend.append(legend_entry(f"T_peak {digits(peak)} GB/s", color=MUTED, linestyle=":"))
    xs = [x for _, _, points in lines for x, _, _ in points]
    low, high = min(xs) / 1.4, max(xs) * 1.4
    caches = [(level, size) for level, size in caches if 1.1 * low < size < high]
    chart = Chart(name, title, legend=legend, caption="Vertical lines: the size of one cache of each level, as far "
                  "as known." if caches else "")
    log_axis(chart.axes.xaxis, low, high, lambda v: scaled(v, "B" if "bytes" in x_label else ""))
    top = max(top_of(lines), 1.08 * peak)
    for level, size in caches:
        chart.axes.axvline(size, color=MUTED, linewidth=0.8, zorder=0.5)
        chart.axes.text(size, 0.98 * top, f" {level}", va="top", color=MUTED, fontsize=8)
    if peak:
        chart.axes.axhline(peak, color=MUTED, linestyle=":", linewidth=1.5, zorder=0.6)
    chart.axes.set_ylim(0, top)
    chart.labels(x_label, unit)
    return chart


def rates_over_order(cases):
    """Draws GDOF/s over the order: solid for problems, dashed for kernels alone, pale and dotted for
    baselines."""
    charts = []
    for series in series_of(cases):
        for subject in ("elements", "cg"):
            chosen = largest((c for c in cases if c.series == series and c.subject == subject and not c.error
                              and not c.scaling and c.order and c.count("gdofs")),
                             key=lambda c: (c.variant, c.order, c.precision, c.baseline))
            lines = defaultdict(list)
            for c in chosen:
                lines[c.without_order, c.precision, c.baseline].append(
                    (c.order, c.count("gdofs"), f"{c.name}: {digits(c.count('gdofs'))} GDOF/s"))
            lines = [(" ".join(w for w in key if w not in ("none", "double")).strip(),
                      (key[0].replace("-kernel", ""), key[1] == "float",
                       2 if key[2] else int("kernel" in key[0]), bool(key[2])), points)
                     for key, points in sorted(lines.items()) if len({p[0] for p in points}) >= 2]
            if lines:
                charts += line_charts(f"order-{subject}-{series}", f"{subject}: {series}", lines, over_order)
    return charts


def over_order(name, title, legend, lines):
    chart = Chart(name, title, legend=legend)
    orders = [x for _, _, points in lines for x, _, _ in points]
    chart.axes.set(xlim=(min(orders) - 0.3, max(orders) + 0.3), ylim=(0, top_of(lines)))
    chart.axes.set_xticks(range(round(min(orders)), round(max(orders)) + 1))
    chart.labels("order", "GDOF/s")
    return chart


def efficiencies(cases):
    """Returns {(strong or weak, series): {label: {workers: (efficiency, case)}}} relative to one worker.
    Labels have the size if a number of workers has several."""
    grouped = defaultdict(lambda: defaultdict(list))
    for c in cases:
        if c.scaling and not c.error and not c.baseline and (c.count("t_eff") or c.count("gdofs")):
            what = " ".join(w for w in (c.subject, c.scaled, c.precision) if w and w != "none")
            grouped[c.scaling, c.series][what].append(c)
    found = {}
    for key, whats in grouped.items():
        lines = {}
        for what, of_it in whats.items():
            several = len({c.workers for c in of_it}) < len(of_it)
            for size in sorted({c.extent for c in of_it}) if several else [None]:
                chosen = {c.workers: c for c in of_it if size in (None, c.extent)}
                if 1 in chosen and len(chosen) > 1:
                    rate = {n: c.count("t_eff") or c.count("gdofs") for n, c in chosen.items()}
                    lines[what if size is None else f"{what} {chosen[1].size}"] = {
                        n: (rate[n] / (n * rate[1]), c) for n, c in sorted(chosen.items())}
        if lines:
            found[key] = lines
    return found


def scalings(cases):
    """Draws strong and weak scaling."""
    charts = []
    for (kind, series), of_it in sorted(efficiencies(cases).items()):
        lines = [(what, (what, "float" in what, 0, False),
                  [(n, 100 * e, f"{c.name}: {100 * e:.0f} %") for n, (e, c) in line.items()])
                 for what, line in of_it.items()]
        charts += line_charts(f"{kind}-scaling-{series}", f"{kind.capitalize()} scaling: {series}", lines,
                              over_workers)
    return charts


def over_workers(name, title, legend, lines):
    chart = Chart(name, title, legend=legend)
    workers = sorted({x for _, _, points in lines for x, _, _ in points})
    chart.axes.set_xscale("log", base=2)
    chart.axes.set(xlim=(0.9, 1.1 * workers[-1]), ylim=(0, max(112, top_of(lines))))
    chart.axes.set_xticks(workers, [str(n) for n in workers])
    chart.axes.set_xticks([], minor=True)
    chart.axes.axhline(100, color=MUTED, linewidth=1, zorder=0.5)
    hosts = title.split(": ")[-1].startswith(HOSTS)
    chart.labels("threads" if hosts else "devices", "efficiency, %")
    return chart
