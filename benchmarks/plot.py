#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws solves of the program: bars of T_eff beside T_peak, or a timeline of streams. (report.py draws
results of scripts/bench.)

    benchmarks/plot.py OUT.png FILE.json...
    benchmarks/plot.py --scaling OUT.png FILE.json...

`kolam jacobi --json FILE.json` (or `kolam diffusion`) writes FILE.json. One file of cuda_timeline.cpp gives
a timeline of some steps in the middle of the run. --scaling takes solves on one and on several devices, one
subdomain each, and draws parallel efficiency: strong for equal grids, weak for grids that grow with the
devices. Needs matplotlib.
"""

import json
import math
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402


def of_solve(document):
    """Returns {solve: {quantity: GB/s}} and a title."""
    grid = " x ".join(str(document[n]) for n in ("nx", "ny", "nz") if n in document)
    steps = f"{document['iterations']} steps, {document['seconds']:.3g} s"
    blocking = document.get("steps_per_pass", 1)
    how = f"\n{blocking} fused steps" if blocking > 1 else ""
    cut = document.get("decomposition", "1x1")
    how += f"\n{cut} subdomains" if set(cut) - set("1x") else ""
    program = document["program"].removeprefix("kolam ")
    name = f"{program}, {grid}\n{document['precision']}, {steps}{how}"
    rates = {"T_eff": document["t_eff_gbs"], "T_peak of one": document["t_peak_gbs"]}
    return {name: rates}, f"kolam {document['version']} on {document['device']}"


def devices_of(document):
    """Returns the number of subdomains."""
    return math.prod(int(parts) for parts in document["decomposition"].split("x"))


def points_of(document):
    """Returns the number of grid points."""
    return math.prod(document.get(n, 1) for n in ("nx", "ny", "nz"))


def draw_scaling(out, documents):
    """Draws efficiency over devices: a panel each for strong and weak scaling."""
    def kind(document):
        blocking = document["steps_per_pass"]
        return (document["program"].removeprefix("kolam ") + f", {document['precision']}"
                + (f", {blocking} fused steps" if blocking > 1 else ""))

    ones = {kind(d): d for d in documents if devices_of(d) == 1}
    panels = {"strong": {}, "weak": {}}
    for document in documents:
        one, devices = ones.get(kind(document)), devices_of(document)
        if one is None:
            raise SystemExit(f"no solve on one device for {kind(document)}")
        efficiency = document["t_eff_gbs"] / (devices * one["t_eff_gbs"])
        for panel, points in (("strong", points_of(one)), ("weak", devices * points_of(one))):
            if document is not one and abs(points_of(document) - points) < 0.001 * points:
                panels[panel].setdefault(kind(document), {1: 1.0})[devices] = efficiency
    figure, both = plt.subplots(1, 2, figsize=(10, 4.5), sharey=True, layout="constrained")
    most = max(map(devices_of, documents))
    for axes, (panel, lines) in zip(both, panels.items()):
        for name, line in lines.items():
            axes.plot(sorted(line), [100 * line[n] for n in sorted(line)], "o-",
                      label=f"{name}: {100 * line[max(line)]:.0f} %")
        axes.set_title(f"{panel} scaling, {documents[0]['device']}", fontsize=9)
        axes.set_xscale("log", base=2)
        ticks = [1 << i for i in range(most.bit_length())]
        axes.set_xticks(ticks, ticks)
        axes.set_xlim(0.9, most * 1.2)
        axes.set_ylim(0, 110)
        axes.set_xlabel("devices")
        axes.grid(alpha=0.3)
        axes.legend(fontsize=8, loc="lower left")
    both[0].set_ylabel("parallel efficiency, %")
    figure.savefig(out, dpi=120)


KINDS = {"StencilDeviceSweep": "sweep", "DeviceFusedSteps": "fused steps", "FinishNorms": "norms",
         "copy": "halo copy", "": "packing and others"}


def kind_of(event):
    """Returns the kind of a kernel or copy."""
    return next(kind for part, kind in KINDS.items() if part in event["name"])


def draw_timeline(out, document, microseconds=900.0):
    """Draws the middle of a run, one line per device and stream."""
    events = sorted((e for e in document["traceEvents"]), key=lambda e: e["ts"])
    middle = events[len(events) // 2]["ts"]
    end = middle + microseconds
    shown = [e for e in events if middle < e["ts"] + e["dur"] and e["ts"] < end]
    lines = sorted({(e["pid"], e["tid"]) for e in shown})
    figure, axes = plt.subplots(figsize=(12, 1.2 + 0.4 * len(lines)), layout="constrained")
    for number, kind in enumerate(KINDS.values()):
        bars = [e for e in shown if kind_of(e) == kind]
        if not bars:
            continue
        axes.barh([lines.index((e["pid"], e["tid"])) for e in bars], [e["dur"] for e in bars],
                  left=[e["ts"] - middle for e in bars], height=0.7, label=kind,
                  color=f"C{number}")
    axes.set_yticks(range(len(lines)), [f"device {d}, stream {s}" for d, s in lines])
    axes.set_xlim(0, microseconds)
    axes.set_xlabel("microseconds")
    axes.legend(fontsize=8, loc="lower right", bbox_to_anchor=(1, 1), ncols=len(KINDS))
    figure.savefig(out, dpi=120)


def main(arguments):
    scaling = arguments[:1] == ["--scaling"]
    arguments = arguments[scaling:]
    if len(arguments) < 2 or not arguments[0].endswith(".png"):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    documents = []
    for path in arguments[1:]:
        with open(path, encoding="utf-8") as file:
            documents.append(json.load(file))
    if scaling:
        draw_scaling(arguments[0], documents)
        return 0
    if "traceEvents" in documents[0]:
        draw_timeline(arguments[0], documents[0])
        return 0
    groups, title = {}, ""
    for document in documents:
        more, title = of_solve(document)
        groups.update(more)

    variants = list(dict.fromkeys(v for rates in groups.values() for v in rates))
    width = 0.8 / len(variants)
    figure, axes = plt.subplots(figsize=(2 + 2.4 * len(groups), 4.5), layout="constrained")
    for i, variant in enumerate(variants):
        positions = [g + (i - (len(variants) - 1) / 2) * width for g in range(len(groups))]
        heights = [rates.get(variant, 0) for rates in groups.values()]
        axes.bar_label(axes.bar(positions, heights, width, label=variant), fmt="%.0f", fontsize=8)
    axes.set_xticks(range(len(groups)), list(groups))
    axes.set_ylabel("GB/s")
    axes.set_title(title, fontsize=9)
    axes.legend(fontsize=8, loc="best")
    figure.savefig(arguments[0], dpi=120)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
