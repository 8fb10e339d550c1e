# SPDX-License-Identifier: Apache-2.0
"""Checks that the scripts and presets named in the workflows, the container and the devcontainer exist."""
import json
import re
import subprocess
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FILES = [*sorted((ROOT / ".github/workflows").glob("*.yml")), ROOT / "containers/debian-12.Containerfile",
         ROOT / ".devcontainer/devcontainer.json"]
PRESETS = json.loads((ROOT / "CMakePresets.json").read_text())


def names(kind):
    return {preset["name"] for preset in PRESETS[kind]}


class WorkflowsTest(unittest.TestCase):
    def test_there_are_some(self):
        self.assertGreaterEqual(len(FILES), 6)

    def test_scripts_are_there_and_can_be_run(self):
        for file in FILES:
            scripts = re.findall(r"(?<![\w/.])(scripts/\w+|\.ci/run)\b", file.read_text())
            self.assertTrue(scripts, file)
            for script in scripts:
                self.assertTrue((ROOT / script).stat().st_mode & 0o100, f"{file.name}: {script}")

    def test_presets_are_there(self):
        for file in FILES:
            text = file.read_text()
            for workflow in re.findall(r"cmake --workflow --preset (\w+)", text):
                self.assertIn(workflow, names("workflowPresets"), file.name)
            for preset in re.findall(r"cmake (?:--build )?--preset (\w+)", text):
                self.assertIn(preset, names("configurePresets"), file.name)
            for preset in re.findall(r"scripts/test (\w+)", text):
                self.assertIn(preset, names("workflowPresets"), file.name)
            for listed in re.findall(r"matrix: \{ preset: \[(.*)\] \}", text):
                self.assertLessEqual(set(re.findall(r"\w+", listed)), names("workflowPresets"), file.name)

    def test_groups_of_setup_and_options_are_there(self):
        setup = (ROOT / "scripts/setup").read_text()
        options = "".join(file.read_text() for file in [ROOT / "CMakeLists.txt", *(ROOT / "cmake").glob("*.cmake"),
                                                        ROOT / "tests/CMakeLists.txt"])
        for file in FILES:
            text = file.read_text()
            for groups in re.findall(r"scripts/setup((?: \w+)*)", text):
                for group in groups.split():
                    self.assertIn(f"    {group}) needed+=", setup, file.name)
            for option in re.findall(r"-D(KOLAM_\w+)", text):
                self.assertRegex(options, rf"(option|set)\({option} ", file.name)

    def test_the_devcontainer_is_json(self):
        json.loads((ROOT / ".devcontainer/devcontainer.json").read_text())

    def test_images_have_a_version(self):
        for file in FILES:
            for image in re.findall(r'^FROM (\S+)|container: (\S+)|"image": "(\S+)"', file.read_text(), re.M):
                self.assertRegex("".join(image), r":\d", file.name)

    def test_the_script_for_amd_gpus_refuses_what_it_does_not_know(self):
        process = subprocess.run([ROOT / "scripts/hip", "sm_90"], stderr=subprocess.PIPE, text=True)
        self.assertEqual(process.returncode, 2)
        self.assertIn("'sm_90' is no architecture, such as gfx90a", process.stderr)


if __name__ == "__main__":
    unittest.main()
