# SPDX-License-Identifier: Apache-2.0
"""Checks the Spack recipe against the CMake files, without Spack: stand-ins record its directives."""

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
import unittest.mock
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "spack" / "spack_repo" / "kolam"
RECIPE = FOLDER / "packages/kolam/package.py"
EXAMPLE_RECIPE = FOLDER / "packages/kolam_example/package.py"  # of a program that uses kolam
SWITCHES = ("openmp", "threads", "sycl", "shared", "mpi", "hdf5", "kokkos_kernels", "metis", "scotch", "hypre",
            "benchmarks",
            "cuda", "rocm")

SPECS = {"openmp": "+openmp", "cuda": "+openmp+cuda cuda_arch=90", "rocm": "+rocm amdgpu_target=gfx90a"}  # of the environments


class Base:
    """Stands in for Spack's package classes."""

    cuda_arch_values = ("60", "70", "75", "80", "86", "87", "89", "90", "90a", "100", "120")
    amdgpu_targets = ("gfx90a",)
    run_tests = False

    def define(self, name, value):
        text = {True: "ON", False: "OFF"}.get(value, value)
        return f"-D{name}={text}"

    def define_from_variant(self, name, variant):
        return self.define(name, self.spec.satisfies(f"+{variant}"))

    def __getitem__(self, name):
        if name == "kolam":  # which kolam-example depends on
            return self.kolam
        # (The kokkos_cxx of Kokkos' own package exists only in a build of Kokkos: it names a global of that build.)
        if name != "kokkos-nvcc-wrapper":
            raise AssertionError(f"the recipe takes {name}'s package; its compiler is that of the spec")
        return types.SimpleNamespace(kokkos_cxx="/wrapper/nvcc_wrapper")


class Spec(dict):
    """A concrete spec; with `external` its Kokkos was not built by Spack, which does not know Kokkos' dependencies."""

    def __init__(self, on, external=False, sizes=("all",)):
        commands = types.SimpleNamespace(cmake="/cmake/bin/cmake", ctest="/cmake/bin/ctest")
        super().__init__(hip=types.SimpleNamespace(hipcc="/hip/hipcc"),
                         cmake=types.SimpleNamespace(prefix=types.SimpleNamespace(bin=commands)),
                         kokkos=types.SimpleNamespace(prefix=types.SimpleNamespace(bin="/kokkos/bin")))
        self.on = on
        if "cuda" in on and not external:
            self["kokkos-nvcc-wrapper"] = None
        self.variants = {"cuda_arch": types.SimpleNamespace(value="90"),
                         "element_sizes": types.SimpleNamespace(value=sizes)}

    def satisfies(self, variant):
        if variant == "^kokkos+wrapper":
            return "cuda" in self.on
        if variant == "+cuda ^kokkos@:4 ^cuda@13:":
            return {"cuda", "kokkos@4", "cuda@13"} <= set(self.on)
        assert re.fullmatch(r"\+\w+", variant), variant
        return variant[1:] in self.on


COMMANDS = []  # commands that the recipe has run
ENVIRONMENTS = []  # NVCC_APPEND_FLAGS of each command


class Executable:
    output = ""  # of every command

    def __init__(self, path):
        self.path = path

    def __call__(self, *given, **_):
        COMMANDS.append((self.path, *given))
        ENVIRONMENTS.append(os.environ.get("NVCC_APPEND_FLAGS"))
        return self.output


class When:
    """Stands in for `with when(...)`: adds the condition to the directives recorded inside."""

    def __init__(self, list_of, condition):
        self.list_of, self.condition = list_of, condition

    def __enter__(self):
        self.begin = len(self.list_of)

    def __exit__(self, *_):
        self.list_of[self.begin:] = [(given, {"when": self.condition, **named}) for given, named in self.list_of[self.begin:]]


