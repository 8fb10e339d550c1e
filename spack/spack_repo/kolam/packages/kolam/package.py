# Copyright Spack Project Developers. See COPYRIGHT file for details.
#
# SPDX-License-Identifier: (Apache-2.0 OR MIT)
import json
import pathlib
import re

from spack_repo.builtin.build_systems.cmake import CMakePackage
from spack_repo.builtin.build_systems.cuda import CudaPackage
from spack_repo.builtin.build_systems.rocm import ROCmPackage

from spack.package import *

CHECKOUT = pathlib.Path(__file__).resolve().parents[5]  # spack/spack_repo/kolam/packages/kolam


def is_element_sizes(value):
    """Whether CMake's KOLAM_ELEMENT_SIZES takes `value`."""
    return value == "all" or re.fullmatch(r"\d+x\d+c?", value) is not None


class Kolam(CMakePackage, CudaPackage, ROCmPackage):
    """Arrays on host and device, block loops, stencils over many GPUs and finite elements without
    matrices, on Kokkos."""

    # kolam has no public home yet: the recipe builds the checkout that it lies in. The copy for
    # spack-packages names the public repository, its maintainers, and each release:
    #     url = "https://.../kolam-0.1.0.tar.gz"
    #     version("0.1.0", sha256=<of `spack checksum kolam 0.1.0`>)
    homepage = CHECKOUT.as_uri()
    git = str(CHECKOUT)

    test_requires_compiler = True

    license("Apache-2.0")

    version("main", branch="HEAD")  # what is checked out and committed, on whatever branch

    variant("openmp", default=False, description="OpenMP threads, by Kokkos")
    variant("threads", default=False, description="C++ threads, by Kokkos")
    variant("sycl", default=False, description="SYCL devices, by Kokkos")
    variant("shared", default=True, description="Shared libraries; static ones without")
    variant("mpi", default=True, description="Runs of several processes")
    variant("hdf5", default=True, description="Checkpoints and VTKHDF files")
    variant("kokkos_kernels", default=False, description="Assembled matrices")
    variant("metis", default=False, description="METIS to cut meshes")
    variant("scotch", default=False, description="Scotch to cut meshes")
    variant("hypre", default=False, description="BoomerAMG for coarse levels")
    variant("benchmarks", default=False, description="The benchmark suite, beside its baselines")
    variant(
        "element_sizes",
        default="all",
        values=is_element_sizes,
        multi=True,
        description="Nodes x points of the elements to compile kernels for, e.g. 3x4,4x4c",
    )
    # Kokkos is built for one GPU, and for these of NVIDIA's.
    cuda_archs = ("70", "75", "80", "86", "87", "89", "90", "100", "120")
    variant(
        "cuda_arch",
        default="none",
        values=("none",) + CudaPackage.cuda_arch_values,
        multi=False,
        sticky=True,
        when="+cuda",
        description="The one NVIDIA GPU to build for",
    )
    variant(
        "amdgpu_target",
        default="none",
        values=("none",) + ROCmPackage.amdgpu_targets,
        multi=False,
        sticky=True,
        when="+rocm",
        description="The one AMD GPU to build for",
    )

    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("kokkos@4.7:5 +serial cxxstd=20")
    depends_on("kokkos-kernels", when="+kokkos_kernels")
    with when("+shared"):  # else each of kolam's libraries would hold a Kokkos of its own
        depends_on("kokkos+shared")
        depends_on("kokkos-kernels+shared", when="+kokkos_kernels")
    depends_on("fmt@9:")
    depends_on("nlohmann-json@3.9:")
    depends_on("cli11@2.1:")
    depends_on("libpng")
    depends_on("zlib-api")
    depends_on("expat")
    depends_on("mpi@3.1:", when="+mpi")
    depends_on("hdf5@1.10.2:", when="+hdf5")
    depends_on("hdf5~mpi", when="+hdf5~mpi")
    depends_on("metis@5:", when="+metis")
    depends_on("scotch~mpi", when="+scotch")
    depends_on("hypre@2.20:+mpi", when="+hypre")
    depends_on("googletest@1.12: +gmock", type="test")
    depends_on("python@3:", type="test")
    depends_on("benchmark@1.7:", when="+benchmarks")

    for backend in ("openmp", "threads", "sycl", "cuda", "rocm"):
        depends_on(f"kokkos+{backend}", when=f"+{backend}")
        depends_on(f"kokkos~{backend}", when=f"~{backend}")
    for arch in cuda_archs:
        depends_on(f"kokkos cuda_arch={arch}", when=f"+cuda cuda_arch={arch}")
    for target in ROCmPackage.amdgpu_targets:
        depends_on(f"kokkos amdgpu_target={target}", when=f"+rocm amdgpu_target={target}")
    depends_on("kokkos+wrapper", when="+cuda")
    requires(
        "^kokkos+cuda_lambda",
        when="+cuda ^kokkos@:4",
        msg="kolam+cuda needs Kokkos 4 built with +cuda_lambda",
    )
    requires("%oneapi", when="+sycl", msg="kolam+sycl needs oneAPI's compiler: add %oneapi")

    conflicts(
        "+cuda",
        when="cuda_arch=none",
        msg="kolam+cuda is built for one GPU: say which, e.g. cuda_arch=90",
    )
    conflicts(
        "+rocm",
        when="amdgpu_target=none",
        msg="kolam+rocm is built for one GPU: say which, e.g. amdgpu_target=gfx90a",
    )
    for arch in CudaPackage.cuda_arch_values:
        if arch not in cuda_archs:
            conflicts(
                f"cuda_arch={arch}",
                when="+cuda",
                msg=f"kolam+cuda is built for one of cuda_arch={','.join(cuda_archs)}, not {arch}",
            )
    conflicts("+hypre", when="~mpi", msg="hypre works with MPI here: choose kolam+hypre+mpi")
    conflicts("+sycl", when="+cuda", msg="a Kokkos has one kind of device: choose +sycl or +cuda")
    conflicts("+sycl", when="+rocm", msg="a Kokkos has one kind of device: choose +sycl or +rocm")
    conflicts(
        "+openmp",
        when="+threads",
        msg="a Kokkos has one kind of host threads: choose +openmp or +threads",
    )
    conflicts("%gcc@:11", msg="kolam is C++20: use gcc 12 or newer")
    conflicts("%clang@:13", msg="kolam is C++20: use clang 14 or newer")

    filter_compiler_wrappers("kolam.pc", recursive=True)

    @property
    def device_compiler(self):
        """What compiles for the GPU, where that is not the compiler of the spec."""
        spec = self.spec
        if spec.satisfies("+rocm"):
            return spec["hip"].hipcc
        if spec.satisfies("^kokkos+wrapper"):
            if "kokkos-nvcc-wrapper" in spec:
                return self["kokkos-nvcc-wrapper"].kokkos_cxx
            return join_path(spec["kokkos"].prefix.bin, "nvcc_wrapper")  # of an external Kokkos
        return None

    def cmake_args(self):
        def on_off(variant):
            return "on" if self.spec.satisfies(f"+{variant}") else "off"

        sizes = self.spec.variants["element_sizes"].value
        if "all" in sizes and len(sizes) > 1:
            raise InstallError(
                f"element_sizes={','.join(sizes)}: 'all' is the default, which a requirement adds "
                "to; write element_sizes:=3x4 for these sizes alone"
            )
        args = [
            self.define_from_variant("BUILD_SHARED_LIBS", "shared"),
            self.define("KOLAM_KOKKOS_SOURCE", "system"),
            self.define("KOLAM_KOKKOS_KERNELS", on_off("kokkos_kernels")),
            self.define("KOLAM_MPI", on_off("mpi")),
            self.define("KOLAM_HDF5", on_off("hdf5")),
            self.define("KOLAM_METIS", on_off("metis")),
            self.define("KOLAM_SCOTCH", on_off("scotch")),
            self.define("KOLAM_HYPRE", on_off("hypre")),
            self.define("KOLAM_ELEMENT_SIZES", ";".join(sizes)),
            self.define("KOLAM_BUILD_APPS", True),
            self.define_from_variant("KOLAM_BUILD_BENCHMARKS", "benchmarks"),
            self.define("KOLAM_BUILD_TESTS", self.run_tests),
        ]
        if self.device_compiler:
            args.append(self.define("CMAKE_CXX_COMPILER", self.device_compiler))
        return args

    @property
    def nvcc_environment(self):
        """Kokkos 4's nvcc_wrapper compiles for sm_70 unless told, as in CMake's first tests of the
        compiler. CUDA 13 no longer knows sm_70. Of several -arch nvcc takes the last."""
        if self.spec.satisfies("+cuda ^kokkos@:4 ^cuda@13:"):
            return {"NVCC_APPEND_FLAGS": f"-arch=sm_{self.spec.variants['cuda_arch'].value}"}
        return {}

    def setup_build_environment(self, env: EnvironmentModifications) -> None:
        for name, value in self.nvcc_environment.items():
            env.set(name, value)

    def setup_dependent_build_environment(
        self, env: EnvironmentModifications, dependent_spec: Spec
    ) -> None:
        self.setup_build_environment(env)

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
        options = "-nx 64 -ny 64 -niter 100 --precision double --t-peak 1 --json -".split()
        out = kolam("jacobi", *options, output=str.split)
        norms = [step["norm"] for step in json.loads(out)["norm_history"]]
        expected = {0: 1.9843134832984430, 1: 1.1046484816569309, 19: 0.17895353786738508}
        for step, norm in expected.items():
            assert abs(norms[step] / norm - 1) < 1e-12, f"step {step}: {norms[step]}, not {norm}"

    def test_examples(self):
        """programs that use the installed package are built, and print what they must"""
        source = join_path(self.test_suite.current_test_cache_dir, "examples")
        cmake = Executable(self.spec["cmake"].prefix.bin.cmake)
        prefixes = ";".join([self.prefix, *get_cmake_prefix_path(self)])
        compiler = self.device_compiler or self.compiler.cxx
        with set_env(**self.nvcc_environment):
            cmake(
                *("-S", source, "-B", "build"),
                f"-DCMAKE_CXX_COMPILER={compiler}",
                f"-DCMAKE_PREFIX_PATH={prefixes}",
            )
            cmake("--build", "build")
        ctest = Executable(self.spec["cmake"].prefix.bin.ctest)
        ctest("--test-dir", "build", "--output-on-failure")
