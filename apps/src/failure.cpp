// SPDX-License-Identifier: Apache-2.0
#include "failure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <kolam/core/error.hpp>
#include <new>

namespace kolam::app {

Failure describe(const std::exception_ptr& exception) {
  try {
    std::rethrow_exception(exception);
  } catch (const OutOfMemory& e) {
    return {out_of_resources, e.what()};
  } catch (const DeviceUnavailable& e) {
    return {out_of_resources, e.what()};
  } catch (const std::bad_alloc&) {
    return {out_of_resources, "out of memory on the host; use a smaller problem"};
  } catch (const InvalidArgument& e) {
    return {bad_input, e.what()};
  } catch (const BackendUnavailable& e) {
    return {bad_input, e.what()};
  } catch (const FileError& e) {
    return {bad_input, e.what()};
  } catch (const std::exception& e) {
    return {internal_error, fmt::format("internal error, please report it: {}", e.what())};
  } catch (...) {
    return {internal_error, "internal error, please report it: unknown exception"};
  }
}

void complain(std::string_view text) {
  std::string line = fmt::format("kolam: {}", text);
  while (line.ends_with('\n')) line.pop_back();
  // Kokkos' messages have several lines, and file names may have control characters.
  std::replace_if(
      line.begin(), line.end(), [](unsigned char c) { return c < ' ' || c == 127; }, ' ');
  line += '\n';
  std::fwrite(line.data(), 1, line.size(), stderr);
}

}  // namespace kolam::app
