// SPDX-License-Identifier: Apache-2.0
// Sequential reading of a file of numbers and words.
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

/// The contents of a file. Every function that reads throws FileError, with the line, if the file
/// has something else; nothing is read beyond the end.
class Input {
 public:
  /// Reads the whole file.
  explicit Input(const std::filesystem::path& path);

  /// From now on, treats `#` and the rest of its line as blank.
  void has_comments() { comments_ = true; }

  /// Returns whether only blanks are left.
  bool at_end();
  /// Returns the next word, up to a blank.
  std::string_view word();
  /// Returns the rest of this line, without blanks at its ends.
  std::string_view line();
  /// Returns the next line that is not blank.
  std::string_view next_line();
  /// Returns the text in quotes that comes next.
  std::string quoted();
  /// Returns whether `text` comes next; `blanks`: skips blanks first.
  bool begins_with(std::string_view text, bool blanks);
  /// Reads the word `expected`; throws if there is another, with `hint` at the end of the text.
  void expect(std::string_view expected, const std::string& hint = "");

  /// Reads a whole number of type I; `what` names it in errors.
  template <class I>
  I integer(const char* what) {
    const std::string_view text = word();
    I value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) refuse_number(text, what, true);
    return value;
  }
  /// Reads a finite number.
  double real(const char* what);

  /// Reads a count of items of at least `bytes` bytes each; throws if fewer bytes are left.
  std::size_t count(const char* what, std::size_t bytes);
  /// Checks a count that was already read in the same way, and returns it.
  std::size_t checked(std::uint64_t count, const char* what, std::size_t bytes) const;

  /// Reads a value from the next bytes. `swap`: the file has the other byte order.
  template <class V>
  V binary(const char* what, bool swap = false) {
    char bytes[sizeof(V)];
    std::memcpy(bytes, take(sizeof(V), what), sizeof(V));
    if (swap) std::reverse(bytes, bytes + sizeof(V));
    V value;
    std::memcpy(&value, bytes, sizeof(V));
    return value;
  }
  /// Skips to the first byte after the end of this line; for use before binary numbers.
  void end_line();
  /// Skips past the next occurrence of `text`.
  void skip_past(std::string_view text);

  /// Returns all bytes.
  std::string_view bytes() const { return bytes_; }
  const std::filesystem::path& path() const { return path_; }
  /// Returns the line of the last word read, from 1.
  std::size_t line_number();

  /// Begins an entry of a list, such as "a node": usually a line of `words` words (0: not known
  /// yet). Lines may be wrapped; but if an error follows, it names the first line of more or fewer.
  /// Returns whether the entry begins a line.
  bool begin_entry(const char* what, std::size_t words);
  /// Sets the number of words of the entry that was begun last.
  void set_words(std::size_t words) { entry_.words = words; }
  /// Ends a list in which all entries were right.
  void end_list();

  /// Throws FileError with the file, the line of the last item read, and `reason`.
  [[noreturn]] void refuse(const std::string& reason) const;

 private:
  struct Entry {
    const char* what = nullptr;
    std::size_t at = 0;
    std::size_t words = 0;
  };

  void skip_blanks();
  bool begins_line() const;
  std::size_t line_of(std::size_t at) const;
  std::size_t words_from(std::size_t at) const;
  const char* take(std::size_t bytes, const char* what);
  [[noreturn]] void refuse_number(std::string_view text, const char* what, bool whole) const;

  std::filesystem::path path_;
  std::string bytes_;
  std::size_t at_ = 0;
  std::size_t last_ = 0;  // begin of the last item read
  bool comments_ = false;
  std::size_t counted_ = 0;  // line ends before this place are in lines_
  std::size_t lines_ = 0;
  Entry entry_;  // the last one
  Entry odd_;    // the first one after which no new line began
};

/// Returns the finite number in a text, independent of the locale; none if it is something else.
std::optional<double> real_of(std::string_view text);

/// Throws FileError: "cannot read 'path': reason".
[[noreturn]] void refuse_to_read(const std::filesystem::path& path, const std::string& reason);
/// Throws FileError: "cannot read 'path', line 7: reason"; without the line if that is 0.
[[noreturn]] void refuse_to_read(const std::filesystem::path& path, std::size_t line,
                                 const std::string& reason);

}  // namespace kolam::meshes
