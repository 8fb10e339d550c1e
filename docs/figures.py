#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the figures in the pages with the records that they come from.

Usage: python3 docs/figures.py [--write] [ROOT]

A mark with a key precedes each figure, in a comment that readers of the page do not see:

    BP5 of order 4 runs at <!--=bp5-affine-p4-->59.6 billion unknowns a second

docs/figures.json gives for each key the record (a file below docs/performance/), the benchmark in it if the record has
several, the name of the value, and optionally a value to divide by ("over") and a factor ("times"). The page sets the
number of decimals. Without --write each figure that differs is printed as file:line: text, and the exit code is 1;
--write corrects the pages.
"""
import json
import re
import sys
from pathlib import Path

MARK = re.compile(r"(<!--=([\w-]+)-->)(\d[\d,]*(?:\.(\d+))?)?")
PAGES = ["README.md", "docs/**/*.md"]


def benchmark_in(record, name):
    """Returns the benchmark of that name in a record of scripts/bench or of Google Benchmark."""
    found = [b for b in record["benchmarks"] if b["name"] == name]
    if len(found) != 1:
        raise KeyError(f"{len(found)} benchmarks '{name}'")
    return {**found[0], **found[0].get("counters", {})}


def value_of(root, source):
    """Returns the number that an entry of figures.json describes."""
    record = json.loads((root / "docs/performance" / source["record"]).read_text())
    values = benchmark_in(record, source["benchmark"]) if "benchmark" in source else record
    number = float(values[source["value"]]) * source.get("times", 1)
    return number / float(values[source["over"]]) if "over" in source else number


def check(root, write=False):
    """Returns a message for each wrong figure; with `write` corrects these, and reports unusable marks and keys."""
    root = Path(root)
    sources = json.loads((root / "docs/figures.json").read_text())
    messages, used = [], set()
    for page in sorted(path for pattern in PAGES for path in root.glob(pattern)):
        name = page.relative_to(root).as_posix()
        lines = page.read_text().split("\n")

        def look(match, number):
            mark, key, figure, decimals = match.groups()
            used.add(key)
            where = f"{name}:{number + 1}: {mark}"
            if key not in sources:
                messages.append(f"{where}: docs/figures.json has no {key}")
            elif figure is None:
                messages.append(f"{where}: no figure follows the mark")
            else:
                try:
                    right = f"{value_of(root, sources[key]):.{len(decimals or '')}f}"
                except (OSError, KeyError, ValueError) as error:
                    messages.append(f"{where}: docs/performance/{sources[key]['record']}: {error}")
                    return match[0]
                if right != figure.replace(",", "") and not write:
                    messages.append(f"{where}: {figure}, and {sources[key]['record']} says {right}; "
                                    "python3 docs/figures.py --write corrects it")
                if right != figure.replace(",", "") and write:
                    return mark + right
            return match[0]

        new = [MARK.sub(lambda match, n=n: look(match, n), line) for n, line in enumerate(lines)]
        if new != lines:
            page.write_text("\n".join(new))
    messages += [f"docs/figures.json: no page has {key}" for key in sources if key not in used]
    return messages


if __name__ == "__main__":
    arguments = [a for a in sys.argv[1:] if a != "--write"]
    found = check(arguments[0] if arguments else Path(__file__).resolve().parent.parent, "--write" in sys.argv)
    print("\n".join(found))
    sys.exit(1 if found else 0)
