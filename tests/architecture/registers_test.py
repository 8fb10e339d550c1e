# SPDX-License-Identifier: Apache-2.0
"""Tests cmake/registers.cmake with a library built by a compiler wrapper that silently adds -march, and with
programs with other flags."""

import os
import shlex
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CMAKE, COMPILER = sys.argv[1:3]

LIBRARY = """cmake_minimum_required(VERSION 3.25)
project(library LANGUAGES CXX)
include(GNUInstallDirs)
include("{root}/cmake/registers.cmake")
add_library(kokkoscore INTERFACE)
add_library(Kokkos::kokkoscore ALIAS kokkoscore)
target_compile_options(kokkoscore INTERFACE "{kokkos}")
install(TARGETS kokkoscore EXPORT targets)
add_library(kolam_core STATIC library.cpp)
target_link_libraries(kolam_core PUBLIC kokkoscore)
kolam_export_registers(kolam_core)
install(TARGETS kolam_core EXPORT targets INCLUDES DESTINATION include)
install(EXPORT targets FILE targets.cmake DESTINATION cmake)
"""
LIBRARY_SOURCE = """#include <kolam/core/detail/registers.hpp>
int bytes_in_library() { return kolam::detail::register_bytes; }
"""
PROGRAM = """cmake_minimum_required(VERSION 3.25)
project(program LANGUAGES CXX)
include("{prefix}/cmake/targets.cmake")
add_executable(program program.cpp)
target_link_libraries(program PRIVATE kolam_core)
"""
PROGRAM_SOURCE = """#include <kolam/core/detail/registers.hpp>
#include <cstdio>
int bytes_in_library();
#ifdef __FMA__
#define FMA "fma"
#else
#define FMA "no fma"
#endif
int main() { std::printf("%d %d %s", bytes_in_library(), kolam::detail::register_bytes, FMA); }
"""


# (The compiler wrapper of a package manager may add its own flags to the test's.)
WITHOUT_ADDED_FLAGS = {name: "" if name.startswith("SPACK_TARGET_ARGS") else value for name, value in os.environ.items()}


def run(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=WITHOUT_ADDED_FLAGS)


def takes(flag):
    return run(*shlex.split(COMPILER), flag, "-E", "-x", "c++", os.devnull).returncode == 0


@unittest.skipUnless(takes("-march=haswell"), "registers of one width only on this processor")
class Registers(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.prefix = self.folder / "prefix"

    def build(self, name, text, source, compiler, flags=""):
        """Returns the output of the first step that fails, or an empty string."""
        folder = self.folder / name
        folder.mkdir()
        (folder / "CMakeLists.txt").write_text(text)
        (folder / f"{name}.cpp").write_text(source)
        for step in (["-S", folder, "-B", folder / "build", f"-DCMAKE_CXX_COMPILER={compiler}",
                      f"-DCMAKE_CXX_FLAGS={flags}", f"-DCMAKE_INSTALL_PREFIX={self.prefix}", "-DCMAKE_BUILD_TYPE=Release"],
                     ["--build", folder / "build"]):
            process = run(CMAKE, *step)
            if process.returncode != 0:
                return process.stdout
        return ""

    def build_library(self, silently="", flags="", kokkos=""):
        """Builds and installs the library with a wrapper that silently gives the compiler the flags `silently`."""
        wrapper = self.folder / "wrapper"
        wrapper.write_text(f'#!/bin/sh\nexec {COMPILER} {silently} "$@"\n')
        wrapper.chmod(0o755)
        text = LIBRARY.format(root=ROOT, kokkos=kokkos)
        self.assertEqual(self.build("library", text, LIBRARY_SOURCE, wrapper, flags), "")
        self.assertEqual(run(CMAKE, "--install", self.folder / "library/build").returncode, 0)

    def expect(self, output, flags):
        """Checks that a program compiled with `flags` and the library's public options prints `output`."""
        name = "program"
        failure = self.build(name, PROGRAM.format(prefix=self.prefix), PROGRAM_SOURCE, COMPILER, flags)
        self.assertEqual(failure, "", failure)
        self.assertEqual(run(self.folder / name / "build/program").stdout, output)

    def test_what_a_wrapper_adds_is_a_public_option(self):
        self.build_library(silently="-march=haswell")
        self.expect("32 32 fma", "")

    def test_a_program_for_fewer_instructions_gets_those_of_the_library(self):
        self.build_library(silently="-march=haswell")
        self.expect("32 32 fma", "-march=x86-64")

    def test_a_program_for_more_instructions_keeps_the_layout(self):
        self.build_library(silently="-march=haswell")
        self.expect("32 32 fma", "-march=haswell -mavx512f")

    def test_a_portable_library_asks_for_nothing(self):
        self.build_library()
        self.expect("16 16 no fma", "")

    def test_a_portable_library_takes_any_program(self):
        self.build_library()
        self.expect("16 16 fma", "-march=haswell")

    def test_flags_of_the_user_and_of_kokkos_count(self):
        self.build_library(flags="-march=x86-64", kokkos="$<$<COMPILE_LANGUAGE:CXX>:-march=haswell;-mtune=haswell>")
        self.expect("32 32 fma", "")

    def test_registers_of_64_bytes(self):
        self.build_library(silently="-march=haswell -mavx512f")
        self.expect("64 64 fma", "-march=x86-64")

    def test_without_the_options_a_program_is_refused(self):
        self.build_library(silently="-march=haswell")
        source = self.folder / "program.cpp"
        source.write_text(PROGRAM_SOURCE)
        process = run(*shlex.split(COMPILER), "-march=x86-64", f"-I{self.prefix}/include", "-c", source, "-o", os.devnull)
        self.assertNotEqual(process.returncode, 0)
        self.assertRegex(process.stdout, r"compiled for registers of 32 bytes and this file is not: add -mavx -mavx2 -mfma")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
