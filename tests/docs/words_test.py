#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
import tempfile
import unittest
from pathlib import Path

import words


class Words(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root = Path(self.folder.name)

    def tearDown(self):
        self.folder.cleanup()

    def found_in(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return list(words.check(self.root))

    def test_finds_each_in_pages_and_sources(self):
        self.assertEqual(self.found_in("docs/a.md", "one\nBehind it, a Lattice.\n"),
                         ["docs/a.md:2: 'Behind' is a word of earlier versions; say after, beyond",
                          "docs/a.md:2: 'Lattice' is a word of earlier versions; say structured grid"])
        self.assertEqual(len(self.found_in("core/src/b.cpp", "HaloMessageOf x;\n")), 3)
        self.assertEqual(len(self.found_in("scripts/run", "# behind\n")), 4)

    def test_leaves_others_and_history(self):
        self.assertEqual(self.found_in("docs/decisions/0001.md", "behind\n"), [])
        self.assertEqual(self.found_in("build/a.md", "behind\n"), [])
        self.assertEqual(self.found_in("docs/a.md", "behinds latticed\n"), [])


if __name__ == "__main__":
    unittest.main()
