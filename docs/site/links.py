# SPDX-License-Identifier: Apache-2.0
"""Checks that the internal links of a site have a target: links.py <folder>. Prints the dead links."""
import html.parser
import sys
import urllib.parse
from pathlib import Path


class Page(html.parser.HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.links, self.names = set(), set()
        self.feed(path.read_text(errors="replace"))

    def handle_starttag(self, tag, attributes):
        for key, value in attributes:
            if key in ("href", "src") and value and tag != "base":
                if value != "#nested-classes":  # (Doxygen adds this link even if it leaves the list out)
                    self.links.add(value)
            elif key in ("id", "name") and value:
                self.names.add(value)


def dead(site):
    pages = {p.resolve(): Page(p) for p in site.rglob("*.html") if "files" not in p.relative_to(site).parts}
    for path, page in sorted(pages.items()):
        for link in sorted(page.links):
            parts = urllib.parse.urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path
            name = urllib.parse.unquote(parts.fragment)
            if not target.is_file():
                yield f"{path.name}: no {link}"
            elif name and target in pages and name not in pages[target].names:
                yield f"{path.name}: no place {link}"


def main():
    violations = list(dead(Path(sys.argv[1]).resolve()))
    print("\n".join(violations[:50]))
    sys.exit(1 if violations else 0)


if __name__ == "__main__":
    main()
