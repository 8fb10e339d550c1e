// SPDX-License-Identifier: Apache-2.0
// Where a call stands in the caller's source, for messages. (std::source_location needs clang 16.)
#pragma once

#include <string>

namespace kolam {

/// As a default argument or a default member initialiser it is the place of the call:
/// \code
///   void f(SourceLocation where = SourceLocation::current());
/// \endcode
class SourceLocation {
 public:
  /// The place of the call; the arguments are the compiler's to fill in.
  static constexpr SourceLocation current(const char* file = __builtin_FILE(),
                                          int line = __builtin_LINE()) {
    return SourceLocation(Private{}, file, line);
  }
  /// Nowhere.
  constexpr SourceLocation() = default;

  /// As the compiler was given it; empty: nowhere.
  constexpr const char* file() const { return file_; }
  /// From 1; 0: nowhere.
  constexpr int line() const { return line_; }

 private:
  struct Private {};  // so that no braced list of two becomes a place
  constexpr SourceLocation(Private, const char* file, int line) : file_(file), line_(line) {}
  const char* file_ = "";
  int line_ = 0;
};

/// "solver.cpp:42": the file without its folders.
std::string to_string(SourceLocation where);

}  // namespace kolam
