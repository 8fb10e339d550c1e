# SPDX-License-Identifier: Apache-2.0
"""Gives code_blocks.py a small checkout with one mistake of each kind."""
import tempfile
import unittest
from pathlib import Path

import code_blocks

SOURCE = "void f() {\n  int x = 1;  // one\n  g(x);\n  h(x);\n}\n"


class CodeBlocksTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.root = Path(temporary.name).resolve()
        self.write("examples/f.cpp", SOURCE)

    def write(self, file, text):
        (self.root / file).parent.mkdir(parents=True, exist_ok=True)
        (self.root / file).write_text(text)

    def violations(self):
        return [*code_blocks.uncompiled(self.root), *code_blocks.dead_links(self.root), *code_blocks.dead_tabs(self.root)]

    def test_code_that_is_compiled(self):
        self.write("docs/page.md", "# A\n\n```cpp\nint x = 1;\ng( x );  // two\n```\n\n```cpp\nint x = 1; ... h(x);\n```\n")
        self.write("core/include/a.hpp", "/// \\code\n///   g(x);\n/// \\endcode\n")
        self.assertEqual(self.violations(), [])

    def test_code_that_is_not(self):
        self.write("README.md", "# A\n\n```cpp\ng(y);\n```\n\n```sh\ng y\n```\n")
        self.write("docs/page.md", "```cpp\nh(x); ... g(x);\n```\n")
        self.write("core/include/a.hpp", "#pragma once\n  /// \\code\n  ///   g(z);\n  /// \\endcode\n")
        self.assertEqual([v.split(": ")[0] for v in self.violations()], ["README.md:3", "docs/page.md:1",
                                                                       "core/include/a.hpp:2"])

    def test_links(self):
        self.write("README.md", "# A\n\n[b](docs/b.md#two-words) [b](docs/b.md) [c](#a) [d](https://e.f) `x[i](j)`\n")
        self.write("docs/b.md", "# B\n\n## Two `words`\n\n[a](../README.md)\n")
        self.assertEqual(self.violations(), [])
        self.write("docs/b.md", "# B\n\n[a](../README) [a](../README.md#b) ![p](p.png)\n")
        self.assertEqual(self.violations(), ["README.md: no heading #two-words in docs/b.md", "docs/b.md: no file ../README",
                                             "docs/b.md: no heading #b in README.md", "docs/b.md: no file p.png"])

    def test_navigation(self):
        self.write("docs/b.md", "# B\n\n## Two words\n")
        self.write("docs/site/layout.xml", '<tab url="@ref page-b"/><tab url="@ref page-b-two-words" title="x"/>')
        self.assertEqual(self.violations(), [])
        self.write("docs/site/layout.xml", '<tab url="@ref page-b-two"/><tab url="@ref page-c"/>')
        self.assertEqual(self.violations(), ["docs/site/layout.xml: no page or heading page-b-two",
                                             "docs/site/layout.xml: no page or heading page-c"])


if __name__ == "__main__":
    unittest.main()
