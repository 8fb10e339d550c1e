# SPDX-License-Identifier: Apache-2.0
"""Plants each violation in a temporary tree and expects the checker to name it, and nothing else."""
import tempfile
import unittest
from pathlib import Path

from check_sources import check

SPDX = "// SPDX-License-" "Identifier: Apache-2.0\n"


class CheckSources(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        self.write("core/include/kolam/core/forall.hpp", "Kokkos::RangePolicy<int> policy;\n")
        self.write("core/include/kolam/core/detail/hidden.hpp", "#include <kolam/core/forall.hpp>\n")
        self.write("core/include/kolam/core.hpp", "#include <kolam/core/forall.hpp>\n")
        self.write("memory/src/array.cpp", "#include <kolam/core.hpp>\n// no Kokkos::TeamPolicy here\n")
        self.write("solvers/comm/src/transport/mpi.cpp", "#include <mpi.h>\n")
        self.write("apps/src/main.cpp", "#include <kolam/kolam.hpp>\n")
        self.write("tests/core/forall_test.cpp", "")

    def write(self, file, text, top=SPDX):
        path = self.root / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(top + text)

    def expect(self, *fragments):
        found = check(self.root)
        self.assertEqual(len(found), 1, found)
        for fragment in fragments:
            self.assertIn(fragment, found[0])

    def test_clean_tree(self):
        self.assertEqual(check(self.root), [])

    def test_backward_include_of_a_header(self):
        self.write("core/src/bad.cpp", "\n#include <kolam/memory/array.hpp>\n")
        self.expect("core/src/bad.cpp:3", "kolam/memory/array.hpp")

    def test_backward_include_of_an_umbrella(self):
        self.write("kernels/src/bad.cpp", '# include "kolam/linear.hpp"\n')
        self.expect("kernels/src/bad.cpp:2", "kolam/linear.hpp")

    def test_the_whole_of_kolam_included_by_a_module(self):
        self.write("io/src/bad.cpp", "#include <kolam/kolam.hpp>\n")
        self.expect("io/src/bad.cpp:2", "kolam/kolam.hpp")

    def test_grids_and_finite_elements_that_know_each_other(self):
        self.write("solvers/fem/src/good.cpp", "#include <kolam/linear/operator.hpp>\n#include <kolam/fem.hpp>\n")
        self.assertEqual(check(self.root), [])
        for one, other in ("grid", "fem"), ("fem", "grid"):
            with self.subTest(one):
                bad = self.root / f"solvers/{one}/src/bad.cpp"
                self.write(bad, f"#include <kolam/{other}.hpp>\n")
                self.expect(f"solvers/{one}/src/bad.cpp:2", f"kolam/{other}.hpp")
                bad.unlink()

    def test_mpi_elsewhere(self):
        self.write("solvers/grid/src/halo.cpp", "#include <mpi.h>\n")
        self.expect("solvers/grid/src/halo.cpp:2", "mpi.h")

    def test_policy_outside_core(self):
        for policy in ("TeamPolicy", "RangePolicy", "MDRangePolicy"):
            self.write("kernels/src/bad.cpp", f"Kokkos::{policy}<Exec> p;\n")
            self.expect("kernels/src/bad.cpp:2", f"Kokkos::{policy}")

    def test_device_lambda_in_a_header(self):
        for place in ("memory/include/kolam/memory/detail/bad.hpp", "tests/memory/bad.hpp"):
            self.write(place, "/// f(KOKKOS_LAMBDA(int) {});\nf(KOKKOS_LAMBDA(int) {});\n")
            self.expect(place + ":3", "named functor")
            (self.root / place).unlink()

    def test_layout_that_nvcc_gets_wrong(self):
        place = "core/include/kolam/core/detail/bad.hpp"
        self.write(place, "// [[no_unique_address]]\n[[no_unique_address]] Tag tag;\n")
        self.expect(place + ":3", "nvcc")

    def test_header_that_takes_long_to_compile(self):
        place = "core/include/kolam/core/detail/bad.hpp"
        self.write(place, "// <immintrin.h>\n#include <immintrin.h>\n")
        self.expect(place + ":3", "compile time")

    def test_header_without_test(self):
        self.write("core/include/kolam/core/new.hpp", "")
        self.write("core/include/kolam/core.hpp", "#include <kolam/core/forall.hpp>\n#include <kolam/core/new.hpp>\n")
        self.expect("core/include/kolam/core/new.hpp", "tests/core/new_test.cpp")

    def test_header_that_is_not_in_the_umbrella(self):
        self.write("core/include/kolam/core/simd.hpp", "")
        self.write("tests/core/simd_test.cpp", "")
        self.expect("core/include/kolam/core/simd.hpp", "core/include/kolam/core.hpp")

    def test_name_in_two_sources_of_a_unit(self):
        for declaration in ("using Sizes = ::testing::Types<float>;", "struct Sizes {", "enum class Sizes { one };",
                            "constexpr int Sizes[] = {1, 2};", "std::vector<int> Sizes(int n) {",
                            "template <class T>\nstatic T Sizes(T n) {", "const std::string Sizes = more;"):
            for inner in ("", "namespace {\n"):
                for file in ("a", "b"):
                    self.write(f"tests/core/{file}_test.cpp", f"namespace kolam {{\n{inner}{declaration}\n")
                self.expect("tests/core/b_test.cpp", "Sizes", "tests/core/a_test.cpp", "kolam::b_test")

    def test_name_in_two_namespaces_or_programs_or_indented(self):
        self.write("tests/core/a_test.cpp", "namespace kolam {\nstruct A {\n  int b;\n};\nTEST(A, B) {\n  int c;\n")
        self.write("tests/core/b_test.cpp", "namespace kolam::b_test {\nstruct A {\n  int b;\n};\nTEST(A, C) {\n")
        self.write("tests/memory/a_test.cpp", "namespace kolam {\nstruct A {\n  int b;\n};\n")
        self.assertEqual(check(self.root), [])

    def test_support_header_without_test(self):
        self.write("tests/support/include/kolam/testing/seeds.hpp", "")
        self.expect("kolam/testing/seeds.hpp", "tests/support/seeds_test.cpp")

    def test_long_example(self):
        self.write("examples/a.cpp", "\n" * 58)  # and its licence
        self.assertEqual(check(self.root), [])
        self.write("examples/a.cpp", "\n" * 59)
        self.expect("examples/a.cpp:60", "60 lines")

    def test_missing_licence(self):
        self.write("examples/CMakeLists.txt", "project(x)\n", top="")
        self.expect("examples/CMakeLists.txt", "SPDX")


if __name__ == "__main__":
    unittest.main()
