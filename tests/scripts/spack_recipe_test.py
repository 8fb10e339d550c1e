# SPDX-License-Identifier: Apache-2.0
"""The Spack recipe against the CMake files, without Spack: stand-ins take its directives down."""

import importlib.util
import itertools
import os
import re
import shutil
import subprocess
import sys
import tempfile
import types
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "spack" / "spack_repo" / "kolam"
SWITCHES = ("openmp", "threads", "sycl", "shared", "mpi", "hdf5", "benchmarks", "tests", "cuda", "rocm")


class Base:
    """What the recipe takes from Spack's classes of packages."""

    cuda_arch_values = ("80", "90")
    amdgpu_targets = ("gfx90a",)

    def define(self, name, value):
        text = {True: "ON", False: "OFF"}.get(value, value)
        return f"-D{name}={text}"

    def define_from_variant(self, name, variant):
        return self.define(name, self.spec.satisfies(f"+{variant}"))

    def __getitem__(self, name):
        return types.SimpleNamespace(kokkos_cxx=f"/{name}/cxx")


class Spec(dict):
    def __init__(self, on):
        super().__init__(hip=types.SimpleNamespace(hipcc="/hip/hipcc"))
        self.on = on
        self.variants = {"cuda_arch": types.SimpleNamespace(value=("90",))}

    def satisfies(self, variant):
        return variant[1:] in self.on


class When:
    """`with when(...)`: what is taken down within is for this condition."""

    def __init__(self, list_of, condition):
        self.list_of, self.condition = list_of, condition

    def __enter__(self):
        self.begin = len(self.list_of)

    def __exit__(self, *_):
        self.list_of[self.begin:] = [(given, {"when": self.condition, **named}) for given, named in self.list_of[self.begin:]]


def load():
    """The recipe's class, and each directive's calls."""
    calls = {name: [] for name in ("version", "variant", "depends_on", "conflicts", "license")}
    package = types.ModuleType("spack.package")
    for name, list_of in calls.items():
        setattr(package, name, lambda *given, _to=list_of, **named: _to.append((given, named)))
    package.run_after = lambda phase: lambda function: function
    package.when = lambda condition: When(calls["depends_on"], condition)
    package.__all__ = [*calls, "run_after", "when"]
    standing_in = {"spack": types.ModuleType("spack"), "spack.package": package}
    path = ""
    for part in ("spack_repo", "builtin", "build_systems"):
        path = f"{path}.{part}".strip(".")
        standing_in[path] = types.ModuleType(path)
    for name in ("CMakePackage", "CudaPackage", "ROCmPackage"):
        module = types.ModuleType(f"{path}.{name.removesuffix('Package').lower()}")
        setattr(module, name, type(name, (Base,) if name == "CMakePackage" else (), {}))
        standing_in[module.__name__] = module
    standing_in[f"{path}.cuda"].CudaPackage.cuda_arch_values = Base.cuda_arch_values
    standing_in[f"{path}.rocm"].ROCmPackage.amdgpu_targets = Base.amdgpu_targets
    before = {name: sys.modules.get(name) for name in standing_in}
    sys.modules.update(standing_in)
    try:
        spec = importlib.util.spec_from_file_location("kolam_recipe", FOLDER / "packages/kolam/package.py")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    finally:
        for name, old in before.items():
            if old is None:
                del sys.modules[name]
            else:
                sys.modules[name] = old
    return module.Kolam, calls


def options_of_cmake():
    """Name to kind (BOOL, or auto for auto|on|off) of what the CMake files let a user set."""
    options = {"KOLAM_KOKKOS_SOURCE": "source", "CMAKE_CXX_COMPILER": "path", "BUILD_SHARED_LIBS": "BOOL"}
    for file in [ROOT / "CMakeLists.txt", *sorted((ROOT / "cmake").glob("*.cmake"))]:
        text = file.read_text()
        options.update((name, "BOOL") for name in re.findall(r"^\s*option\((\w+)", text, re.M))
        options.update((f"KOLAM_{name}", "auto")
                       for name in re.findall(r"^\s*kolam_auto_on_off\((\w+)", text, re.M))
    return options


