# SPDX-License-Identifier: Apache-2.0
"""The roofline and bar charts of a report: functions from cases to lists of Charts."""

from dataclasses import dataclass

from report_data import as_share, digits, largest, peaks, ratios, scaled, series_of
from report_figure import GROUND, INK, MUTED, RIGHT, SERIES, Chart, legend_entry, log_axis, look_of

SUBJECTS = ("jacobi", "diffusion", "elements", "cg", "bandwidth", "loops", "halo", "pmg")
HIGHEST = 6.0  # most inches of bars in a chart


def number_of(subject):
    """Returns the colour number of a subject in all charts."""
    return SUBJECTS.index(subject) if subject in SUBJECTS else len(SUBJECTS) - 1


def of_kolam(cases, series):
    """Returns kolam's own successful cases of one series, without scaling."""
    return [c for c in cases if c.series == series and not (c.error or c.baseline or c.scaling)]


def rooflines(run, cases):
    """Draws GFLOP/s over flop/byte and the roofs of memory and arithmetic."""
    return list(filter(None, (roofline(run, cases, series) for series in series_of(cases))))


def roofline(run, cases, series):
    kernels = largest((c for c in of_kolam(cases, series) if c.devices == 1 and c.gflops and c.variant != "fma"
                       and c.count("bytes") and c.count("flop")), key=lambda c: c.kernel)
    bandwidth, arithmetic = peaks(run, cases, series)
    if not kernels or not bandwidth:
        return None
    x = [c.count("flop") / c.count("bytes") for c in kernels]
    ridges = [peak / bandwidth for peak in arithmetic.values()]
    left, right = min(x) / 2, max([2 * v for v in x] + [3 * v for v in ridges])
    roofs = {p: {"color": MUTED, "linewidth": 1.3, "linestyle": "--" if p == "float" else "-"}
             for p in arithmetic}
    subjects = sorted({c.subject for c in kernels}, key=number_of)
    precisions = {c.precision for c in kernels}
    legend = [legend_entry(s, **look_of(number_of(s)) | {"linestyle": "none"}) for s in subjects]
    legend += [legend_entry(f"{p}: {scaled(peak * 1e9, 'FLOP/s')}", **roofs[p])
               for p, peak in arithmetic.items()]
    legend += [legend_entry("float is hollow", **look_of(7, hollow=True) | {
        "marker": "o", "linestyle": "none"})] if {"float", "double"} <= precisions else []
    chart = Chart(
        f"roofline-{series}", f"Roofline: {series}, T_peak {digits(bandwidth)} GB/s", height=2.9, legend=legend,
        caption="Each kernel at its largest size; bytes and flop by formula. Kernels above the roof fuse several "
        "steps or fit into a cache."
        + ("" if arithmetic else " Arithmetic was not measured, so the roof has no flat part."))
    for precision, peak in arithmetic.items() or [("", bandwidth * right)]:
        ridge = peak / bandwidth
        chart.axes.plot([left, ridge, max(right, ridge)], [left * bandwidth, peak, peak],
                        **roofs.get(precision, {"color": MUTED, "linewidth": 1.3}))
    for case, at in zip(kernels, x):
        roof = min(at * bandwidth, arithmetic.get(case.precision, at * bandwidth))
        look = look_of(number_of(case.subject), hollow=case.precision == "float")
        chart.point(at, case.gflops, f"{case.name}: {digits(case.gflops)} GFLOP/s at {digits(at)} flop/byte, "
                    f"{as_share(case.gflops / roof)} of the roof", **look)
    heights = [c.gflops for c in kernels] + list(arithmetic.values())
    heights += [] if arithmetic else [right * bandwidth]
    log_axis(chart.axes.xaxis, left, right, digits)
    log_axis(chart.axes.yaxis, min(heights + [left * bandwidth]) / 1.6, max(heights) * 1.8, digits)
    chart.labels("flop/byte", "GFLOP/s")
    return chart


