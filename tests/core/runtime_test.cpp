// SPDX-License-Identifier: Apache-2.0
// Kokkos starts once per process, so most cases run in processes of their own: this file has the
// main() of the program, which runs a scenario instead of the tests if KOLAM_TEST_SCENARIO names
// one.
#include <gmock/gmock.h>
#include <sched.h>
#include <sys/wait.h>

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <kolam/core/backend.hpp>
#include <kolam/core/detail/thread_binding.hpp>
#include <kolam/core/error.hpp>
#include <kolam/core/forall.hpp>
#include <kolam/core/runtime.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kolam {
namespace {

using ::testing::HasSubstr;
using HostExec = Kokkos::DefaultHostExecutionSpace;

constexpr const char* binding_variables[] = {
    "OMP_PROC_BIND",        "OMP_PLACES", "GOMP_CPU_AFFINITY",   "KMP_AFFINITY",
    "OMPI_COMM_WORLD_SIZE", "PMI_SIZE",   "SLURM_STEP_NUM_TASKS"};

int processors_of_this_thread() {
  cpu_set_t set;
  return sched_getaffinity(0, sizeof(set), &set) == 0 ? CPU_COUNT(&set) : 0;
}

std::string use() {
  try {
    require_running("array 'u'");
    return "runs";
  } catch (const NotRunning& error) {
    return error.what();
  }
}

// Runs a scenario, which prints to stdout; nothing else may print there.
void play(std::string_view scenario, int argc, char** argv) {
  if (scenario == "arguments") {
    const Runtime runtime(argc, argv);
    char inner_option[] = "--kokkos-num-threads=7";
    char* inner_argv[] = {argv[0], inner_option, argv[1], nullptr};
    int inner_argc = 3;
    const Runtime inner(inner_argc, inner_argv);
    if (inner_argc != 2 || inner_argv[1] != argv[1] || inner_argv[2] != nullptr)
      std::printf("inner options are left; ");
    std::printf("%d threads;", HostExec().concurrency());
    for (int i = 1; i < argc; ++i) std::printf(" %s", argv[i]);
  } else if (scenario == "lifetime") {
    std::printf("%s\n", use().c_str());
    {
      const Runtime outer;
      {
        const Runtime inner;
      }
      std::printf("%s\n", use().c_str());
    }
    std::printf("%s\n", use().c_str());
    try {
      const Runtime again;
    } catch (const NotRunning& error) {
      std::printf("%s\n", error.what());
    }
  } else if (scenario == "not ours") {
    Kokkos::initialize();
    {
      const Runtime runtime;
    }
    std::printf("%s", use().c_str());
    Kokkos::finalize();
  } else if (scenario == "ended by others") {
    const Runtime runtime;
    Kokkos::finalize();
    std::printf("%d", Runtime::running());
  } else if (scenario == "binding") {
    const int before = processors_of_this_thread();
    {
      const Runtime runtime;
      std::vector<int> processors(static_cast<std::size_t>(HostExec().concurrency()));
      forall(HostExec{}, "look", static_cast<index_t>(processors.size()), [&](index_t i) {
        processors[static_cast<std::size_t>(i)] = processors_of_this_thread();
      });
      std::printf("%d", *std::max_element(processors.begin(), processors.end()));
    }
    if (processors_of_this_thread() != before) std::printf(", and not set free");
  }
}

// Returns what this program prints to stdout in `scenario`, run with `environment`.
std::string output_of(const std::string& scenario, const std::string& arguments = "",
                      const std::string& environment = "") {
  std::string command = "env";
  for (const char* variable : binding_variables) command += std::string(" -u ") + variable;
  command += " " + environment + " KOLAM_TEST_SCENARIO='" + scenario + "' '" +
             std::filesystem::read_symlink("/proc/self/exe").string() + "' " + arguments;
  std::FILE* const pipe = ::popen(command.c_str(), "r");
  std::string text;
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) text += static_cast<char>(c);
  EXPECT_EQ(::pclose(pipe), 0) << command;
  return text;
}

TEST(Runtime, RunsHere) {
  EXPECT_TRUE(Runtime::running());
  EXPECT_EQ(use(), "runs");
}

TEST(Runtime, InsideAnotherEndsNothing) {
  {
    const Runtime inner;
  }
  EXPECT_TRUE(Runtime::running());
}

TEST(Runtime, TakesKokkosOptionsOutOfTheArguments) {
  EXPECT_EQ(output_of("arguments", "a --kokkos-num-threads=1 b"), "1 threads; a b");
}

TEST(Runtime, LastsFromTheFirstToTheLastAndStartsOnce) {
  const std::string text = output_of("lifetime");
  EXPECT_THAT(
      text, ::testing::StartsWith("array 'u' is used before Kokkos runs; create a kolam::Runtime"));
  EXPECT_THAT(text, HasSubstr("\nruns\narray 'u' is used after Kokkos was finalised"));
  EXPECT_THAT(text, HasSubstr("\nkolam::Runtime: Kokkos was already finalised"));
}

TEST(Runtime, LeavesTheKokkosOfOthersAlone) {
  EXPECT_EQ(output_of("not ours"), "runs");
  EXPECT_EQ(output_of("ended by others"), "0");
}

TEST(Binding, IsChosenByAnyVariableOfTheUserOrALauncher) {
  std::vector<std::optional<std::string>> kept;
  for (const char* variable : binding_variables) {
    const char* const value = std::getenv(variable);
    kept.push_back(value == nullptr ? std::nullopt : std::optional<std::string>(value));
    ::unsetenv(variable);
  }

  EXPECT_FALSE(detail::binding_chosen());
  for (const char* variable : binding_variables) {
    ::setenv(variable, "1", 1);
    EXPECT_TRUE(detail::binding_chosen()) << variable;
    ::unsetenv(variable);
  }

  for (std::size_t i = 0; i < kept.size(); ++i)
    if (kept[i]) ::setenv(binding_variables[i], kept[i]->c_str(), 1);
}

TEST(Binding, GivesEachThreadAProcessorOnlyWhereTheUserSaidNothing) {
  const int processors = processors_of_this_thread();
  if (backend_of<HostExec> != Backend::openmp || processors < 2)
    GTEST_SKIP() << "needs OpenMP and two processors";
  const auto output = [](int threads, const std::string& more = "") {
    return output_of("binding", "", "OMP_NUM_THREADS=" + std::to_string(threads) + more);
  };
  const std::string all = std::to_string(processors);

  EXPECT_EQ(output(processors), "1");
  EXPECT_EQ(output(processors, " OMP_PROC_BIND=false"), all);
  EXPECT_EQ(output(processors, " PMI_SIZE=2"), all);
  EXPECT_EQ(output(processors - 1), all);
}

}  // namespace
}  // namespace kolam

int main(int argc, char** argv) {
  if (const char* const scenario = std::getenv("KOLAM_TEST_SCENARIO")) {
    kolam::play(scenario, argc, argv);
    return 0;
  }
  testing::InitGoogleTest(&argc, argv);
  if (GTEST_FLAG_GET(list_tests)) return RUN_ALL_TESTS();  // needs neither Kokkos nor a device
  const kolam::Runtime runtime(argc, argv);
  return RUN_ALL_TESTS();
}
