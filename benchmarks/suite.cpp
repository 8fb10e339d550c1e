// SPDX-License-Identifier: Apache-2.0
#include "suite.hpp"

#include <sched.h>
#include <unistd.h>

#include <benchmark_peers.hpp>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <kolam/core/device.hpp>
#include <kolam/core/error.hpp>
#include <kolam/core/runtime.hpp>
#include <kolam/core/version.hpp>
#include <map>
#include <stdexcept>
#include <string_view>

namespace kolam::benchmarks {
namespace {

constexpr const char* usage = R"(A program of kolam's benchmark suite. Its own options:
  --scale=smoke|quick|full   each benchmark once on a small case, some in minutes, all (the default)
  --scaling                  only strong and weak scaling, over devices or with this many threads
  --dofs=N[,M...]            unknowns of finite elements
  --orders=P[,Q...]          their orders
  --kokkos-...               Kokkos' own options
Names are <subject>/<variant>/<precision>/<size>/<backend>[/<baseline>]; --benchmark_filter=REGEX chooses,
--benchmark_out=FILE.json records. Google Benchmark's options:

)";

Options chosen;
bool failed = false;
Timed prepared;  // result of the running benchmark's prepare
int prepared_number = -1;

std::map<std::string, double>& sums() {
  static std::map<std::string, double> all;
  return all;
}

[[noreturn]] void refuse(const std::string& argument, const std::string& what) {
  std::fprintf(stderr, "%s: %s\n", argument.c_str(), what.c_str());
  std::exit(2);
}

// Returns the whole numbers of --option=N,M,..., each from 1 to `most`.
template <class T>
std::vector<T> numbers_of(const std::string& argument, double most) {
  std::vector<T> numbers;
  for (const char* at = argument.c_str() + argument.find('=') + 1;;) {
    char* end = nullptr;
    const double number = std::strtod(at, &end);
    if (end == at || !(number >= 1 && number <= most) || number != std::floor(number) ||
        (*end != ',' && *end != 0)) {
      char text[100];
      std::snprintf(text, sizeof text, "give whole numbers from 1 to %.0f, with commas between",
                    most);
      refuse(argument, text);
    }
    numbers.push_back(static_cast<T>(number));
    if (*end == 0) return numbers;
    at = end + 1;
  }
}

Scale parse_scale(const std::string& argument) {
  const std::string text = argument.substr(argument.find('=') + 1);
  if (text == "smoke") return Scale::smoke;
  if (text == "quick") return Scale::quick;
  if (text == "full") return Scale::full;
  refuse(argument, "there are smoke, quick and full");
}

// Removes the suite's own options, and sets those of Google Benchmark that follow from them.
std::vector<std::string> parse(int argc, char** argv) {
  std::vector<std::string> rest;
  bool timed = false;
  bool repeated = false;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument.starts_with("--scale=")) {
      chosen.scale = parse_scale(argument);
    } else if (argument == "--scaling") {
      chosen.scaling = true;
    } else if (argument.starts_with("--dofs=")) {
      chosen.dofs = numbers_of<index_t>(argument, 2e9);
    } else if (argument.starts_with("--orders=")) {
      chosen.orders = numbers_of<int>(argument, 40);
    } else {
      timed = timed || argument.starts_with("--benchmark_min_time");
      repeated = repeated || argument.starts_with("--benchmark_repetitions");
      rest.push_back(argument);
    }
  }
  if (!timed)
    rest.emplace_back(std::string("--benchmark_min_time=") +
                      chosen.by_scale("0.000000001", "0.02", "0.05"));
  if (!repeated)
    rest.emplace_back(std::string("--benchmark_repetitions=") + chosen.by_scale("1", "3", "5"));
  return rest;
}

// Returns the processors on which the calling thread may run: "0-3,8".
std::string processors() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) != 0) return "unknown";
  std::string list;
  for (int first = 0; first < CPU_SETSIZE; ++first) {
    if (!CPU_ISSET(static_cast<std::size_t>(first), &set)) continue;
    int last = first;
    while (last + 1 < CPU_SETSIZE && CPU_ISSET(static_cast<std::size_t>(last + 1), &set)) ++last;
    list.append(list.empty() ? "" : ",").append(std::to_string(first));
    if (last > first) list.append("-").append(std::to_string(last));
    first = last;
  }
  return list;
}

// Returns the processors of each OpenMP thread: "0 1", or "0-1 0-1" if threads are not bound.
std::string binding() {
#ifdef KOKKOS_ENABLE_OPENMP
  std::vector<std::string> of_threads(static_cast<std::size_t>(Kokkos::OpenMP().concurrency()));
#pragma omp parallel for schedule(static, 1)
  for (std::size_t i = 0; i < of_threads.size(); ++i) of_threads[i] = processors();
  std::string all;
  for (const std::string& one : of_threads) all.append(all.empty() ? "" : " ").append(one);
  return all;
#else
  return processors();
#endif
}

void add_environment() {
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    for (const char* prefix :
         {"OMP_", "GOMP_", "KMP_", "KOKKOS_", "KOLAM_", "CUDA_", "HIP_", "ROCR_"}) {
      const auto equals = text.find('=');
      if (text.starts_with(prefix) && equals != std::string_view::npos)
        benchmark::AddCustomContext("env." + std::string(text.substr(0, equals)),
                                    std::string(text.substr(equals + 1)));
    }
  }
}

