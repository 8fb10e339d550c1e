# SPDX-License-Identifier: Apache-2.0
"""Checks scripts/profile with a fake ncu and fake benchmark programs: the options that it passes, its
messages, and the lines that it keeps of ncu's page."""
import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "profile"
JACOBI = "jacobi/plain/float/16384/cuda"

# Lists or runs benchmarks as Google Benchmark does; their names are in the file <program>.names.
PROGRAM = r"""#!/usr/bin/env bash
if [ -e "$0.broken" ]; then echo "no CUDA device" >&2; exit 3; fi
filter=.
for argument in "$@"; do
  case $argument in
    --benchmark_filter=*) filter=${argument#*=} ;;
    --few) few=yes ;;
  esac
done
if [ -n "${few:-}" ]; then head -n 1 "$0.names"; else cat "$0.names"; fi | grep -E -- "$filter" ||
  echo "Failed to match any benchmarks against regex: $filter" >&2
"""

# Records its arguments, one per line; its report has one word only.
NCU = r"""#!/usr/bin/env bash
printf '%s\n' "$@" >"$FAKE_FOLDER/ncu_$([ "$1" = --import ] && echo import || echo run)"
if [ "$1" = --import ]; then cat "$FAKE_FOLDER/page"; exit 0; fi
echo "==PROF== Connected to process 1"
case ${FAKE_NCU:-} in
  permission) echo "==ERROR== ERR_NVGPUCTRPERM - The user does not have permission to access counters"; exit 1 ;;
  nothing) echo "==WARNING== No kernels were profiled."; exit 0 ;;
  failing) echo "==ERROR== LibraryNotLoaded"; exit 1 ;;
  checksum) echo "name ERROR OCCURRED: 'the checksum differs'" ;;
esac
while [ $# -gt 0 ]; do
  if [ "$1" = --export ]; then echo report >"$2"; fi
  shift
done
"""

PAGE = """[754] elements_benchmark@127.0.0.1
  void cuda_parallel_launch_local_memory<ParallelFor<TeamBody<Cuda, StaticShape<75, 1, 1, 0>, \
Scratch<ElementKernel<double, Cuda, 3, DiffusionOn<1>>::Shared>, ElementKernel<double, Cuda, 3, \
DiffusionOn<1>>>, TeamPolicy<Cuda, LaunchBounds<75, 0>>, Cuda>, 75, 0>(T1) (72000, 1, 1)x(1, 75, 1), \
Context 1, Stream 13, Device 0, CC 9.0
    Section: Command line profiler metrics
    -------------------------------------------------- ----------- ------------
    Metric Name                                        Metric Unit Metric Value
    -------------------------------------------------- ----------- ------------
    dram__bytes_read.sum                                     Mbyte       344.07
    l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum                4,000,000
    l1tex__data_pipe_lsu_wavefronts_mem_shared.sum                   16,000,000
    -------------------------------------------------- ----------- ------------

    Section: GPU Speed Of Light Throughput
    ----------------------- ----------- ------------
    Metric Name             Metric Unit Metric Value
    ----------------------- ----------- ------------
    DRAM Frequency                  Ghz         3.20
    DRAM Throughput                   %        29.21
    Duration                         us       316.22
    ----------------------- ----------- ------------

    GPU Throughput Breakdown
    Table Name : Memory Throughput Breakdown
    ---------------------------- ----------- ------------
    Metric Name                  Metric Unit Metric Value
    ---------------------------- ----------- ------------
    L1: Data Pipe Lsu Wavefronts           %        96.51
    L2: Xbar2lts Cycles Active             %        44.37
    L1: Lsu Writeback Active               %        36.05
    L2: T Tag Requests                     %        35.79
    ---------------------------- ----------- ------------

    INF   This workload is utilizing greater than 80.0% of the available compute or memory performance.

    Section: Warp State Statistics
    ---------------------------------------- ----------- ------------
    Metric Name                              Metric Unit Metric Value
    ---------------------------------------- ----------- ------------
    Warp Cycles Per Issued Instruction             cycle        19.13
    Warp Cycles Per Executed Instruction           cycle        19.15
    ---------------------------------------- ----------- ------------

    Table Name : Warp State (All Cycles)
    ------------------------ ----------- ------------
    Metric Name              Metric Unit Metric Value
    ------------------------ ----------- ------------
    Stall MIO Throttle              inst         5.11
    Stall Long Scoreboard           inst         4.68
    Stall GMMA                      inst            0
    ------------------------ ----------- ------------

    Section: Occupancy
    ------------------------------- ----------- ------------
    Metric Name                     Metric Unit Metric Value
    ------------------------------- ----------- ------------
    Block Limit Registers                 block           12
    Max Cluster Size                      block            8
    ------------------------------- ----------- ------------

  kolam::benchmarks::cuda_flat(const double *, double *, long) (4096, 1, 1)x(256, 1, 1), Context 1, Stream 7, \
Device 0, CC 9.0
    Section: Occupancy
    ------------------------------- ----------- ------------
    Metric Name                     Metric Unit Metric Value
    ------------------------------- ----------- ------------
    Achieved Occupancy                        %        90.00
    ------------------------------- ----------- ------------
"""

