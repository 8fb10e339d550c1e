# SPDX-License-Identifier: Apache-2.0
"""Tests of wrong command lines, --help, stdout, stderr and exit codes."""
import json
import os
import pty
import resource
import subprocess
import tempfile
import unittest

from program import GIVEN_PEAK, PROGRAM, ProgramTest, backends, info, run

SMALL = ["-nx", "5", "-ny", "7", "-niter", "3", *GIVEN_PEAK]


class BadValues(ProgramTest):
    def test_domain(self):
        for option, values in {
            "nx": ["0", "2", "-1", "1e3", "1.5", "0x10", "x", "5 6", "99999999999999999999"],
            "ny": ["0", "2", "-7", "1e3"],
            "niter": ["-1", "1e3", "many"],
            "nccheck": ["0", "-3", "1.0"],
            "tol": ["nan", "-nan", "inf", "-1e-3", "-inf", "1e400", "small", "1e-3x"],
        }.items():
            for value in values:
                for words in ([f"-{option}", value], [f"--{option}", value],
                              [f"-{option}={value}"], [f"--{option}={value}"]):
                    with self.subTest(words=words):
                        typed = words[0].split("=")[0]
                        self.refuse("jacobi", *words, names=[f" {typed} {value}: "])

    def test_choices(self):
        for option, value in [("--precision", "half"), ("--precision", "Float"),
                              ("--backend", "gpu"), ("--progress", "maybe"), ("--t-peak", "0"),
                              ("--t-peak", "inf"), ("--t-peak", "nan"), ("--t-peak", "fast")]:
            with self.subTest(option=option, value=value):
                self.refuse("jacobi", option, value, names=[f"{option} {value}"])

    def test_absent_backend_names_the_present_ones_and_the_cmake_option(self):
        known = ["cuda", "hip", "sycl", "openmp", "threads", "serial"]
        for name in set(known) - set(backends()):
            with self.subTest(backend=name):
                self.refuse("jacobi", "--backend", name,
                            names=[f"--backend {name}", f"Kokkos_ENABLE_{name.upper()}",
                                   *backends()])

    def test_missing_values(self):
        for option in ["-nx", "--nx", "-tol", "--json", "--image", "--backend", "--progress"]:
            for words in ([option], [f"{option}="], [option, "--quiet"], [option, "-ny", "5"]):
                with self.subTest(words=words):
                    self.refuse("jacobi", *words, names=[f" {option}: "])

    def test_given_twice_or_with_a_value_too_many(self):
        self.refuse("jacobi", "-nx", 5, "--nx", 6, names=["--nx", "once"])
        self.refuse("jacobi", "--quiet=yes", names=["--quiet", "yes"])
        self.refuse("jacobi", "-csv=1", names=["-csv"])
        self.refuse("jacobi", "--json", "-", "-csv", names=["--json -", "-csv"])


class BadWords(ProgramTest):
    def test_unknown(self):
        for words, name in [([], "no command"), (["foo"], "'foo'"), (["--foo"], "'--foo'"),
                            (["jacobi", "--foo"], "'--foo'"), (["jacobi", "--foo=1"], "'--foo=1'"),
                            (["jacobi", "-nxx", "5"], "'-nxx'"), (["jacobi", "512"], "'512'"),
                            (["jacobi", "info"], "'info'"), (["jacobi", ""], "''"),
                            (["jacobi", "--"], "'--'"), (["-nx", "5", "jacobi"], "'-nx 5'"),
                            (["info", "-nx", "5"], "'-nx 5'"), (["info", "--quiet"], "'--quiet'"),
                            (["jacobi", "a\nb"], "'a b'")]:
            with self.subTest(words=words):
                self.refuse(*words, names=[name, "--help"])

    def test_kokkos_options_that_kokkos_would_abort_on(self):
        for word in ["--kokkos-num-threads=0", "--kokkos-num-threads=x", "--kokkos-num-threads",
                     "--kokkos-device-id=-1", "--kokkos-foo", "-kokkos-num-threads=1",
                     "--kokkos-map-device-id-by=name", "--kokkos-disable-warnings=perhaps"]:
            with self.subTest(word=word):
                self.refuse("jacobi", *SMALL, word, names=[word])

    def test_kokkos_variables_that_kokkos_would_abort_on(self):
        for name, value in [("KOKKOS_NUM_THREADS", "abc"), ("KOKKOS_NUM_THREADS", "0"),
                            ("KOKKOS_NUM_THREADS", ""), ("KOKKOS_DEVICE_ID", "a"),
                            ("KOKKOS_DISABLE_WARNINGS", "perhaps")]:
            with self.subTest(name=name, value=value):
                self.refuse("jacobi", *SMALL, names=[f"{name}='{value}'", "unset it"],
                            env={**os.environ, name: value})


