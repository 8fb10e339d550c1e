#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes a report of a run of scripts/bench: report.html, which needs no other file, and its charts
as PNG files beside it. Needs matplotlib.

Other programs use write_report, print_table and changes.
"""

import argparse
import sys
from pathlib import Path

from report_data import (BadRun, as_share, as_time, cases_of, changes, check_run, digits, ratios,
                         read_run)

__all__ = ["BadRun", "changes", "print_table", "read_run", "write_report"]


def write_report(run: dict, folder: Path, old: dict | None = None) -> Path:
    """Writes report.html, with a comparison if `old` is given, and the PNG files into `folder`; returns the
    path of report.html. Raises BadRun if a run is invalid or matplotlib is missing."""
    try:
        from report_charts import rooflines, shares
        from report_lines import rates_over_order, rates_over_size, scalings
        from report_page import page
    except ModuleNotFoundError as error:
        raise BadRun(f"The report needs {error.name}: scripts/setup bench installs it.") from error
    cases = cases_of(check_run(run, "The run"))
    compared = changes(check_run(old, "The old run"), run) if old is not None else None
    charts = {"Roofline": rooflines(run, cases), "Share of the bandwidth": shares(cases),
              "Rate over size": rates_over_size(run, cases), "Rate over order": rates_over_order(cases),
              "Scaling": scalings(cases)}
    folder.mkdir(parents=True, exist_ok=True)
    for chart in sum(charts.values(), []):
        chart.png(folder / f"{chart.name}.png")
    path = folder / "report.html"
    path.write_text(page(run, cases, charts, compared), encoding="utf-8")
    return path


def print_table(run: dict) -> None:
    """Prints median time, spread, rate and T_eff / T_peak of each benchmark, then failures."""
    cases = cases_of(run)
    good = [c for c in cases if not c.error]
    several = len({c.build for c in good}) > 1
    rows = [(c.name + (f" @ {c.build}" if several else ""), as_time(c.median), f"{100 * c.spread:.1f} %",
             "{} {}".format(digits(c.rate[0]), c.rate[1]) if c.rate else "", as_share(c.share) if c.share else "")
            for c in good]
    rows.insert(0, ("benchmark", "median", "spread", "rate", "of T_peak"))
    widths = [max(len(row[i]) for row in rows) for i in range(5)]
    for name, *numbers in rows:
        print("  ".join([name.ljust(widths[0])] + [n.rjust(w) for n, w in zip(numbers, widths[1:])]).rstrip())
    pairs = ratios(cases)
    if pairs:
        verdicts = [pair.verdict for pair in pairs]
        print(f"\nagainst {len(pairs)} baselines: " + ", ".join(
            f"{verdicts.count(v)} {v}" for v in dict.fromkeys(sorted(verdicts))))
    for case in cases:
        if case.error:
            print(f"failed: {case.name} @ {case.build}: {case.error}")


def print_changes(compared):
    """Prints a comparison."""
    print()
    for warning in compared.warnings:
        print(f"warning: {warning}")
    for word in ("slower", "faster"):
        for pair in getattr(compared, word):
            print(f"{word}: {pair.case.name}: {as_time(pair.other.median)} -> {as_time(pair.case.median)}")
    print(f"changed: {len(compared.slower)} slower, {len(compared.faster)} faster, {compared.within_noise} within "
          f"noise, {compared.too_few} with too few repeats, {len(compared.failed)} failed now, "
          f"{len(compared.appeared)} appeared, {len(compared.disappeared)} disappeared")


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("run", type=Path, metavar="bench.json", help="result of scripts/bench")
    parser.add_argument("--output", type=Path, metavar="DIR", help="folder of the report (default: next to bench.json)")
    parser.add_argument("--compare", type=Path, metavar="OLD.json",
                        help="an older run; the report lists changes beyond noise")
    chosen = parser.parse_args(arguments)
    try:
        run = read_run(chosen.run)
        old = read_run(chosen.compare) if chosen.compare else None
        path = write_report(run, chosen.output or chosen.run.parent, old)
    except BadRun as error:
        print(f"report.py: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"report.py: {error.filename} cannot be written: {error.strerror}.", file=sys.stderr)
        return 2
    print_table(run)
    if old:
        print_changes(changes(old, run))
    print(f"\n{path}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
