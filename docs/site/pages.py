# SPDX-License-Identifier: Apache-2.0
"""Prepares pages and headers for Doxygen: pages.py --stage <folder> <file>... writes converted copies to the folder.
After Doxygen, pages.py --files <site> <file>... copies the files that pages link to into the site.

In the checkout, links are paths of files or of headings (file.md#heading). In Doxygen, each heading has a label that is
unique in the site. Doxygen finds pages, but not pictures, data or sources: these are copied to the folder files/.
The opening comment of a header becomes the description of its file.
"""
import re
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LINK = re.compile(r"(?<=\]\()([^()\s#]*)(#[^()\s]+)?(?=\))")
FENCE = re.compile(r"^(```.*?^```$)", re.M | re.S)
CODE = re.compile(r"(`[^`\n]+`)")
SOURCES = {".hpp", ".cpp", ".py", ".sh", ""}  # shown as text


def slug(heading):
    """Returns the name of a heading in links, as on GitHub."""
    text = re.sub(r"[`*]|\]\([^)]*\)|\[", "", heading).strip().lower()
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


def name_of(page, root=ROOT):
    """Returns the name of a page in the site: docs/from-mfem.md is page-from-mfem."""
    name = str(page.relative_to(root).with_suffix("")).replace("/", "-").lower()
    return "page-" + re.sub(r"[^\w-]", "-", name.removeprefix("docs-").removesuffix("-readme"))


def label(page, heading):
    """Returns the label of a heading in the site."""
    return f"{name_of(page)}-{slug(heading)}"


def copied(target):
    """Returns the path in the site of a file that is not a page."""
    name = str(target.relative_to(ROOT))
    return "files/" + (name + ".txt" if target.suffix in SOURCES else name)


def outside_code(text, change):
    """Returns the text with `change` applied outside of code blocks and code spans."""
    parts = FENCE.split(text)
    for i in range(0, len(parts), 2):
        spans = CODE.split(parts[i])
        spans[::2] = [change(s) for s in spans[::2]]
        parts[i] = "".join(spans)
    return "".join(parts)


def targets(page):
    """Returns the files that a page links to."""
    found = []
    outside_code(page.read_text(), lambda text: found.extend(
        (page.parent / m[1]).resolve() for m in LINK.finditer(text) if m[1] and "://" not in m[1]) or text)
    return found


def for_doxygen(page):
    def link(match):
        path, heading = match[1], match[2]
        if "://" in path:
            return match[0]
        target = (page.parent / path).resolve() if path else page
        if heading:
            return f"@ref {label(target, heading[1:])}"
        return path if target.suffix == ".md" else copied(target)

    blocks = FENCE.split(page.read_text())
    for i in range(0, len(blocks), 2):
        blocks[i] = re.sub(r"^(##+) (.+)$", lambda m: f"{m[1]} {m[2]} {{#{label(page, m[2])}}}", blocks[i], flags=re.M)
    if page != ROOT / "README.md":  # (the main page has a name already)
        blocks[0] = re.sub(r"^# (.+)$", lambda m: f"# {m[1]} {{#{name_of(page)}}}", blocks[0], count=1, flags=re.M)
    text = outside_code("".join(blocks), lambda text: LINK.sub(link, text))
    return re.sub(r"\[[^\[\]]+\]\(", lambda m: m[0].replace("\n", " "), text)  # (Doxygen does not support links over two lines)


def header_for_doxygen(header):
    """Turns the header's opening comment into the description of its file; indented lines stay verbatim."""
    licence, *lines = header.read_text().split("\n")
    end = next(i for i, line in enumerate(lines) if not line.startswith("//"))
    if end == 0:
        return "\n".join([licence, *lines])
    text = "\n".join(["/// \\file", *("/" + line for line in lines[:end]), ""])
    text = re.sub(r"(?:^///   .*\n(?:///\n(?=///   ))?)+", lambda m: f"/// \\verbatim\n{m[0]}/// \\endverbatim\n", text,
                  flags=re.M)
    return text + "\n".join(lines[end:])


def main():
    what, folder, *files = sys.argv[1:]
    for file in map(Path.resolve, map(Path, files)):
        if what == "--stage":
            to = Path(folder) / file.relative_to(ROOT)
            to.parent.mkdir(parents=True, exist_ok=True)
            to.write_text(for_doxygen(file) if file.suffix == ".md" else header_for_doxygen(file))
        elif file.suffix == ".md":
            for target in targets(file):
                if target.suffix != ".md":
                    to = Path(folder) / copied(target)
                    to.parent.mkdir(parents=True, exist_ok=True)
                    shutil.copyfile(target, to)


if __name__ == "__main__":
    main()