class BadFiles(ProgramTest):
    def refuse_file(self, option, path, *names, **options):
        self.refuse("jacobi", "-nx", 5, "-ny", 5, option, path, names=[f"{option} {path}", *names],
                    **options)

    def test_folders(self):
        for option in ["--image", "--json"]:
            with self.subTest(option=option):
                self.refuse_file(option, self.folder / "missing" / "f.png", "no folder")
                self.refuse_file(option, self.folder, "folder")
                self.refuse_file(option, f"{self.folder}/", "folder")
        self.refuse("info", "--json", self.folder / "missing" / "f", names=["--json", "no folder"])

    def test_read_only_folder(self):
        self.folder.chmod(0o555)
        self.addCleanup(self.folder.chmod, 0o755)
        user = {}
        if os.geteuid() == 0:
            if subprocess.run(["/bin/test", "-x", PROGRAM], user=65534, check=False).returncode:
                self.skipTest("root may write anywhere, and nobody else may run the program")
            user = {"user": 65534}
        self.refuse_file("--image", self.folder / "f.png", "Permission denied", **user)

    def test_a_picture_is_a_png_file(self):
        self.refuse_file("--image", self.folder / "f.jpg", ".png")
        self.refuse_file("--image", "-")
        same = self.folder / "f.png"
        self.refuse("jacobi", "--image", same, "--json", f"{self.folder}/./f.png",
                    names=[f"--image {same}", "--json"])

    def test_nothing_is_created_or_destroyed_by_a_refusal(self):
        (self.folder / "f.png").write_text("precious")
        self.refuse("jacobi", "--image", self.folder / "f.png", "-nx", 0)
        self.refuse("jacobi", "--image", self.folder / "f.png", "--json", "/missing/f")
        self.assertEqual((self.folder / "f.png").read_text(), "precious")
        self.assertEqual(len(list(self.folder.iterdir())), 1)

    @unittest.skipIf("-fsanitize=thread" in info()["compiler_flags"],
                     "under the limit, ThreadSanitizer ends the program with a report of its own")
    def test_a_full_disk_keeps_the_old_picture_and_the_summary(self):
        (self.folder / "f.png").write_text("precious")
        # The picture exceeds this limit; the summary goes to a pipe, which has no limit.
        process = run("jacobi", *SMALL, "--image", self.folder / "f.png",
                      preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (64, 64)))
        self.assertEqual(process.returncode, 2)
        self.assertRegex(process.stderr, r"\Akolam: .*f\.png.*File too large\n\Z")
        self.assertIn("T_eff", process.stdout)
        self.assertNotIn("picture", process.stdout)
        self.assertEqual((self.folder / "f.png").read_text(), "precious")
        self.assertEqual(len(list(self.folder.iterdir())), 1)


class TooLarge(ProgramTest):
    def test_sizes_needed_and_present_are_named(self):
        error = self.refuse("jacobi", "-nx", 99999999999, code=3, names=["-nx 99999999999"])
        self.assertRegex(error, r"needs [\d.]+ PiB \(\d+ bytes\)")
        self.assertRegex(error, r"[\d.]+ [MGT]iB \(\d+ bytes\) are available")

    def test_products_beyond_64_bits(self):
        for size in [99999999999, 4294967296, 9223372036854775807]:
            with self.subTest(size=size):
                self.refuse("jacobi", "-nx", size, "--ny", size, code=3,
                            names=[f"-nx {size} --ny {size}", "8.00 EiB", "available"])


class Help(ProgramTest):
    def test_every_option_is_in_it(self):
        text = self.succeed("jacobi", "--help")
        for option in ["nx", "ny", "niter", "tol", "nccheck", "csv"]:
            self.assertRegex(text, rf"(?m)^ +-{option}, ?--{option}\b")
        for option in ["backend", "precision", "json", "image", "quiet", "progress", "t-peak"]:
            self.assertRegex(text, rf"(?m)^ +--{option}\b")
        self.assertIn("kolam_BACKEND, nx, ny", text)
        text = self.succeed("info", "--help")
        for option in ["bandwidth", "json"]:
            self.assertRegex(text, rf"(?m)^ +--{option}\b")

    def test_examples_and_exit_codes_are_in_all_of_it(self):
        for command in [[], ["info"], ["jacobi"]]:
            for word in ["--help", "-h"]:
                text = self.succeed(*command, word)
                for part in ["Examples:", "Exit codes:", "  4  internal", "--kokkos-"]:
                    self.assertIn(part, text)
                self.assertLessEqual(max(map(len, text.splitlines())), 100)

    def test_examples_name_existing_options(self):
        text = self.succeed("jacobi", "--help")
        examples = [line.split("|")[0].split()[1:] for line in text.splitlines()
                    if line.startswith("  kolam jacobi ")]
        self.assertGreaterEqual(len(examples), 3)
        for words in examples:
            self.succeed(*words, "--help")  # read, not run
            self.refuse(*words, "--no-such-option", names=["--no-such-option"])

    def test_version(self):
        self.assertRegex(self.succeed("--version"), r"\Akolam \d+\.\d+\.\d+\n\Z")

    def test_kokkos_help(self):
        process = run("--kokkos-help")
        self.assertEqual(process.returncode, 0)
        self.assertIn("--kokkos-num-threads", process.stdout)


