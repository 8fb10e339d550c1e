// SPDX-License-Identifier: Apache-2.0
// Options of benchmarks that Google Benchmark does not know.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace kolam::benchmarks {

/// The numbers of --option=N,M,..., from 1 to `most`, which is taken out of the arguments; `option`
/// with its =. Ends the program with 2 for anything else.
inline std::vector<double> numbers_of(const std::string& option, double most, int& argc,
                                      char** argv) {
  std::vector<double> numbers;
  int kept = 1;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument.rfind(option, 0) != 0) {
      argv[kept++] = argv[i];
      continue;
    }
    for (const char* at = argument.c_str() + option.size();;) {
      char* end = nullptr;
      const double number = std::strtod(at, &end);
      if (end == at || !(number >= 1 && number <= most) || (*end != ',' && *end != 0)) {
        std::fprintf(stderr, "%s: give numbers from 1 to %g, with commas between\n",
                     argument.c_str(), most);
        std::exit(2);
      }
      numbers.push_back(number);
      if (*end == 0) break;
      at = end + 1;
    }
  }
  argc = kept;
  return numbers;
}

}  // namespace kolam::benchmarks