def shares(cases):
    """Draws bars of T_eff / T_peak: for each series one chart, or several for many bars."""
    charts = []
    for series in series_of(cases):
        kernels = largest((c for c in of_kolam(cases, series) if c.share and c.subject != "bandwidth"
                           and not c.variant.endswith("-kernel")),  # part of another case
                          key=lambda c: c.kernel)
        groups = {}  # the orders of one operator together
        for c in sorted(kernels, key=lambda c: (number_of(c.subject), c.kernel)):
            groups.setdefault((c.subject, c.without_order, c.precision), []).append(c)
        groups = [bars_of(sorted(of_it, key=lambda c: c.order or 0), cases) for of_it in groups.values()]
        pages, room = [], 0
        for group in groups:
            room -= group.height
            if room < 0:
                pages.append([])
                room = HIGHEST - group.height
            pages[-1].append(group)
        charts += [draw_bars(series, page, f" ({i + 1} of {len(pages)})" if len(pages) > 1 else "")
                   for i, page in enumerate(pages)]
    return charts


@dataclass
class Bars:
    """The bars under one name, each (share, words, thickness in inches, opacity, tip)."""

    title: str
    colour: str
    bars: list

    @property
    def height(self):
        return 0.3 + sum(thickness + 0.05 for _, _, thickness, _, _ in self.bars)


def bars_of(kernels, cases):
    """Returns the bars of one kernel in all its orders, each with its paler baselines."""
    first, several = kernels[0], len(kernels) > 1
    name = [first.subject, first.without_order if several else first.variant, first.precision]
    size = f", {first.size_text}" if len({c.size for c in kernels}) == 1 else ""
    group = Bars(" ".join(w for w in name if w != "none") + size, SERIES[number_of(first.subject)], [])
    for case in kernels:
        order = f"  p{case.order:.0f}" if several and case.order else ""
        gbs = digits(case.t_eff)
        group.bars.append((case.share, as_share(case.share) + order, 0.09 if several else 0.15, 1.0,
                           f"{case.name}: {as_share(case.share)} of T_peak, {gbs} GB/s"))
        for pair in ratios([c for c in cases if c is case or (c.partner, c.build) == (case.name, case.build)]):
            share = case.share / pair.value
            group.bars.append((share, f"{as_share(share)}{order}  {pair.other.other}", 0.09, 0.45,
                               f"{pair.other.name}: {as_share(share)} of T_peak"))
    return group


def draw_bars(series, groups, part):
    """Draws bars below their names, to fit a phone."""
    height = sum(group.height for group in groups)
    most = max([1.0] + [bar[0] for group in groups for bar in group.bars])
    pale = any(bar[3] < 1 for group in groups for bar in group.bars)
    chart = Chart(f"share-{series}{part}", f"T_eff / T_peak: {series}{part}", height=height, left=RIGHT,
                  caption="Each kernel at its largest size." + (" Paler: the baselines." if pale else ""))
    axes, top = chart.axes, 0.0
    patch = {"facecolor": GROUND, "edgecolor": "none", "pad": 0.6}
    for group in groups:
        axes.text(0, top + 0.11, group.title, va="center", color=INK, fontsize=8.5, bbox=patch)
        y = top + 0.2
        for share, words, thickness, alpha, tip in group.bars:
            bar, = axes.barh([y + thickness / 2], [share], thickness, color=group.colour, alpha=alpha)
            chart.tip(bar, tip)
            axes.text(share + 0.012 * most, y + thickness / 2, words, va="center", fontsize=7.5,
                      color=INK if alpha == 1 else MUTED, bbox=patch)
            y += thickness + 0.05
        top += group.height
    axes.axvline(1, color=MUTED, linewidth=1, zorder=0.5)
    axes.set(xlim=(0, 1.3 * most), ylim=(height, 0), yticks=[])
    axes.spines["left"].set_visible(False)
    axes.grid(visible=False, axis="y")
    step = next(s for s in (0.25, 0.5, 1, 2, 5, 10, 1000) if most / s <= 6)
    ticks = [step * i for i in range(int(1.3 * most / step) + 1)]
    axes.set_xticks(ticks, [f"{100 * t:.0f}" for t in ticks])
    chart.labels("% of T_peak")
    return chart