class Recipe(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.kolam, cls.calls = load()
        cls.dependencies = {given[0]: named.get("when") for given, named in cls.calls["depends_on"]}

    def arguments(self, *on):
        package = self.kolam()
        package.spec = Spec(on)
        return dict(argument.removeprefix("-D").split("=", 1) for argument in package.cmake_args())

    def test_every_argument_is_an_option_and_has_a_value_of_it(self):
        options = options_of_cmake()
        values = {"BOOL": {"ON", "OFF"}, "auto": {"on", "off"}, "source": {"system"}}
        for on in itertools.product((False, True), repeat=len(SWITCHES)):
            chosen = [name for name, is_on in zip(SWITCHES, on) if is_on]
            for name, value in self.arguments(*chosen).items():
                self.assertIn(name, options)
                if options[name] in values:
                    self.assertIn(value, values[options[name]], name)

    def test_switches_reach_cmake(self):
        off = self.arguments()
        self.assertEqual((off["KOLAM_MPI"], off["KOLAM_HDF5"]), ("off", "off"))
        for switch, name in (("mpi", "KOLAM_MPI"), ("hdf5", "KOLAM_HDF5"), ("tests", "KOLAM_BUILD_TESTS"),
                             ("shared", "BUILD_SHARED_LIBS"),
                             ("benchmarks", "KOLAM_BUILD_BENCHMARKS")):
            on = self.arguments(switch)
            self.assertEqual([key for key in on if on[key] != off[key]], [name])

    def test_the_compiler_is_that_of_kokkos(self):
        self.assertEqual(self.arguments("cuda")["CMAKE_CXX_COMPILER"], "/kokkos/cxx")
        self.assertEqual(self.arguments("rocm")["CMAKE_CXX_COMPILER"], "/hip/hipcc")

    def test_variants_are_those_that_the_tests_and_cmake_use(self):
        names = {given[0] for given, _ in self.calls["variant"]}
        self.assertEqual(names | {"cuda", "rocm"}, set(SWITCHES))  # those two come from Spack's classes
        for given, named in self.calls["variant"]:
            self.assertTrue(named["description"], given)

    def test_kokkos_has_the_range_of_the_cmake_files(self):
        least, below = re.search(r"find_package\(Kokkos (\S+)\.\.\.<(\d+)",
                                 (ROOT / "cmake/kokkos.cmake").read_text()).groups()
        self.assertIn(f"kokkos@{least}:{int(below) - 1}", self.dependencies)
        for backend in ("openmp", "threads", "sycl"):
            self.assertEqual(self.dependencies[f"kokkos+{backend}"], f"+{backend}")
        self.assertEqual(self.dependencies["kokkos+cuda cuda_arch=90"], "+cuda cuda_arch=90")
        self.assertEqual(self.dependencies["kokkos+rocm amdgpu_target=gfx90a"],
                         "+rocm amdgpu_target=gfx90a")
        self.assertEqual(self.dependencies["kokkos+wrapper"], "+cuda %gcc")
        self.assertEqual(self.dependencies["kokkos+shared"], "+shared")
        self.assertEqual(self.dependencies["kokkos-kernels+shared"], "+shared")

    def test_least_versions_are_those_of_the_cmake_files(self):
        text = (ROOT / "cmake/dependencies.cmake").read_text()
        for package, spack in (("fmt", "fmt"), ("nlohmann_json", "nlohmann-json"), ("CLI11", "cli11")):
            least = re.search(rf"kolam_find\({package} \S+ ([\d.]+)", text)[1]
            self.assertIn(f"{spack}@{least}:", self.dependencies)

    def test_each_conflict_is_a_sentence(self):
        for given, named in self.calls["conflicts"]:
            self.assertGreater(len(named.get("msg", "").split()), 4, given)

    @unittest.skipUnless(shutil.which("spack"), "Spack is not installed")
    def test_spack_finds_nothing_amiss(self):
        with tempfile.TemporaryDirectory() as folder:  # none of the user's own configuration
            process = subprocess.run(["spack", "-c", f"repos:kolam:{FOLDER}", "audit", "packages", "kolam"],
                                     stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                     env={**os.environ, "SPACK_USER_CONFIG_PATH": folder})
        self.assertEqual(process.returncode, 0, process.stdout)

    def test_the_repository_has_the_name_and_place_that_its_index_says(self):
        self.assertIn("namespace: kolam", (FOLDER / "repo.yaml").read_text())
        self.assertIn(f"- {FOLDER.relative_to(ROOT)}", (ROOT / "spack-repo-index.yaml").read_text())
        for environment in sorted((ROOT / "spack/environments").iterdir()):
            text = (environment / "spack.yaml").read_text()
            self.assertEqual((environment / re.search(r"path: (\S+)", text)[1]).resolve(), ROOT)
            repository = re.search(r"kolam: \$env/(\S+)", text)[1]
            self.assertEqual((environment / repository).resolve(), FOLDER)


if __name__ == "__main__":
    unittest.main()