class Streams(ProgramTest):
    def test_full_stdout_is_an_error(self):
        for words in [["--help"], ["info"], ["jacobi", *SMALL], ["jacobi", *SMALL, "--json", "-"]]:
            with self.subTest(words=words), open("/dev/full", "w") as full:
                self.refuse(*words, stdout=full, names=["stdout", "No space"])

    def test_closed_stdout_is_an_error_and_no_file_takes_its_place(self):
        self.refuse("jacobi", *SMALL, "--json", self.folder / "f", names=["stdout"],
                    stdout=None, preexec_fn=lambda: os.close(1))
        self.assertTrue((self.folder / "f").read_text().startswith("{"))
        self.succeed("jacobi", *SMALL, "--quiet", stdout=None, preexec_fn=lambda: os.close(1))

    def test_a_reader_that_has_gone_is_an_error(self):
        reading, writing = os.pipe()
        os.close(reading)
        self.refuse("jacobi", *SMALL, stdout=writing, names=["stdout", "Broken pipe"])
        os.close(writing)

    def test_json_to_dev_stdout_is_json_to_stdout(self):
        with tempfile.TemporaryFile("w+") as file:
            self.succeed("jacobi", *SMALL, "--json", "/dev/stdout", stdout=file)
            file.seek(0)
            self.assertTrue(file.read().startswith("{"))


class Progress(ProgramTest):
    @classmethod
    def setUpClass(cls):
        """Sets STEPS to take two seconds or more, ten times the interval of progress lines."""
        # Serial, because threads wait for each other on a busy machine.
        words = ["jacobi", "-nx", "700", "-ny", "700", "--quiet",
                 "--backend", "serial" if "serial" in backends() else backends()[0]]
        trial = json.loads(run(*words, *GIVEN_PEAK, "-niter", "200", "--json", "-").stdout)
        cls.STEPS = 200 + int(200 * 2 / max(trial["seconds"], 1e-3))
        cls.WORDS = [*words, "-niter", str(cls.STEPS)]

    def on_terminal(self, *words, **environment):
        """Returns the stderr of `kolam words...` on a terminal."""
        try:
            controller, terminal = pty.openpty()
        except OSError as error:
            self.skipTest(f"no terminal to be had: {error}")
        process = subprocess.Popen([PROGRAM, *words], stderr=terminal, stdout=subprocess.DEVNULL,
                                   env={**os.environ, "TERM": "xterm", **environment})
        os.close(terminal)
        shown = b""
        try:
            while part := os.read(controller, 4096):
                shown += part
        except OSError:  # Linux reports a closed terminal so
            pass
        os.close(controller)
        self.assertEqual(process.wait(), 0)
        return shown.decode()

    def check_line(self, shown, command="jacobi"):
        self.assertRegex(shown, rf"\x1b\[K{command}: step \d+ of {self.STEPS}, [\d.e+]+ steps/s, norm [\d.e-]+, \d+.* left")
        self.assertTrue(shown.endswith("\r\x1b[K"), "it is erased at the end")
        self.assertNotIn("\n", shown)

    def test_on_a_terminal_it_is_a_line_that_goes(self):
        self.check_line(self.on_terminal(*self.WORDS))

    def test_off_where_it_could_not_be_erased_or_is_not_wanted(self):
        self.assertEqual(self.on_terminal(*self.WORDS, TERM="dumb"), "")
        self.assertEqual(self.on_terminal(*self.WORDS, "--progress", "off"), "")
        self.succeed(*self.WORDS)  # expects an empty stderr

    def test_it_names_the_command(self):
        words = ["diffusion" if word == "jacobi" else word for word in self.WORDS]
        self.check_line(run(*words, "--progress", "on", text=False).stderr.decode(), "diffusion")

    def test_on_is_on_in_a_pipe_too(self):
        self.check_line(run(*self.WORDS, "--progress", "on", text=False).stderr.decode())


if __name__ == "__main__":
    unittest.main()
