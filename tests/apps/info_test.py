# SPDX-License-Identifier: Apache-2.0
"""Tests of `kolam info`."""
import json
import unittest

from program import ProgramTest, backends, optimised


class Info(ProgramTest):
    def test_json(self):
        info = json.loads(self.succeed("info", "--json", "-"))
        self.assertEqual(list(info), ["program", "version", "git_commit", "build_type", "compiler",
                                      "compiler_flags", "kokkos_version", "kokkos_source",
                                      "mpi", "backends"])
        self.assertEqual(f"kolam {info['version']}\n", self.succeed("--version"))
        self.assertRegex(info["kokkos_version"], r"^[45]\.\d+\.\d+$")
        self.assertRegex(info["mpi"] or "off", r"^off$|[0-9]")
        self.assertTrue(info["backends"])
        for entry in info["backends"]:
            self.assertTrue(entry["device"])
            self.assertGreaterEqual(entry["concurrency"], 1)
            self.assertGreater(entry["memory_available_bytes"], 0)
            self.assertGreaterEqual(entry["memory_total_bytes"], entry["memory_available_bytes"])
            self.assertGreaterEqual(entry["last_level_cache_bytes"], 0)
            self.assertIn("device" if entry["backend"] in ("cuda", "hip") else "host", entry["halos"])
            self.assertNotIn("t_peak_gbs", entry)

    def test_text_names_every_backend(self):
        text = self.succeed("info", "--json", self.folder / "f")
        self.assertRegex(text, r"(?m)^MPI +\S")
        for name in backends():
            self.assertRegex(text, rf"(?m)^backend +{name}$")
        self.assertEqual(len(json.loads((self.folder / "f").read_text())["backends"]),
                         len(backends()))

    @unittest.skipUnless(optimised(), "measures gigabytes: minutes for an unoptimised build")
    def test_bandwidth(self):
        for entry in json.loads(self.succeed("info", "--bandwidth", "--json", "-"))["backends"]:
            self.assertGreater(entry["copy_gbs"], 0)
            self.assertGreater(entry["triad_gbs"], 0)
            self.assertEqual(entry["t_peak_gbs"], max(entry["copy_gbs"], entry["triad_gbs"]))


if __name__ == "__main__":
    unittest.main()
