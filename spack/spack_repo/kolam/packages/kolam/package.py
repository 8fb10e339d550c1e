# SPDX-License-Identifier: Apache-2.0
import json
import pathlib

from spack_repo.builtin.build_systems.cmake import CMakePackage
from spack_repo.builtin.build_systems.cuda import CudaPackage
from spack_repo.builtin.build_systems.rocm import ROCmPackage

from spack.package import *

CHECKOUT = pathlib.Path(__file__).resolve().parents[5]  # spack/spack_repo/kolam/packages/kolam


class Kolam(CMakePackage, CudaPackage, ROCmPackage):
    """Arrays on host and device, block loops, stencils over many GPUs and finite elements without
    matrices, on Kokkos."""

    homepage = CHECKOUT.as_uri()
    git = CHECKOUT.as_uri()
    license("Apache-2.0")
    test_requires_compiler = True

    version("main", branch="main")

    variant("openmp", default=False, description="OpenMP threads, by Kokkos")
    variant("threads", default=False, description="C++ threads, by Kokkos")
    variant("sycl", default=False, description="SYCL devices, by Kokkos")
    variant("shared", default=True, description="Shared libraries; static ones without")
    variant("mpi", default=True, description="Runs of several processes")
    variant("hdf5", default=True, description="Checkpoints and VTKHDF files")
    variant("benchmarks", default=False, description="The benchmark suite, beside its baselines")
    variant("tests", default=False, description="The unit tests, in the build folder")

    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("kokkos@4.7:5")
    depends_on("kokkos-kernels")
    with when("+shared"):  # else each of kolam's libraries would hold a Kokkos of its own
        depends_on("kokkos+shared")
        depends_on("kokkos-kernels+shared")
    depends_on("fmt@9:")
    depends_on("nlohmann-json@3.9:")
    depends_on("cli11@2.1:")
    depends_on("libpng")
    depends_on("zlib-api")
    depends_on("mpi@3.1:", when="+mpi")
    depends_on("hdf5@1.10.2:", when="+hdf5")
    depends_on("googletest@1.12: +gmock", when="+tests")
    depends_on("benchmark@1.7:", when="+benchmarks")

    for backend in ("openmp", "threads", "sycl"):
        depends_on(f"kokkos+{backend}", when=f"+{backend}")
    for arch in CudaPackage.cuda_arch_values:
        depends_on(f"kokkos+cuda cuda_arch={arch}", when=f"+cuda cuda_arch={arch}")
    for target in ROCmPackage.amdgpu_targets:
        depends_on(f"kokkos+rocm amdgpu_target={target}", when=f"+rocm amdgpu_target={target}")
    depends_on("kokkos+wrapper", when="+cuda %gcc")  # g++ alone does not compile for devices

    conflicts("+cuda", when="cuda_arch=none",
              msg="kolam+cuda is built for one GPU: say which, e.g. cuda_arch=90")
    conflicts("+rocm", when="amdgpu_target=none",
              msg="kolam+rocm is built for one GPU: say which, e.g. amdgpu_target=gfx90a")
    conflicts("+cuda", when="+rocm", msg="a Kokkos has one kind of device: choose +cuda or +rocm")
    conflicts("+sycl", when="+cuda", msg="a Kokkos has one kind of device: choose +sycl or +cuda")
    conflicts("+sycl", when="+rocm", msg="a Kokkos has one kind of device: choose +sycl or +rocm")
    conflicts("+openmp", when="+threads",
              msg="a Kokkos has one kind of host threads: choose +openmp or +threads")
    conflicts("%gcc@:11", msg="kolam is C++20: use gcc 12 or newer")
    conflicts("%clang@:13", msg="kolam is C++20: use clang 14 or newer")
    conflicts("^cuda@13:", when="^kokkos@:4.7.00",
              msg="Kokkos 4.7.00 does not compile with CUDA 13: use Kokkos 4.7.01 or newer")

    def cxx(self):
        """The compiler of the Kokkos that kolam builds on."""
        return self.spec["hip"].hipcc if self.spec.satisfies("+rocm") else self["kokkos"].kokkos_cxx

    def cmake_args(self):
        spec = self.spec
        return [
            self.define("CMAKE_CXX_COMPILER", self.cxx()),
            self.define_from_variant("BUILD_SHARED_LIBS", "shared"),
            self.define("KOLAM_KOKKOS_SOURCE", "system"),
            self.define("KOLAM_KOKKOS_KERNELS", "on"),
            self.define("KOLAM_MPI", "on" if spec.satisfies("+mpi") else "off"),
            self.define("KOLAM_HDF5", "on" if spec.satisfies("+hdf5") else "off"),
            self.define("KOLAM_BUILD_APPS", True),
            self.define("KOLAM_BUILD_EXAMPLES", False),
            self.define_from_variant("KOLAM_BUILD_BENCHMARKS", "benchmarks"),
            self.define_from_variant("KOLAM_BUILD_TESTS", "tests"),
        ]

    def setup_build_environment(self, env):
        # nvcc_wrapper compiles CMake's first files for a GPU that newer CUDA does not know.
        if self.spec.satisfies("+cuda"):
            arch = self.spec.variants["cuda_arch"].value[0]
            env.set("NVCC_WRAPPER_DEFAULT_ARCH", f"sm_{arch}")

    @run_after("install")
    def keep_examples(self):
        cache_extra_test_sources(self, ["examples"])

    def test_info(self):
        """the program starts and knows its backends"""
        kolam = Executable(self.prefix.bin.kolam)
        assert "Kokkos" in kolam("info", output=str.split, error=str.split)

    def test_jacobi(self):
        """a hundred steps of Jacobi give the norms that they must"""
        kolam = Executable(self.prefix.bin.kolam)
        out = kolam("jacobi", "-nx", "64", "-ny", "64", "-niter", "100", "--precision", "double",
                    "--t-peak", "1", "--json", "-", output=str.split)
        norms = [step["norm"] for step in json.loads(out)["norm_history"]]
        for step, expected in ((0, 1.9843134832984430), (1, 1.1046484816569309), (19, 0.17895353786738508)):
            assert abs(norms[step] / expected - 1) < 1e-12, f"step {step}: {norms[step]}, not {expected}"

    def test_examples(self):
        """programs that use the installed package are built, and print what they must"""
        source = join_path(self.test_suite.current_test_cache_dir, "examples")
        cmake = Executable(self.spec["cmake"].prefix.bin.cmake)
        prefixes = ";".join([self.prefix, *get_cmake_prefix_path(self)])
        cmake("-S", source, "-B", "build", f"-DCMAKE_CXX_COMPILER={self.cxx()}",
              f"-DCMAKE_PREFIX_PATH={prefixes}")
        cmake("--build", "build")
        ctest = Executable(self.spec["cmake"].prefix.bin.ctest)
        ctest("--test-dir", "build", "--output-on-failure")
