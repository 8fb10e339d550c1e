# SPDX-License-Identifier: Apache-2.0
"""Checks the archives of scripts/release in a clone of a small repository with kolam's own files."""
import hashlib
import re
import shutil
import subprocess
import tarfile
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FILES = ["scripts/release", "CMakeLists.txt", "CHANGELOG.md", "cmake/git_revision.cmake", ".gitattributes", ".gitignore",
         "LICENSE", "LICENSES/Apache-2.0.txt"]
VERSION = re.search(r"project\(kolam VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())[1]


@unittest.skipUnless(shutil.which("git"), "git is not installed")
class ReleaseTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="kolam release ")
        self.addCleanup(temporary.cleanup)
        self.checkout = Path(temporary.name) / "checkout"
        for file in FILES:
            (self.checkout / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / file, self.checkout / file, follow_symlinks=False)
        # This test also runs in an archive, where git has already written the commit.
        revision = self.checkout / "cmake/git_revision.cmake"
        revision.write_text(re.sub(r'set\(commit "[0-9a-f]+"\)', 'set(commit "$Format:%h$")', revision.read_text()))
        self.git("init", "-q")
        self.commit()

    def git(self, *words):
        process = subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b.c", *words], cwd=self.checkout,
                                 stdout=subprocess.PIPE, text=True, check=True)
        return process.stdout.strip()

    def commit(self):
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "all")

    def release(self, *words, code=0):
        process = subprocess.run([self.checkout / "scripts/release", *words], stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE, text=True)
        self.assertEqual(process.returncode, code, process.stderr)
        return process.stdout if code == 0 else process.stderr

    def change(self, file, old, new):
        path = self.checkout / file
        text = path.read_text()
        self.assertIn(old, text)
        path.write_text(text.replace(old, new))

    def head(self):
        return re.search(r"^## \[.*$", (self.checkout / "CHANGELOG.md").read_text(), re.M)[0]

    def test_archive_has_all_files_and_knows_its_commit(self):
        self.change("CHANGELOG.md", self.head(), f"## [{VERSION}] - 2026-01-31")
        self.commit()
        out = self.release("--no-test")
        archive = self.checkout / f"build/release/kolam-{VERSION}.tar.gz"
        self.assertIn(hashlib.sha256(archive.read_bytes()).hexdigest(), out)
        with tarfile.open(archive) as tar:
            names = {m.name.split("/", 1)[1] for m in tar.getmembers() if not m.isdir()}
            self.assertEqual(names, set(self.git("ls-files").split("\n")))
            revision = tar.extractfile(f"kolam-{VERSION}/cmake/git_revision.cmake").read().decode()
        self.assertIn(f'set(commit "{self.git("rev-parse", "--short", "HEAD")}")', revision)
        script = self.checkout.parent / "archived.cmake"
        script.write_text(revision)
        header = self.checkout.parent / "header.hpp"
        subprocess.run(["cmake", f"-DSOURCE={self.checkout.parent}", f"-DHEADER={header}", "-P", script], check=True)
        self.assertIn(self.git("rev-parse", "--short", "HEAD"), header.read_text())

    def test_same_commit_same_bytes(self):
        self.change("CHANGELOG.md", self.head(), f"## [Unreleased]: {VERSION}")
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", "unreleased")
        archive = self.checkout / f"build/release/kolam-{VERSION}-pre.tar.gz"
        contents = []
        for _ in range(2):
            self.release("--no-test")
            contents.append(archive.read_bytes())
            (self.checkout / "CMakeLists.txt").touch()
        self.assertEqual(contents[0], contents[1])

    def test_refuses_what_is_not_ready(self):
        self.assertIn("'--fast' is no option", self.release("--fast", code=2))
        self.change("CHANGELOG.md", self.head(), "## [7.8.9] - 2026-01-31")
        self.assertIn(" M CHANGELOG.md", self.release("--no-test", code=2))
        self.commit()
        self.assertIn(f"is {VERSION}, and the first heading of CHANGELOG.md is '## [7.8.9]",
                      self.release("--no-test", code=2))
        shutil.rmtree(self.checkout / ".git")
        self.assertIn("no checkout of git", self.release("--no-test", code=2))


if __name__ == "__main__":
    unittest.main()
