#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws recorded measurements: bars of bandwidth or of time, each beside what it is measured against;
or what ran when on which stream.

    benchmarks/plot.py OUT.png FILE.json...

FILE.json is what `loops_benchmark` or `intents_benchmark --benchmark_out=FILE.json`, or `kolam jacobi
--json FILE.json` (or `kolam diffusion`) wrote; all files of one call are of one kind. One file of
cuda_timeline.cpp gives a timeline of some steps from its middle. Needs matplotlib.
"""

import json
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402


def of_loops(document):
    """{loop: {variant: GB/s}} and a line on where it ran."""
    groups = {}
    for run in document["benchmarks"]:
        if run.get("aggregate_name", "median") != "median":
            continue
        _, subject, backend, variant = run["run_name"].split("/")[:4]
        groups.setdefault(f"{subject}\n{backend}", {})[variant.replace("_", " ")] = run["GB/s"]
    context = document["context"]
    return groups, f"kolam {context.get('kolam_commit', '')} on {context.get('device', 'unknown')}"


def of_intents(document):
    """{what is asked: {arrays that live: ns}} and the same line."""
    groups = {}
    for run in document["benchmarks"]:
        if "/live:" not in run["run_name"]:
            continue  # the bare View, for comparison
        _, subject, live = run["run_name"].split("/")
        name = subject.replace("_", " ").replace("make read", "make, read,\n")
        groups.setdefault(name, {})[live.replace("live:", "") + " arrays"] = run["cpu_time"]
    context = document["context"]
    return groups, f"kolam {context.get('kolam_commit', '')} on the host of {context.get('device')}"


def of_solve(document):
    """The same of one solve."""
    grid = " x ".join(str(document[n]) for n in ("nx", "ny", "nz") if n in document)
    steps = f"{document['iterations']} steps, {document['seconds']:.3g} s"
    blocking = document.get("steps_per_pass", 1)
    how = f"\n{blocking} steps a pass" if blocking > 1 else ""
    cut = document.get("decomposition", "1x1")
    how += f"\n{cut} subdomains" if set(cut) - set("1x") else ""
    program = document["program"].removeprefix("kolam ")
    name = f"{program}, {grid}\n{document['precision']}, {steps}{how}"
    rates = {"T_eff": document["t_eff_gbs"], "T_peak of one": document["t_peak_gbs"]}
    return {name: rates}, f"kolam {document['version']} on {document['device']}"


KINDS = {"StencilDeviceSweep": "sweep", "DevicePass": "pass", "FinishNorms": "norms",
         "copy": "halo copy", "": "packing and others"}


def kind_of(event):
    """What a kernel or a copy is for."""
    return next(kind for part, kind in KINDS.items() if part in event["name"])


def draw_timeline(out, document, microseconds=900.0):
    """The middle of a run: a line for each stream of each device."""
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
    if len(arguments) < 2 or not arguments[0].endswith(".png"):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    with open(arguments[1], encoding="utf-8") as file:
        first = json.load(file)
    if "traceEvents" in first:
        draw_timeline(arguments[0], first)
        return 0
    groups, title = {}, ""
    for path in arguments[1:]:
        with open(path, encoding="utf-8") as file:
            document = json.load(file)
        intents = document.get("benchmarks", [{}])[0].get("run_name", "").startswith("intents/")
        unit, form = ("ns", "%.1f") if intents else ("GB/s", "%.0f")
        read = of_solve if "norm_history" in document else of_intents if intents else of_loops
        more, title = read(document)
        groups.update(more)

    variants = list(dict.fromkeys(v for rates in groups.values() for v in rates))
    width = 0.8 / len(variants)
    figure, axes = plt.subplots(figsize=(2 + 2.4 * len(groups), 4.5), layout="constrained")
    for i, variant in enumerate(variants):
        positions = [g + (i - (len(variants) - 1) / 2) * width for g in range(len(groups))]
        heights = [rates.get(variant, 0) for rates in groups.values()]
        axes.bar_label(axes.bar(positions, heights, width, label=variant), fmt=form, fontsize=8)
    axes.set_xticks(range(len(groups)), list(groups))
    axes.set_ylabel(unit)
    axes.set_title(title, fontsize=9)
    axes.legend(fontsize=8, loc="best")
    figure.savefig(arguments[0], dpi=120)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
