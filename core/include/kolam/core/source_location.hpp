// SPDX-License-Identifier: Apache-2.0
// The source location of a call, for messages. (std::source_location needs clang 16.)
#pragma once

#include <string>

namespace kolam {

/// A file and a line of source. `current()` as a default argument or default member initialiser is
/// the location of the call:
/// \code
///   void f(SourceLocation where = SourceLocation::current());
/// \endcode
class SourceLocation {
 public:
  /// Returns the location of the call; the compiler fills in the arguments.
  static constexpr SourceLocation current(const char* file = __builtin_FILE(),
                                          int line = __builtin_LINE()) {
    return SourceLocation(Private{}, file, line);
  }
  /// Creates an empty location.
  constexpr SourceLocation() = default;

  /// Returns the file as passed to the compiler; empty without a location.
  constexpr const char* file() const { return file_; }
  /// Returns the line, from 1; 0 without a location.
  constexpr int line() const { return line_; }

 private:
  struct Private {};  // prevents a braced list of two from converting
  constexpr SourceLocation(Private, const char* file, int line) : file_(file), line_(line) {}
  const char* file_ = "";
  int line_ = 0;
};

/// Returns the file, without its folders, and the line: "solver.cpp:42".
std::string to_string(SourceLocation where);

}  // namespace kolam