REDUCED = """
  ElementKernel<double, Cuda, 3, DiffusionOn<1>> (72000, 1, 1)x(1, 75, 1)
    Command line profiler metrics
      dram__bytes_read.sum                                                       344.07 Mbyte
      l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum                      4,000,000
      l1tex__data_pipe_lsu_wavefronts_mem_shared.sum                         16,000,000
      share of these wavefronts that repeat an access (bank conflicts)               25 %
    GPU Speed Of Light Throughput
      DRAM Throughput                                                             29.21 %
      Duration                                                                   316.22 us
      L1: Data Pipe Lsu Wavefronts                                                96.51 %
      L2: Xbar2lts Cycles Active                                                  44.37 %
      L1: Lsu Writeback Active                                                    36.05 %
    Warp State Statistics
      Warp Cycles Per Issued Instruction                                          19.13 cycle
      Stall MIO Throttle                                                           5.11 inst
      Stall Long Scoreboard                                                        4.68 inst
    Occupancy
      Block Limit Registers                                                          12 block

  kolam::benchmarks::cuda_flat(const double *, double *, long) (4096, 1, 1)x(256, 1, 1)
    Occupancy
      Achieved Occupancy                                                          90.00 %
"""

LAUNCH = "void Kokkos::Impl::cuda_parallel_launch_local_memory<Kokkos::Impl::ParallelFor<"
LAMBDA = LAUNCH + "__nv_hdl_wrapper_t<false, __nv_dl_tag<void (*)(), &(void "
HELPERS = [
    LAUNCH + "Kokkos::Impl::ViewFill<Kokkos::View<double *>, double>",
    LAUNCH + "Kokkos::Impl::ViewValueFunctor<Kokkos::Device<Kokkos::Cuda, Kokkos::CudaSpace>, double>",
    LAMBDA + "kolam::benchmarks::fill_coordinates<Kokkos::Cuda>(",
    LAMBDA + "kolam::benchmarks::Arrays<double, Kokkos::Cuda>::fill(",
    LAMBDA + "kolam::benchmarks::checksum<Kokkos::Cuda>(",
    LAMBDA + "kolam::quadrature_data<6, 3>(",
    LAUNCH + "kolam::detail::TeamBody<Kokkos::Cuda, kolam::(anonymous namespace)::FinishNorms<Kokkos::Cuda> >",
    LAUNCH + "kolam::(anonymous namespace)::DeviceTriad<Kokkos::Cuda>, Kokkos::RangePolicy",
    "Kokkos::<unnamed>::query_cuda_kernel_arch(int *)",
]
KERNELS = [
    LAUNCH + "kolam::detail::TeamBody<Kokkos::Cuda, kolam::detail::ElementKernel<double, Kokkos::Cuda, (int)3, "
    "kolam::Diffusion<double, (int)3>>",
    LAUNCH + "kolam::detail::TeamBody<Kokkos::Cuda, kolam::detail::StencilDeviceSweep<kolam::LaplaceStencil, float",
    LAMBDA + "kolam::benchmarks::kolam_flat<Kokkos::Cuda>(Kokkos::Cuda const &, "
    "kolam::benchmarks::Data<Kokkos::Cuda> const &",
    "kolam::benchmarks::cuda_flat(const double *, double *, long)",
]


class ProfileTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)
        self.build = self.folder / "build"
        (self.build / "bin").mkdir(parents=True)
        self.path = self.folder / "path"
        self.path.mkdir()
        self.add_tool()
        (self.folder / "page").write_text(PAGE)
        self.add_program("stencils_benchmark", [
            JACOBI + "/manual_time", JACOBI + "/kokkos/manual_time",
            "jacobi/plain/double/16384/cuda/manual_time", "jacobi/plain/float/16384/openmp/manual_time"])
        self.add_program("elements_benchmark", [
            "elements/bp3-stored-p4/double/14000000/cuda/manual_time",
            "elements/bp3-stored-p7/double/14000000/cuda/manual_time"])

    def add_tool(self, text=NCU):
        (self.path / "ncu").write_text(text)
        (self.path / "ncu").chmod(0o755)

    def add_program(self, name, names):
        program = self.build / "bin" / name
        program.write_text(PROGRAM)
        program.chmod(0o755)
        Path(f"{program}.names").write_text("".join(f"{line}\n" for line in names))
        return program

    def run_script(self, *arguments, code=0, build=True, **environment):
        where = ["--build", str(self.build)] if build else []
        result = subprocess.run(
            [str(SCRIPT), *where, *arguments], text=True, capture_output=True, cwd=self.folder,
            env={**os.environ, "PATH": f"{self.path}:/usr/bin:/bin", "FAKE_FOLDER": str(self.folder), **environment})
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        return result

    def asked(self, step="run"):
        return (self.folder / f"ncu_{step}").read_text().splitlines()

    def value_of(self, option):
        arguments = self.asked()
        return arguments[arguments.index(option) + 1]

    def test_help(self):
        text = self.run_script("--help", build=False).stdout
        for option in ["--build", "--output", "--kernel", "--set", "--launches", "--skip"]:
            self.assertIn(option, text)

    def test_bad_usage(self):
        for arguments, text in [
                ([], "which benchmark"), (["--nosuch", JACOBI], "no option --nosuch"),
                ([JACOBI, "--launches"], "needs a value"), ([JACOBI, "--set="], "needs a value"),
                ([JACOBI, "--launches", "0"], "--launches 0"), ([JACOBI, "--skip", "-1"], "--skip -1"),
                ([JACOBI, JACOBI], "one benchmark at a time"),
                (["jacobi/plain/float/16384/openmp"], "no part 'cuda'"),
                ([JACOBI, "--output", "nosuch/report"], "no folder nosuch")]:
            with self.subTest(arguments):
                self.assertIn(text, self.run_script(*arguments, code=2).stderr)

    def test_no_build(self):
        error = self.run_script("--build", "nosuch", JACOBI, code=2, build=False).stderr
        self.assertIn("no benchmark programs in nosuch/bin", error)
        self.assertIn("-DKOLAM_BUILD_BENCHMARKS=ON", error)

    def test_no_ncu(self):
        (self.path / "ncu").unlink()
        elsewhere = [Path("/usr/bin/ncu"), Path("/usr/local/cuda/bin/ncu"),
                     *Path("/opt/nvidia").glob("nsight-compute/*/ncu")]
        if any(path.exists() for path in elsewhere):
            self.skipTest("there is an ncu")
        self.assertIn("no ncu on PATH", self.run_script(JACOBI, code=2).stderr)

    def test_program_that_cannot_list(self):
        (self.build / "bin" / "stencils_benchmark.broken").touch()
        error = self.run_script(JACOBI, code=2).stderr
        self.assertIn("no CUDA device", error)
        self.assertIn("ended with 3", error)

    def test_names_near_one_that_is_not_there(self):
        error = self.run_script("elements/bp3-stored-p5/double/14000000/cuda", code=2).stderr.splitlines()
        self.assertIn("has a benchmark elements/bp3-stored-p5", error[0])
        self.assertIn("elements/bp3-stored-p4/double/14000000/cuda", error[1])
        self.assertNotIn("near", self.run_script("nosuch/cuda", code=2).stderr)
        self.run_script("jacobi/plain/float/16384/cud./cuda", code=2)  # a dot matches a dot only

    def test_parts_match_whole(self):
        self.run_script(JACOBI)
        arguments = self.asked()
        self.assertIn(str(self.build / "bin" / "stencils_benchmark"), arguments)
        self.assertIn(f"--benchmark_filter=^{JACOBI}/manual_time$", arguments)
        for name in [JACOBI + "/kokkos", JACOBI + "/kokkos/manual_time"]:
            self.run_script(name)
            self.assertIn(f"--benchmark_filter=^{JACOBI}/kokkos/manual_time$", self.asked())

    def test_several_of_one_name(self):
        self.add_program("other_benchmark", [JACOBI + "/iterations:1/manual_time"])
        error = self.run_script(JACOBI, code=2).stderr
        self.assertIn("several", error)
        self.assertIn(f"{JACOBI}/iterations:1/manual_time of {self.build}/bin/other_benchmark", error)
        self.run_script(JACOBI + "/iterations:1")

    def test_what_ncu_is_asked(self):
        self.run_script(JACOBI, "--launches=5", "--skip", "7")
        self.assertEqual(self.value_of("--launch-count"), "5")
        self.assertEqual(self.value_of("--launch-skip"), "7")
        self.assertEqual(self.value_of("--kernel-name-base"), "demangled")
        self.assertIn("SpeedOfLight", self.asked())
        self.assertIn("l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum", self.value_of("--metrics"))

    def test_helpers_are_left_out(self):
        self.run_script(JACOBI)
        pattern = self.value_of("--kernel-name")
        self.assertTrue(pattern.startswith("regex:"))
        for kernel in HELPERS:
            self.assertIsNone(re.search(pattern[6:], kernel), kernel)
        for kernel in KERNELS:
            self.assertIsNotNone(re.search(pattern[6:], kernel), kernel)

    def test_own_kernels_set_and_report(self):
        output = self.run_script(JACOBI, "--kernel", "Fill", "--set", "roofline", "--output", "mine.ncu-rep").stdout
        self.assertEqual(self.value_of("--kernel-name"), "regex:Fill")
        self.assertEqual(self.value_of("--set"), "roofline")
        self.assertNotIn("--metrics", self.asked())
        self.assertIn("INF   This workload", output)  # the whole page
        self.assertIn("the report is mine.ncu-rep", output)
        self.assertTrue((self.folder / "mine.ncu-rep").exists())

    def test_options_of_the_program(self):
        self.run_script(JACOBI, "--", "--few", "--dofs=1000")
        arguments = self.asked()
        program = arguments.index(str(self.build / "bin" / "stencils_benchmark"))
        self.assertEqual(arguments[program + 1:program + 3], ["--few", "--dofs=1000"])
        self.run_script("jacobi/plain/double/16384/cuda", "--", "--few", code=2)  # --few lists one name only

    def test_page_is_reduced(self):
        output = self.run_script(JACOBI).stdout
        self.assertEqual(output.split("\n", 1)[1], REDUCED)
        self.assertIn("--print-details", self.asked("import"))

    def test_failures(self):
        for how, texts in [
                ("permission", ["ERR_NVGPUCTRPERM", "NVreg_RestrictProfilingToAdminUsers=0", "--cap-add=SYS_ADMIN"]),
                ("nothing", ["no kernel was profiled", "--skip 3"]),
                ("failing", ["LibraryNotLoaded", "ncu ended with 1"]),
                ("checksum", ["the checksum differs", "the benchmark failed"])]:
            with self.subTest(how):
                (self.folder / "old.ncu-rep").write_text("old")
                error = self.run_script(JACOBI, "--output", "old", code=1, FAKE_NCU=how).stderr
                for text in texts:
                    self.assertIn(text, error)
                self.assertEqual((self.folder / "old.ncu-rep").read_text(), "old")


if __name__ == "__main__":
    unittest.main()
