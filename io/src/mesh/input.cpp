// SPDX-License-Identifier: Apache-2.0
#include "input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <fstream>
#include <kolam/core/error.hpp>

namespace kolam::meshes {
namespace {

bool blank(char c) {
  return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}
std::string_view trimmed(std::string_view text) {
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}
// A short form of a text for messages, without control characters.
std::string shown(std::string_view text) {
  std::string result;
  for (const char c : text.substr(0, 40)) result += c >= ' ' && c <= '~' ? c : '?';
  return text.size() > 40 ? result + "..." : result;
}

}  // namespace

void refuse_to_read(const std::filesystem::path& path, const std::string& reason) {
  throw FileError(fmt::format("cannot read '{}': {}", path.string(), reason));
}
void refuse_to_read(const std::filesystem::path& path, std::size_t line,
                    const std::string& reason) {
  if (line == 0) refuse_to_read(path, reason);
  throw FileError(fmt::format("cannot read '{}', line {}: {}", path.string(), line, reason));
}

Input::Input(const std::filesystem::path& path) : path_(path) {
  std::error_code failed;
  if (std::filesystem::is_directory(path, failed)) refuse_to_read(path, "it is a folder");
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) refuse_to_read(path, std::strerror(errno != 0 ? errno : EIO));
  char chunk[1 << 16];
  while (file.read(chunk, sizeof chunk) || file.gcount() > 0)
    bytes_.append(chunk, static_cast<std::size_t>(file.gcount()));
  if (file.bad()) refuse_to_read(path, std::strerror(errno != 0 ? errno : EIO));
}

void Input::refuse(const std::string& reason) const {
  const Entry& entry = odd_.what != nullptr ? odd_ : entry_;
  const std::size_t words = entry.words != 0 ? words_from(entry.at) : 0;
  if (words == entry.words) refuse_to_read(path_, line_of(last_), reason);
  refuse_to_read(path_, line_of(entry.at),
                 fmt::format("{} takes {} number{}, and this line has {}; correct the line, or the "
                             "count before it (reading on fails in line {}: {})",
                             entry.what, entry.words, entry.words == 1 ? "" : "s", words,
                             line_of(last_), reason));
}

bool Input::begin_entry(const char* what, std::size_t words) {
  skip_blanks();
  const bool begins = begins_line();
  if (odd_.what == nullptr && !begins) odd_ = entry_;
  entry_ = {what, at_, words};
  return begins;
}
void Input::end_list() { odd_ = entry_ = {}; }

bool Input::begins_line() const {
  std::size_t at = at_;
  while (at > 0 && blank(bytes_[at - 1]) && bytes_[at - 1] != '\n') --at;
  return at == 0 || bytes_[at - 1] == '\n';
}
std::size_t Input::line_of(std::size_t at) const {
  const auto end = bytes_.begin() + static_cast<std::ptrdiff_t>(at);
  return 1 + static_cast<std::size_t>(std::count(bytes_.begin(), end, '\n'));
}
std::size_t Input::line_number() {
  const auto place = [&](std::size_t at) {
    return bytes_.begin() + static_cast<std::ptrdiff_t>(at);
  };
  lines_ += static_cast<std::size_t>(std::count(place(counted_), place(last_), '\n'));
  counted_ = last_;
  return 1 + lines_;
}
// Returns the number of words from here to the end of the line.
std::size_t Input::words_from(std::size_t at) const {
  std::size_t words = 0;
  for (bool before = true; at < bytes_.size() && bytes_[at] != '\n'; ++at) {
    if (comments_ && bytes_[at] == '#') break;
    if (before && !blank(bytes_[at])) ++words;
    before = blank(bytes_[at]);
  }
  return words;
}
void Input::refuse_number(std::string_view text, const char* what, bool whole) const {
  refuse(fmt::format("'{}' is no {} for {}", shown(text), whole ? "whole number" : "finite number",
                     what));
}

void Input::skip_blanks() {
  while (at_ < bytes_.size()) {
    if (comments_ && bytes_[at_] == '#') {
      at_ = std::min(bytes_.find('\n', at_), bytes_.size());
    } else if (blank(bytes_[at_])) {
      ++at_;
    } else {
      break;
    }
  }
}
bool Input::at_end() {
  skip_blanks();
  return at_ == bytes_.size();
}
std::string_view Input::word() {
  skip_blanks();
  last_ = at_;
  while (at_ < bytes_.size() && !blank(bytes_[at_])) ++at_;
  if (at_ == last_) refuse("the file ends here; it is not complete");
  return std::string_view(bytes_).substr(last_, at_ - last_);
}
std::string_view Input::line() {
  last_ = at_;
  at_ = std::min(bytes_.find('\n', at_), bytes_.size());
  return trimmed(std::string_view(bytes_).substr(last_, at_ - last_));
}
std::string_view Input::next_line() {
  skip_blanks();
  return line();
}
std::string Input::quoted() {
  skip_blanks();
  last_ = at_;
  const std::size_t end = at_ < bytes_.size() ? bytes_.find('"', at_ + 1) : std::string::npos;
  if (end == std::string::npos || bytes_[at_] != '"') refuse("a name in quotes must stand here");
  at_ = end + 1;
  return bytes_.substr(last_ + 1, end - last_ - 1);
}
bool Input::begins_with(std::string_view text, bool blanks) {
  if (blanks) skip_blanks();
  return std::string_view(bytes_).substr(at_).starts_with(text);
}
void Input::expect(std::string_view expected, const std::string& hint) {
  const std::string_view found = word();
  if (found != expected)
    refuse(fmt::format("'{}' stands where {} must{}", shown(found), expected, hint));
}

std::optional<double> real_of(std::string_view text) {
  // (std::from_chars does not accept the plus that Fortran writes.)
  if (text.starts_with('+')) text.remove_prefix(1);
  double value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  // (Values too small for a double become 0 and are no error here.)
  const bool tiny = error == std::errc::result_out_of_range && std::abs(value) < 1;
  if ((error != std::errc() && !tiny) || end != text.data() + text.size() || !std::isfinite(value))
    return std::nullopt;
  return value;
}

double Input::real(const char* what) {
  const std::string_view text = word();
  const std::optional<double> value = real_of(text);
  if (!value) refuse_number(text, what, false);
  return *value;
}

std::size_t Input::checked(std::uint64_t count, const char* what, std::size_t bytes) const {
  if (count > (bytes_.size() - at_) / bytes) {
    refuse(fmt::format("{} {} are said to follow, and the file has {} bytes left for them", count,
                       what, bytes_.size() - at_));
  }
  return static_cast<std::size_t>(count);
}
std::size_t Input::count(const char* what, std::size_t bytes) {
  return checked(integer<std::uint64_t>(what), what, bytes);
}

const char* Input::take(std::size_t bytes, const char* what) {
  last_ = at_;
  if (bytes_.size() - at_ < bytes)
    refuse(fmt::format("the file ends within {}; it is not complete", what));
  at_ += bytes;
  return bytes_.data() + last_;
}
void Input::end_line() {
  last_ = at_;
  const std::size_t end = bytes_.find('\n', at_);
  if (end == std::string::npos) refuse("the file ends here; it is not complete");
  at_ = end + 1;
}
void Input::skip_past(std::string_view text) {
  const std::size_t found = bytes_.find(text, at_);
  if (found == std::string::npos) refuse(fmt::format("there is no {} after this", text));
  at_ = found + text.size();
}

}  // namespace kolam::meshes
