# SPDX-License-Identifier: Apache-2.0
"""Measures compile times of kolam's headers relative to Kokkos_Core.hpp.

Usage: header_cost.py <build folder> [repeats]

Compiles one file per header with the flags of that build, which must have been configured with
-DCMAKE_EXPORT_COMPILE_COMMANDS=ON; prints each median time and its ratio to the first.
"""
import json
import shlex
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HEADERS = ["Kokkos_Core.hpp", "kolam/core.hpp", "kolam/memory.hpp", "kolam/kolam.hpp"]


def flags_of(build):
    """Returns a compile command of the program, which sees every module, up to -o; and its folder."""
    commands = json.loads((build / "compile_commands.json").read_text())
    command = next((c for c in commands if "kolam_app.dir" in c["command"]), None)
    if command is None:
        sys.exit(f"header_cost.py: {build} does not build the program; configure it with -DKOLAM_BUILD_APPS=ON")
    words = shlex.split(command["command"])
    return words[: words.index("-o")], command["directory"]


def main():
    build = Path(sys.argv[1])
    repeats = int(sys.argv[2]) if len(sys.argv) > 2 else 7
    command, directory = flags_of(build)
    times = {header: [] for header in HEADERS}
    with tempfile.TemporaryDirectory() as folder:
        for header in HEADERS:
            Path(folder, header.replace("/", "_") + ".cpp").write_text(f"#include <{header}>\n")
        for _ in range(repeats):  # alternates, so that load affects all
            for header in HEADERS:
                source = Path(folder, header.replace("/", "_") + ".cpp")
                start = time.perf_counter()
                subprocess.run([*command, "-c", str(source), "-o", str(source) + ".o"],
                               cwd=directory, check=True)
                times[header].append(time.perf_counter() - start)
    base = statistics.median(times[HEADERS[0]])
    for header in HEADERS:
        median = statistics.median(times[header])
        print(f"{header:20} {median:6.2f} s {median / base:6.2f}")


if __name__ == "__main__":
    main()