def load(recipe, class_name):
    """Returns the class `class_name` of the file `recipe`, and each directive's calls."""
    calls = {name: [] for name in ("version", "variant", "depends_on", "requires", "conflicts", "license",
                                   "filter_compiler_wrappers")}
    package = types.ModuleType("spack.package")
    for name, list_of in calls.items():
        setattr(package, name, lambda *given, _to=list_of, **named: _to.append((given, named)))
    package.run_after = lambda phase: lambda function: function
    package.when = lambda condition: When(calls["depends_on"], condition)
    package.join_path = os.path.join
    package.EnvironmentModifications = package.Spec = object
    package.Executable = Executable
    package.InstallError = RuntimeError
    package.set_env = lambda **named: unittest.mock.patch.dict(os.environ, named)
    package.get_cmake_prefix_path = lambda package: ["/kokkos"]
    package.__all__ = [*calls, "run_after", "when", "join_path", "EnvironmentModifications", "Spec", "Executable",
                       "InstallError", "set_env", "get_cmake_prefix_path"]
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
        spec = importlib.util.spec_from_file_location("recipe", recipe)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    finally:
        for name, old in before.items():
            if old is None:
                del sys.modules[name]
            else:
                sys.modules[name] = old
    return getattr(module, class_name), calls


def options_of_cmake():
    """Returns the options of the CMake files: name to kind (BOOL, or auto for auto|on|off)."""
    options = {"KOLAM_KOKKOS_SOURCE": "source", "CMAKE_CXX_COMPILER": "path", "BUILD_SHARED_LIBS": "BOOL",
               "KOLAM_ELEMENT_SIZES": "sizes"}
    for file in [ROOT / "CMakeLists.txt", *sorted((ROOT / "cmake").glob("*.cmake"))]:
        text = file.read_text()
        options.update((name, "BOOL") for name in re.findall(r"^\s*option\((\w+)", text, re.M))
        options.update((f"KOLAM_{name}", "auto")
                       for name in re.findall(r"^\s*kolam_auto_on_off\((\w+)", text, re.M))
    return options


