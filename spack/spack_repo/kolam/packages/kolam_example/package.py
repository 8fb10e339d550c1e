# Copyright Spack Project Developers. See COPYRIGHT file for details.
#
# SPDX-License-Identifier: (Apache-2.0 OR MIT)
import pathlib

from spack_repo.builtin.build_systems.cmake import CMakePackage

from spack.package import *

CHECKOUT = pathlib.Path(__file__).resolve().parents[5]  # spack/spack_repo/kolam/packages/<name>


class KolamExample(CMakePackage):
    """A program that uses kolam. Copy this recipe for a program of your own."""

    # In your copy these four lines name your own project and its versions.
    homepage = CHECKOUT.as_uri()
    git = str(CHECKOUT)
    version("main", branch="HEAD")
    root_cmakelists_dir = "spack/example"

    license("Apache-2.0")

    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("kolam")  # Its user chooses the variants: spack install kolam-example ^kolam+openmp

    def cmake_args(self):
        compiler = self["kolam"].device_compiler  # nvcc_wrapper or hipcc, None without a GPU
        return [self.define("CMAKE_CXX_COMPILER", compiler)] if compiler else []

    def test_output(self):
        """the program prints the number that it must"""
        program = Executable(self.prefix.bin.kolam_example)
        assert "y(321) = 642" in program(output=str.split)
