# SPDX-License-Identifier: Apache-2.0
"""Checks that the code in the documentation is compiled somewhere, and that its links have a target.

Usage: code_blocks.py <root of the checkout>

A block of C++, in a page (```cpp) or a docstring (\\code), must be in a source that the tests build: an example, or one of
tests/docs/. Comments and white space do not matter, and "..." stands for omitted code: the parts before and after
it must follow each other in one source. Prints each violation as file:line: text.
"""
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "docs/site"))
import pages  # noqa: E402

MODULES = ["core", "memory", "kernels", "solvers/comm", "solvers/linear", "solvers/grid", "solvers/fem", "io"]


def pages_of(root):
    """Returns all pages of the documentation."""
    found = [p for p in root.glob("*.md")] + [p for p in root.glob("*/README.md") if p.parent.name != "build"] + [*root.glob("solvers/*/README.md")]
    return sorted(found + list((root / "docs").rglob("*.md")))


def blocks_of_page(text):
    """Yields (line, code) of each block of C++."""
    for match in re.finditer(r"^```cpp\n(.*?)^```$", text, re.M | re.S):
        yield text[:match.start()].count("\n") + 1, match[1]


def blocks_of_header(text):
    """Yields (line, code) of each block in a docstring, and of the structs in a header's opening comment."""
    for match in re.finditer(r"(?:^//   .*\n(?://\n(?=//   ))?)+", text, re.M):
        if re.search(r"^//   (template|struct) ", match[0], re.M):
            yield text[:match.start()].count("\n") + 1, re.sub(r"^//", "", match[0], flags=re.M)
    for match in re.finditer(r"^ */// \\code\n(.*?)^ */// \\endcode$", text, re.M | re.S):
        yield text[:match.start()].count("\n") + 1, re.sub(r"^ *///", "", match[1], flags=re.M)


def bare(code):
    """Returns the code without comments and white space."""
    return re.sub(r"\s+", "", re.sub(r"//.*", "", code))


def in_order(parts, source):
    """Returns whether the parts follow each other in the source."""
    at = 0
    for part in parts:
        at = source.find(part, at)
        if at < 0:
            return False
        at += len(part)
    return True


def uncompiled(root):
    compiled = [bare(p.read_text()) for folder in ("examples", "tests/docs") for p in (root / folder).glob("*.cpp")]
    blocks = [(p, b) for p in pages_of(root) for b in blocks_of_page(p.read_text())]
    for module in MODULES:
        blocks += [(p, b) for p in sorted((root / module / "include").rglob("*.hpp")) for b in blocks_of_header(p.read_text())]
    for file, (line, code) in blocks:
        parts = [p for p in map(bare, code.split("...")) if p]
        if not any(in_order(parts, source) for source in compiled):
            yield f"{file.relative_to(root)}:{line}: this code is in no source that is compiled"


def headings(page):
    """Returns the headings of a page as links name them."""
    text = pages.FENCE.sub("", page.read_text())
    return {pages.slug(h) for h in re.findall(r"^#+ (.+)$", text, re.M)}


def dead_links(root):
    for page in pages_of(root):
        links = []
        pages.outside_code(page.read_text(), lambda text: links.extend(pages.LINK.finditer(text)) or text)
        for link in links:
            path, heading = link[1], link[2]
            if "://" in path:
                continue
            target = (page.parent / path).resolve() if path else page
            if not target.is_file():
                yield f"{page.relative_to(root)}: no file {path}"
            elif heading and heading[1:] not in headings(target):
                yield f"{page.relative_to(root)}: no heading {heading} in {target.relative_to(root)}"


def dead_tabs(root):
    """Yields the entries of the site's navigation that lead to no page and no heading."""
    layout = root / "docs/site/layout.xml"
    labels = set()
    for page in pages_of(root):
        name = pages.name_of(page, root)
        labels |= {name, *(f"{name}-{heading}" for heading in headings(page))}
    for label in re.findall(r'url="@ref (\S+?)"', layout.read_text() if layout.is_file() else ""):
        if label not in labels:
            yield f"docs/site/layout.xml: no page or heading {label}"


def main():
    root = Path(sys.argv[1]).resolve()
    violations = [*uncompiled(root), *dead_links(root), *dead_tabs(root)]
    print("\n".join(violations))
    sys.exit(1 if violations else 0)


if __name__ == "__main__":
    main()
