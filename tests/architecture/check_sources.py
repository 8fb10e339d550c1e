# SPDX-License-Identifier: Apache-2.0
"""Checks the project's rules that no compiler checks; prints each violation as file:line: text.

Usage: check_sources.py <root of the checkout>
"""
import re
import sys
from pathlib import Path

# Each module's folder, and the modules that it may include.
FOLDERS = {"core": "core", "memory": "memory", "kernels": "kernels", "comm": "solvers/comm", "linear": "solvers/linear",
           "grid": "solvers/grid", "fem": "solvers/fem", "io": "io", "kolam": "include", "apps": "apps"}
BELOW = {"core": [], "memory": ["core"]}
BELOW["kernels"] = ["core", "memory"]
BELOW["comm"] = [*BELOW["kernels"], "kernels"]
BELOW["linear"] = [*BELOW["comm"], "comm"]
BELOW["grid"] = BELOW["fem"] = [*BELOW["linear"], "linear"]
BELOW["io"] = [*BELOW["linear"], "linear", "grid", "fem"]
BELOW["kolam"] = [*BELOW["io"], "io"]
BELOW["apps"] = [*BELOW["kolam"], "kolam"]
SOURCES = {".hpp", ".cpp", ".h", ".cmake", ".py"}
SPDX = "SPDX-License-" "Identifier: Apache-2.0"  # (split, because REUSE would take it for this file's own licence)
POLICY = re.compile(r"\b(?:Kokkos::)(TeamPolicy|RangePolicy|MDRangePolicy)\b")
LAMBDA = re.compile(r"\bKOKKOS_(CLASS_)?LAMBDA\b")
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]')
# What a line without indentation declares: a type, an alias, a function or a variable. Tests do not count, because
# their names include their suite's.
DECLARATION = re.compile(
    r"(?:template\s*<.*>\s*)?(?:(?:inline|static|constexpr|const|thread_local|extern)\s+)*"
    r"(?:(?:struct|class|enum class|enum|union|concept)\s+(?P<type>\w+)|using\s+(?P<alias>\w+)\s*=|"
    r"[\w:<>,&*\s]+?[\s&*](?P<other>\w+)\s*[(={\[;])")
NO_DECLARATION = re.compile(r"\s|(?:TEST|TYPED_TEST|INSTANTIATE|REGISTER|KOLAM|using namespace|return)|[#/}]")


def check_line(module, file, line):
    """Yields the rules that one line of a module's file breaks."""
    include = INCLUDE.match(line)
    if include:
        other = re.match(r"kolam/(\w+)", include[1])
        if other and other[1] != module and other[1] not in BELOW[module]:
            yield f"{module} must not include <{include[1]}>; it may include {', '.join(BELOW[module]) or 'itself alone'}"
        if include[1] == "mpi.h" and not re.search(r"^solvers/comm/.*transport/mpi\.", file):
            yield "only transport/mpi.* of comm may include <mpi.h>"
    code = line.split("//")[0]
    if module != "core" and POLICY.search(code):
        yield f"{POLICY.search(code)[0]} outside core/: use kolam::forall or its block forms"


def check_header(file, line):
    """Yields the rules that one line of a header breaks, wherever the header is."""
    code = line.split("//")[0]
    if LAMBDA.search(code):
        yield "a device lambda in a header: write a named functor (nvcc: docs/decisions/0032)"
    if "no_unique_address" in code:
        yield "[[no_unique_address]] in a header: nvcc gives such a type different layouts on device and host"
    if "immintrin.h" in code:
        yield "<immintrin.h> in a header: it takes a fifth of the compile time; see core/detail/vector_instructions.hpp"


def declared_names(text):
    """Yields (line, namespace, name) of each declaration of a source outside of functions and classes."""
    namespace = ""
    for number, line in enumerate(text.splitlines(), 1):
        named = re.match(r"namespace ([\w:]+) \{", line)
        if named:
            namespace = named[1]
        declaration = None if NO_DECLARATION.match(line) else DECLARATION.match(line)
        if declaration and not line.startswith("namespace"):
            yield number, namespace, declaration["type"] or declaration["alias"] or declaration["other"]


def check_units(root):
    """Yields names that two sources of one test program declare at namespace level, anonymous namespaces included.
    KOLAM_TESTS_IN_UNITS may compile any of its sources as one, which would declare such a name twice."""
    for folder in sorted(path for path in (root / "tests").glob("*") if path.is_dir()):
        seen = {}
        for path in sorted(folder.rglob("*_test.cpp")):
            file = path.relative_to(root).as_posix()
            for number, namespace, name in declared_names(path.read_text()):
                other = seen.setdefault((namespace, name), file)
                if other != file:
                    yield (f"{file}:{number}: {name} is declared in {other} too, in the same namespace {namespace}; "
                           f"write it in namespace {namespace}::{path.stem}")


def check(root):
    root = Path(root)
    violations = list(check_units(root))
    for module, folder in FOLDERS.items():
        for path in sorted((root / folder).rglob("*")):
            if path.suffix not in {".hpp", ".cpp", ".h"}:
                continue
            file = path.relative_to(root).as_posix()
            for number, line in enumerate(path.read_text().splitlines(), 1):
                violations += [f"{file}:{number}: {text}" for text in check_line(module, file, line)]
            public = re.match(rf"{folder}/include/kolam/{module}/(.+)\.hpp$", file)
            if public and "detail/" not in public[1]:
                test = f"tests/{module}/{public[1]}_test.cpp"
                if not (root / test).exists():
                    violations.append(f"{file}:1: a public header without its test, {test}")
                umbrella = f"{folder}/include/kolam/{module}.hpp"
                header = f"<kolam/{module}/{public[1]}.hpp>"  # in a comment if not every build has it
                if header not in ((root / umbrella).read_text() if (root / umbrella).exists() else ""):
                    violations.append(f"{file}:1: a public header that {umbrella} does not include")

    for folder in [*FOLDERS.values(), "tests"]:
        for path in sorted((root / folder).rglob("*.hpp")):
            file = path.relative_to(root).as_posix()
            for number, line in enumerate(path.read_text().splitlines(), 1):
                violations += [f"{file}:{number}: {text}" for text in check_header(file, line)]

    for path in sorted((root / "tests/support/include").rglob("*.hpp")):
        test = f"tests/support/{path.stem}_test.cpp"
        if not (root / test).exists():
            file = path.relative_to(root).as_posix()
            violations.append(f"{file}:1: a support header without its test, {test}")

    for path in sorted((root / "examples").glob("*.cpp")):
        lines = len(path.read_text().splitlines())
        if lines >= 60:
            violations.append(f"{path.relative_to(root).as_posix()}:60: an example of {lines} lines; it must have fewer than 60")

    for folder in [*FOLDERS.values(), "tests", "benchmarks", "examples", "cmake", "scripts"]:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in SOURCES or path.name == "CMakeLists.txt":
                if SPDX not in path.read_text()[:200]:
                    file = path.relative_to(root).as_posix()
                    violations.append(f"{file}:1: no {SPDX} at the top")
    return violations


if __name__ == "__main__":
    found = check(sys.argv[1])
    print("\n".join(found))
    sys.exit(1 if found else 0)