void add_context() {
  const BuildInfo& build = build_info();
  const auto add = [](const std::string& key, const std::string& value) {
    benchmark::AddCustomContext(key, value);
  };
  add("kolam_version", build.version);
  add("kolam_commit", build.git_commit);
  add("build_type", build.build_type);
  add("compiler", build.compiler);
  add("compiler_flags", build.compiler_flags);
  add("kokkos_version", build.kokkos_version);
  add("kokkos_source", build.kokkos_source);
  add("peers", KOLAM_BENCHMARK_PEERS);
  for (const Backend backend : backends()) {
    const Device device = device_of(backend);
    const std::string key = "backend." + std::string(kolam::name(backend));
    add(key + ".device", device.name);
    add(key + ".concurrency", std::to_string(device.concurrency));
    add(key + ".last_level_cache", std::to_string(device.last_level_cache));
    add(key + ".memory", std::to_string(device.memory_total));
  }
  add("binding", binding());
#ifdef KOKKOS_ENABLE_CUDA
  int driver = 0;
  if (cudaDriverGetVersion(&driver) == cudaSuccess)
    add("cuda_driver_api",
        std::to_string(driver / 1000) + "." + std::to_string(driver % 1000 / 10));
  std::string driver_line;
  std::getline(std::ifstream("/proc/driver/nvidia/version"), driver_line);
  if (!driver_line.empty()) add("gpu_driver", driver_line);
#endif
  add_environment();
}

}  // namespace

const Options& options() { return chosen; }

std::string text(const Name& name) {
  std::string all = name.subject;
  for (const std::string& part : {name.variant, name.precision, std::to_string(name.size),
                                  std::string(kolam::name(name.backend)), name.baseline})
    if (!part.empty()) all.append("/").append(part);
  return all;
}

void add(const Name& name, const std::function<Timed()>& prepare) {
  const bool scaling = name.variant.starts_with("strong-") || name.variant.starts_with("weak-");
  if (scaling != options().scaling) return;
  static int registered = 0;
  const auto run = [prepare, number = registered++](benchmark::State& state) {
    try {
      if (prepared_number != number) {
        prepared = nullptr;
        prepared = prepare();
        prepared_number = number;
        launches_together() = options().scale == Scale::smoke ? 1 : 0;
      }
      prepared(state);
    } catch (const std::exception& error) {
      failed = true;
      state.SkipWithError(error.what());
    }
  };
  benchmark::RegisterBenchmark(text(name).c_str(), run)->UseManualTime();
}

void check(const std::string& subject, double sum, double tolerance) {
  const auto [entry, first] = sums().emplace(subject, sum);
  if (std::abs(sum - entry->second) <= tolerance * std::abs(entry->second)) return;
  char message[200];
  std::snprintf(message, sizeof message, "the checksum %.15g differs from %.15g, the first of %s",
                sum, entry->second, subject.c_str());
  throw std::runtime_error(message);
}

int& launches_together() {
  static int together = 0;
  return together;
}

void count(benchmark::State& state, const Work& work, double peak) {
  using benchmark::Counter;
  const auto rate = [](double value) {
    return Counter(value * 1e-9, Counter::kIsIterationInvariantRate);
  };
  if (work.bytes > 0) {
    state.counters["bytes"] = work.bytes;
    state.counters["t_eff"] = rate(work.bytes);
    if (peak > 0) state.counters["t_peak"] = peak;
  }
  if (work.flop > 0) {
    state.counters["flop"] = work.flop;
    state.counters["gflops"] = rate(work.flop);
  }
  if (work.dofs > 0) {
    state.counters["dofs"] = work.dofs;
    state.counters["gdofs"] = rate(work.dofs);
  }
}

int run_suite(int argc, char** argv, void (*add_all)()) {
  const auto asks_for_help = [](const char* argument) {
    return std::strcmp(argument, "--help") == 0 || std::strcmp(argument, "-h") == 0;
  };
  if (std::any_of(argv + 1, argv + argc, asks_for_help)) {  // (Kokkos would print its own)
    std::fputs(usage, stdout);
    std::fflush(stdout);
    char help[] = "--help";
    char* arguments[] = {argv[0], help, nullptr};
    int count = 2;
    benchmark::Initialize(&count, arguments);  // prints and ends the program
    return 0;
  }
  try {
    const Runtime runtime(argc, argv);
    std::vector<std::string> arguments = parse(argc, argv);
    arguments.insert(arguments.begin(), argv[0]);
    std::vector<char*> pointers;
    for (std::string& argument : arguments) pointers.push_back(argument.data());
    pointers.push_back(nullptr);
    int count = static_cast<int>(arguments.size());
    benchmark::Initialize(&count, pointers.data());
    if (benchmark::ReportUnrecognizedArguments(count, pointers.data())) return 2;
    add_context();
    add_all();
    benchmark::RunSpecifiedBenchmarks();
    prepared = nullptr;  // before Kokkos ends
    benchmark::ClearRegisteredBenchmarks();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", argv[0], error.what());
    return 1;
  }
  return failed ? 1 : 0;
}

}  // namespace kolam::benchmarks
