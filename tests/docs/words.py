#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Finds words that kolam no longer uses: python3 words.py ROOT prints each as file:line: text, and exits with 1.

Pages, docstrings, comments and names use one word for one thing. Older decisions and the changelog keep their words.
"""
import re
import sys
from pathlib import Path

# Retired words, as patterns, and their replacements.
RETIRED = {
    r"behind": "after, beyond",
    r"lattice": "structured grid",
    r"upright": "with positive Jacobian",
    r"manieth": "every n-th",
    r"one behind the last": "one past the last",
    r"known_values": "dirichlet_values",
    r"subtract_known": "apply_lift",
    r"scatter_numbers": "fill_random",
    r"RowsOfProcess": "RowDistribution",
    r"NodesOfProcesses": "SharedNodes",
    r"HaloMessage(Of)?": "transfer",
    r"ways taken": "transports in use",
    r"Precision::full": "double_precision",
}
WORDS = re.compile(r"\b(" + "|".join(RETIRED) + r")\b", re.IGNORECASE)
TEXTS = {".md", ".hpp", ".cpp", ".py", ".cmake", ".txt", ".in"}
LEFT_OUT = ("build/", ".", "docs/decisions/", "CHANGELOG.md", "tests/docs/words", "LICENSE")


def instead_of(word):
    return next(new for old, new in RETIRED.items() if re.fullmatch(old, word, re.IGNORECASE))


def check(root):
    root = Path(root)
    for path in sorted(root.rglob("*")):
        file = path.relative_to(root).as_posix()
        if file.startswith(LEFT_OUT) or not path.is_file():
            continue
        if path.suffix not in TEXTS and not file.startswith("scripts/"):
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            for word in WORDS.findall(line):
                word = word if isinstance(word, str) else word[0]
                yield f"{file}:{number}: '{word}' is a word of earlier versions; say {instead_of(word)}"


if __name__ == "__main__":
    found = list(check(sys.argv[1]))
    print("\n".join(found))
    sys.exit(1 if found else 0)
