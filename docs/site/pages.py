# SPDX-License-Identifier: Apache-2.0
"""Prepares pages and headers for Doxygen: pages.py --stage <folder> <file>... puts them there as it wants them. And,
after Doxygen, copies what pages link to beside the site: pages.py --files <site> <file>...

In the checkout links are paths, of files or of headings (file.md#heading). Doxygen knows headings by labels of the
whole site, and finds pages, but neither pictures nor data nor sources: these are copied to the folder files/.
The comment that a header begins with becomes the text of its file.
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
    """What a heading is called in a link, as on GitHub."""
    text = re.sub(r"[`*]|\]\([^)]*\)|\[", "", heading).strip().lower()
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


def name_of(page, root=ROOT):
    """The name of a page in the site: docs/from-mfem.md is page-from-mfem."""
    name = str(page.relative_to(root).with_suffix("")).replace("/", "-").lower()
    return "page-" + re.sub(r"[^\w-]", "-", name.removeprefix("docs-").removesuffix("-readme"))


def label(page, heading):
    """What a heading is called in the site."""
    return f"{name_of(page)}-{slug(heading)}"


def copied(target):
    """Where a file that is no page lies in the site."""
    name = str(target.relative_to(ROOT))
    return "files/" + (name + ".txt" if target.suffix in SOURCES else name)


def outside_code(text, change):
    """Text with `change` applied to what is neither a block nor a span of code."""
    parts = FENCE.split(text)
    for i in range(0, len(parts), 2):
        spans = CODE.split(parts[i])
        spans[::2] = [change(s) for s in spans[::2]]
        parts[i] = "".join(spans)
    return "".join(parts)


def targets(page):
    """The files that a page links to."""
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
    return re.sub(r"\[[^\[\]]+\]\(", lambda m: m[0].replace("\n", " "), text)  # (a link in two lines is not known as one)


def header_for_doxygen(header):
    """What the header is for becomes the text of its file; lines that are indented are as they stand."""
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