class Recipe(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.kolam, cls.calls = load(RECIPE, "Kolam")
        cls.dependencies = {given[0]: named.get("when") for given, named in cls.calls["depends_on"]}
        cls.requirements = {given[0]: named.get("when") for given, named in cls.calls["requires"]}

    def arguments(self, *on, run_tests=False, **of_spec):
        package = self.kolam()
        package.spec = Spec(on, **of_spec)
        package.run_tests = run_tests
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
        for switch, name in (("mpi", "KOLAM_MPI"), ("hdf5", "KOLAM_HDF5"),
                             ("kokkos_kernels", "KOLAM_KOKKOS_KERNELS"),
                             ("metis", "KOLAM_METIS"), ("scotch", "KOLAM_SCOTCH"),
                             ("hypre", "KOLAM_HYPRE"),
                             ("shared", "BUILD_SHARED_LIBS"),
                             ("benchmarks", "KOLAM_BUILD_BENCHMARKS")):
            on = self.arguments(switch)
            self.assertEqual([key for key in on if on[key] != off[key]], [name])

    def test_unit_tests_are_built_where_they_are_asked_for(self):
        self.assertEqual(self.arguments()["KOLAM_BUILD_TESTS"], "OFF")
        self.assertEqual(self.arguments(run_tests=True)["KOLAM_BUILD_TESTS"], "ON")
        tests = {given[0] for given, named in self.calls["depends_on"] if named.get("type") == "test"}
        self.assertIn("googletest@1.12: +gmock", tests)

    def test_only_devices_have_a_compiler_of_their_own(self):
        self.assertNotIn("CMAKE_CXX_COMPILER", self.arguments("openmp"))
        self.assertEqual(self.arguments("rocm")["CMAKE_CXX_COMPILER"], "/hip/hipcc")
        self.assertEqual(self.arguments("cuda")["CMAKE_CXX_COMPILER"], "/wrapper/nvcc_wrapper")
        self.assertEqual(self.arguments("cuda", external=True)["CMAKE_CXX_COMPILER"], "/kokkos/bin/nvcc_wrapper")

    def test_element_sizes_are_those_that_cmake_takes(self):
        self.assertEqual(self.arguments(sizes=("3x4", "4x4c"))["KOLAM_ELEMENT_SIZES"], "3x4;4x4c")
        values = {given[0]: named for given, named in self.calls["variant"]}["element_sizes"]["values"]
        for size, good in (("all", True), ("3x4", True), ("4x4c", True), ("4", False), ("x4", False), ("4x4d", False)):
            self.assertEqual(values(size), good, size)

    def test_the_default_sizes_beside_others_are_refused_with_the_remedy(self):
        # A requirement `element_sizes=4x4c` of packages.yaml adds 4x4c to the default.
        with self.assertRaisesRegex(RuntimeError, "element_sizes:="):
            self.arguments(sizes=("4x4c", "all"))

    def test_the_compiler_wrapper_leaves_kolam_pc(self):
        # (Recursive, because the file is in lib or lib64.)
        self.assertEqual(self.calls["filter_compiler_wrappers"], [(("kolam.pc",), {"recursive": True})])

    @unittest.mock.patch.dict(os.environ)
    def test_cuda_13_compiles_for_a_gpu_that_it_knows(self):
        class Environment(dict):
            set = dict.__setitem__

        os.environ.pop("NVCC_APPEND_FLAGS", None)  # it may be set where this test runs
        for on, flags in ((("cuda", "kokkos@4", "cuda@13"), "-arch=sm_90"), (("cuda", "kokkos@4"), None),
                          (("cuda", "cuda@13"), None), (("openmp", "kokkos@4"), None)):
            package = self.examples(on)
            environment = Environment()
            package.setup_build_environment(environment)
            self.assertEqual(environment.get("NVCC_APPEND_FLAGS"), flags)
            of_dependent = Environment()
            package.setup_dependent_build_environment(of_dependent, None)
            self.assertEqual(of_dependent, environment)
            self.assertEqual(ENVIRONMENTS[:2], [flags, flags])  # of the examples' commands

    def examples(self, on):
        """Builds and runs the examples of the package of `on`, with COMMANDS, and returns the package."""
        package = self.kolam()
        package.spec = Spec(on)
        package.prefix = "/prefix"
        package.compiler = types.SimpleNamespace(cxx="/usr/bin/g++")  # not Spack's wrapper, which works in builds only
        package.test_suite = types.SimpleNamespace(current_test_cache_dir="/cache")
        COMMANDS.clear()
        ENVIRONMENTS.clear()
        package.test_examples()
        return package

    def test_examples_are_built_by_the_compiler_that_built_kolam(self):
        for on, compiler in ((("openmp",), "/usr/bin/g++"), (("cuda",), "/wrapper/nvcc_wrapper"), (("rocm",), "/hip/hipcc")):
            self.examples(on)
            configure, build, test = COMMANDS
            self.assertEqual(configure[:5], ("/cmake/bin/cmake", "-S", "/cache/examples", "-B", "build"))
            self.assertIn(f"-DCMAKE_CXX_COMPILER={compiler}", configure)
            self.assertIn("-DCMAKE_PREFIX_PATH=/prefix;/kokkos", configure)
            self.assertEqual((build[1], test[:2]), ("--build", ("/cmake/bin/ctest", "--test-dir")))

    def test_what_is_checked_out_is_built(self):
        (given, named), = self.calls["version"]
        self.assertEqual((given, named), (("main",), {"branch": "HEAD"}))
        self.assertEqual(Path(self.kolam.git), ROOT)

    def test_variants_are_those_that_the_tests_and_cmake_use(self):
        names = {given[0] for given, _ in self.calls["variant"]}
        # cuda and rocm come from Spack's classes.
        self.assertEqual(names | {"cuda", "rocm"}, {*SWITCHES, "element_sizes", "cuda_arch", "amdgpu_target"})
        for given, named in self.calls["variant"]:
            self.assertTrue(named["description"], given)

    def test_kokkos_has_the_range_of_the_cmake_files(self):
        least, below = re.search(r"find_package\(Kokkos (\S+)\.\.\.<(\d+)",
                                 (ROOT / "cmake/kokkos.cmake").read_text()).groups()
        self.assertIn(f"kokkos@{least}:{int(below) - 1} +serial cxxstd=20", self.dependencies)
        for backend in ("openmp", "threads", "sycl", "cuda", "rocm"):
            self.assertEqual(self.dependencies[f"kokkos+{backend}"], f"+{backend}")
            self.assertEqual(self.dependencies[f"kokkos~{backend}"], f"~{backend}")
        self.assertEqual(self.dependencies["kokkos cuda_arch=90"], "+cuda cuda_arch=90")
        self.assertEqual(self.dependencies["kokkos amdgpu_target=gfx90a"], "+rocm amdgpu_target=gfx90a")
        self.assertEqual(self.dependencies["kokkos+wrapper"], "+cuda")
        self.assertEqual(self.requirements["^kokkos+cuda_lambda"], "+cuda ^kokkos@:4")
        self.assertEqual(self.requirements["%oneapi"], "+sycl")
        self.assertEqual(self.dependencies["kokkos+shared"], "+shared")
        self.assertEqual(self.dependencies["kokkos-kernels"], "+kokkos_kernels")
        self.assertEqual(self.dependencies["kokkos-kernels+shared"], "+kokkos_kernels")

    def test_nothing_brings_mpi_in_without_the_variant(self):
        self.assertEqual(self.dependencies["mpi@3.1:"], "+mpi")
        self.assertEqual(self.dependencies["hdf5~mpi"], "+hdf5~mpi")

    def test_gpus_are_those_of_the_cmake_files(self):
        text = (ROOT / "cmake/kokkos_configuration.cmake").read_text()
        listed = re.search(r"set\(kolam_cuda_architectures ([^)]*)\)", text)[1]
        self.assertEqual(self.kolam.cuda_archs, tuple(re.findall(r"(\d+)=", listed)))
        refused = {given[0] for given, _ in self.calls["conflicts"]}
        self.assertLessEqual({"cuda_arch=60", "cuda_arch=90a"}, refused)
        self.assertNotIn("cuda_arch=90", refused)
        without_a_gpu = {(given[0], named.get("when")) for given, named in self.calls["conflicts"]}
        self.assertLessEqual({("+cuda", "cuda_arch=none"), ("+rocm", "amdgpu_target=none")}, without_a_gpu)
        one = {given[0]: named["multi"] for given, named in self.calls["variant"] if "multi" in named}
        self.assertEqual((one["cuda_arch"], one["amdgpu_target"]), (False, False))

    def test_least_versions_are_those_of_the_cmake_files(self):
        text = (ROOT / "cmake/dependencies.cmake").read_text()
        for package, spack in (("fmt", "fmt"), ("nlohmann_json", "nlohmann-json"), ("CLI11", "cli11")):
            least = re.search(rf"kolam_find\({package} \S+ ([\d.]+)", text)[1]
            self.assertIn(f"{spack}@{least}:", self.dependencies)

    def test_each_conflict_is_a_sentence(self):
        said = [(given, named.get("when")) for given, named in self.calls["conflicts"]]
        self.assertEqual(len(said), len(set(said)), "a conflict is said twice")
        for given, named in [*self.calls["conflicts"], *self.calls["requires"]]:
            self.assertGreater(len(named.get("msg", "").split()), 4, given)

    def test_the_text_is_as_spack_packages_has_it(self):
        recipes = sorted((FOLDER / "packages").glob("*/package.py"))
        self.assertEqual(recipes, [RECIPE, EXAMPLE_RECIPE])
        for recipe in recipes:
            lines = recipe.read_text().splitlines()
            self.assertEqual(lines[0], "# Copyright Spack Project Developers. See COPYRIGHT file for details.")
            self.assertEqual(lines[2], "# SPDX-License-Identifier: (Apache-2.0 OR MIT)")
            self.assertEqual([line for line in lines if len(line) > 99], [])

    @unittest.skipUnless(shutil.which("spack"), "Spack is not installed")
    def test_spack_finds_nothing_amiss(self):
        with tempfile.TemporaryDirectory() as folder:  # a configuration scope that overrides the user's
            (Path(folder) / "repos.yaml").write_text(f"repos:\n  kolam: {FOLDER}\n")
            process = subprocess.run(["spack", "-C", folder, "audit", "packages", "kolam", "kolam-example"],
                                     stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if "No module named 'spack_repo.builtin'" in process.stdout:
            self.skipTest("Spack has not got its own packages here")  # for example without a network
        self.assertEqual(process.returncode, 0, process.stdout)

    def test_the_repository_has_the_name_and_place_that_its_index_says(self):
        self.assertIn("namespace: kolam", (FOLDER / "repo.yaml").read_text())
        self.assertIn(f"- {FOLDER.relative_to(ROOT)}", (ROOT / "spack-repo-index.yaml").read_text())
        for environment in sorted((ROOT / "spack/environments").iterdir()):
            text = (environment / "spack.yaml").read_text()
            self.assertEqual((environment / re.search(r"path: (\S+)", text)[1]).resolve(), ROOT)
            self.assertIn(f"- kolam@main {SPECS[environment.name]}\n", text)
            repository = re.search(r"kolam: \$env/(\S+)", text)[1]
            self.assertEqual((environment / repository).resolve(), FOLDER)

    @unittest.skipUnless((ROOT / ".git").exists() and shutil.which("git"), "not a checkout")
    def test_what_environments_leave_is_ignored(self):
        # (The first is a link to a build folder elsewhere, not a folder.)
        left = ["build-linux-debian12-zen3-abcdefg", "spack-build-abcdefg/x", "spack-build-out.txt"]
        for environment in sorted((ROOT / "spack/environments").iterdir()):
            left += [f"{environment.relative_to(ROOT)}/{name}" for name in ("spack.lock", ".spack-env/view")]
        for file in left:
            process = subprocess.run(["git", "-C", ROOT, "check-ignore", "-q", file])
            self.assertEqual(process.returncode, 0, file)


class ExampleRecipe(unittest.TestCase):
    """Checks the recipe of a program that uses kolam, and the project that it builds."""

    @classmethod
    def setUpClass(cls):
        cls.kolam, _ = load(RECIPE, "Kolam")
        cls.example, cls.calls = load(EXAMPLE_RECIPE, "KolamExample")
        cls.project = (ROOT / cls.example.root_cmakelists_dir / "CMakeLists.txt").read_text()

    def test_it_builds_the_checkout_too(self):
        (given, named), = self.calls["version"]
        self.assertEqual((given, named), (("main",), {"branch": "HEAD"}))
        self.assertEqual(Path(self.example.git), ROOT)

    def test_its_compiler_is_that_of_kolam(self):
        for on, external, compiler in (("rocm", False, "/hip/hipcc"), ("cuda", False, "/wrapper/nvcc_wrapper"),
                                       ("cuda", True, "/kokkos/bin/nvcc_wrapper"), ("openmp", False, None)):
            package = self.example()
            package.kolam = self.kolam()
            package.kolam.spec = Spec((on,), external=external)
            self.assertEqual(package.cmake_args(), [f"-DCMAKE_CXX_COMPILER={compiler}"] if compiler else [])

    def test_its_dependencies_are_those_of_its_project(self):
        dependencies = {given[0]: named.get("type") for given, named in self.calls["depends_on"]}
        least = re.search(r"cmake_minimum_required\(VERSION (\S+)\)", self.project)[1]
        # (kolam is a link dependency, and has no variants: users choose them.)
        self.assertEqual(dependencies, {"cxx": "build", f"cmake@{least}:": "build", "kolam": None})

    def test_its_project_uses_kolam_as_the_examples_do(self):
        examples = (ROOT / "examples/CMakeLists.txt").read_text()
        for pattern in (r"cmake_minimum_required\(.*\)", r"find_package\(kolam .*\)"):
            self.assertEqual(re.findall(pattern, self.project), re.findall(pattern, examples))
        program, source = re.search(r"add_executable\((\w+) (\S+)\)", self.project).groups()
        self.assertTrue((ROOT / self.example.root_cmakelists_dir / source).is_file(), source)
        self.assertIn(f"target_link_libraries({program} PRIVATE kolam::kolam)", self.project)
        self.assertIn(f"install(TARGETS {program})", self.project)
        # (Outside Spack, too, the installed program finds the shared libraries.)
        self.assertIn("set(CMAKE_INSTALL_RPATH_USE_LINK_PATH on)", self.project)

    def test_its_test_runs_the_installed_program(self):
        program = re.search(r"install\(TARGETS (\w+)\)", self.project)[1]
        source = re.search(r"add_executable\(\w+ (\S+)\)", self.project)[1]
        expected = re.search(rf'add_example\({Path(source).stem} "\^(.*)\\n\$"\)',
                             (ROOT / "examples/CMakeLists.txt").read_text())[1].replace("\\\\", "")
        package = self.example()
        package.prefix = types.SimpleNamespace(bin=types.SimpleNamespace(**{program: f"/prefix/bin/{program}"}))
        with unittest.mock.patch.object(Executable, "output", f"{expected}\n"):
            COMMANDS.clear()
            package.test_output()
            self.assertEqual(COMMANDS, [(f"/prefix/bin/{program}",)])
        with unittest.mock.patch.object(Executable, "output", "y(321) = 0\n"), self.assertRaises(AssertionError):
            package.test_output()


if __name__ == "__main__":
    unittest.main()
