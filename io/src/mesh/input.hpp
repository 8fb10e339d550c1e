// SPDX-License-Identifier: Apache-2.0
// A file of numbers and words that is read from its beginning to its end.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace kolam::meshes {

/// All of a file. Every function that reads throws FileError, with the line, where what it wants is
/// not there; nothing is read beyond the end.
class Input {
 public:
  /// Reads it. With comments, `#` and the rest of its line are blank.
  explicit Input(const std::filesystem::path& path);

  /// From now on.
  void has_comments() { comments_ = true; }

  /// Whether there is nothing but blanks left.
  bool at_end();
  /// The next word, up to a blank.
  std::string_view word();
  /// What is left of this line, without blanks at its ends.
  std::string_view line();
  /// The next line that is not blank.
  std::string_view next_line();
  /// What stands in quotes next.
  std::string quoted();
  /// Whether this comes next; `blanks`: after any.
  bool begins_with(std::string_view text, bool blanks);
  /// The word `expected`, or an error.
  void expect(std::string_view expected);

  /// A whole number of type I; `what` is for the error.
  template <class I>
  I integer(const char* what) {
    const std::string_view text = word();
    I value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) refuse_number(text, what, true);
    return value;
  }
  /// A finite number.
  double real(const char* what);

  /// How many of something follow that take at least `bytes` bytes each; so many must be left.
  std::size_t count(const char* what, std::size_t bytes);
  /// The same, of a count that was read.
  std::size_t checked(std::uint64_t count, const char* what, std::size_t bytes) const;

  /// The next bytes, as they are. `swap`: of a machine with the other order of bytes.
  template <class V>
  V binary(const char* what, bool swap = false) {
    char bytes[sizeof(V)];
    std::memcpy(bytes, take(sizeof(V), what), sizeof(V));
    if (swap) std::reverse(bytes, bytes + sizeof(V));
    V value;
    std::memcpy(&value, bytes, sizeof(V));
    return value;
  }
  /// To the first byte after this line's end; before binary numbers.
  void end_line();
  /// To after the next occurrence of `text`.
  void skip_past(std::string_view text);

  /// All bytes.
  std::string_view bytes() const { return bytes_; }
  const std::filesystem::path& path() const { return path_; }
  /// Throws FileError: the file, the line of what was read last, `reason`.
  [[noreturn]] void refuse(const std::string& reason) const;

 private:
  void skip_blanks();
  const char* take(std::size_t bytes, const char* what);
  [[noreturn]] void refuse_number(std::string_view text, const char* what, bool whole) const;

  std::filesystem::path path_;
  std::string bytes_;
  std::size_t at_ = 0;
  std::size_t last_ = 0;  // where what was read last begins
  bool comments_ = false;
};

/// The finite number that a text is, in any locale; none if it is something else.
std::optional<double> real_of(std::string_view text);

/// Throws FileError: "cannot read 'path': reason".
[[noreturn]] void refuse_to_read(const std::filesystem::path& path, const std::string& reason);

}  // namespace kolam::meshes
