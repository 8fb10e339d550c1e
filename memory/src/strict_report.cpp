// SPDX-License-Identifier: Apache-2.0
// The reports of strict emulation about misuse.
#include <algorithm>
#include <cstddef>
#include <sstream>
#include <string>

#include "strict_windows.hpp"

#ifdef __linux__

namespace kolam::detail {
namespace {

const char* name(Side side) { return side == Side::host ? "host" : "device"; }
Side other(Side side) { return side == Side::host ? Side::device : Side::host; }

// Appends "write(device) of bytes 56 to 64 at solver.cpp:12", and its call stack.
void append(std::ostream& out, const StrictEvent& event, std::size_t byte) {
  out << event.what << '(' << name(event.side) << ')';
  const auto found = std::find_if(event.ranges.begin(), event.ranges.end(),
                                  [&](ByteRange r) { return r.begin <= byte && byte < r.end; });
  if (found != event.ranges.end()) {
    out << " of bytes " << found->begin << " to " << found->end;
    if (event.ranges.size() > 1) out << ", one of " << event.ranges.size() << " ranges,";
  }
  if (event.where.line() > 0) out << " at " << to_string(event.where);
  out << '\n' << event.stack.text();
}

void append_value(std::ostream& out, const StrictArray& array, std::size_t byte, bool writes) {
  const std::size_t value = byte / array.value_bytes;
  out << (writes ? " to" : " of") << " value " << value << " (bytes " << value * array.value_bytes
      << " to " << (value + 1) * array.value_bytes << ")";
}

}  // namespace

std::string report_access(const StrictWindow& window, const char* address, bool writes,
                          const StrictWindow* newest, const void* instruction,
                          const char* by_whom) {
  const StrictArray& array = *window.array;
  const char* const side = name(window.side);
  const char* const kernel = running_kernel();
  const std::string in_kernel =
      kernel == nullptr
          ? ""
          : (running_code() == CodeOf::host ? " in the host's kernel '" : " in the kernel '") +
                std::string(kernel) + "'";
  std::ostringstream out;
  out << "kolam: array '" << array.label << "': " << (writes ? "a write" : "a read");
  const auto by = [&] { out << "  " << by_whom << '\n' << CallStack::from(instruction).text(); };

  const bool past = address >= window.begin + array.bytes;
  if (address < window.begin || past) {
    out << ' '
        << (past ? address - window.begin - static_cast<std::ptrdiff_t>(array.bytes) + 1
                 : window.begin - address)
        << " bytes " << (past ? "past the end of" : "before") << " its "
        << array.bytes / array.value_bytes << " values on the " << side << in_kernel << '\n';
    by();
    out << "  check the indices of this loop\n";
    return out.str();
  }

  const auto byte = static_cast<std::size_t>(address - window.begin);
  const StrictEvent* const granted = window.granted.find(byte);
  const std::string again = std::string("  take ") + (writes ? "read_write(" : "read(");
  const auto taken = [&] {
    if (granted == nullptr) return;
    out << "  the View was taken by ";
    append(out, *granted, byte);
  };
  append_value(out, array, byte, writes);
  if (window.life->memory == nullptr) {
    const StrictEvent* const end = window.life->end.get();
    const std::string how = end == nullptr ? "freed" : end->what;
    out << " on the " << side << in_kernel << " after the array was " << how << '\n';
    if (end != nullptr) {
      out << "  " << how << (end->where.line() > 0 ? " at " + to_string(end->where) : " by") << '\n'
          << end->stack.text();
    }
    taken();
    by();
    if (how == "freed") {
      out << "  keep the array as long as its Views are used\n";
    } else {
      out << again << side << ") again, after that, and use its View\n";
    }
    return out.str();
  }
  if (!array.one_side && !may_touch(running_code(), window.side)) {
    out << " on the " << side << (kernel == nullptr ? " by host code" : in_kernel)
        << ", which is for "
        << (window.side == Side::device ? "kernels of the device" : "host code") << '\n';
    taken();
    by();
    out << again << name(other(window.side)) << ") and use its View here\n";
    return out.str();
  }
  const bool readable = window.readable.contains({byte, byte + 1});
  const StrictEvent* ended = window.reading_ended.find(byte);
  if (readable || (ended == nullptr && writes)) ended = window.writing_ended.find(byte);
  const bool lapsed = window.lapsed.contains({byte, byte + 1}) && ended != nullptr;
  const bool allowed = (writes ? window.writable : window.readable).contains({byte, byte + 1});
  out << " on the " << side << in_kernel;
  if (allowed) {
    out << " before it was written\n";
    taken();
    by();
    out << "  take read_write(" << side << ") if old values are needed, or write before you read\n";
    return out.str();
  }
  if (lapsed) {
    const bool stale = newest == nullptr || !newest->readable.contains({byte, byte + 1});
    out << (stale && ended->writes ? ", which is stale there\n"
                                   : " through a View that has lapsed\n");
    out << "  since ";
    append(out, *ended, byte);
  } else {
    out << ", which no intent allows\n";
  }
  taken();
  by();
  out << again << side << (lapsed ? ") again, after that, and use its View\n" : ") for it\n");
  return out.str();
}

std::string report_beside(const StrictArray& array, Side side, ByteRange bytes,
                          const StrictEvent* last, const StrictEvent& now) {
  const auto first = static_cast<std::ptrdiff_t>(bytes.begin);
  const auto end = static_cast<std::ptrdiff_t>(bytes.end);
  const auto size = static_cast<std::ptrdiff_t>(array.bytes);
  std::ostringstream out;
  out << "kolam: array '" << array.label << "': a write " << (first < 0 ? -first : end - size)
      << " bytes " << (first < 0 ? "before" : "past the end of") << " its "
      << array.bytes / array.value_bytes << " values on the " << name(side) << '\n';
  if (last != nullptr) {
    out << "  after ";
    append(out, *last, SIZE_MAX);
  }
  if (now.ranges.empty()) {
    out << "  before the array was " << now.what << '\n' << now.stack.text();
  } else {
    out << "  before ";
    append(out, now, SIZE_MAX);
  }
  out << "  check the indices of the loops between them\n";
  return out.str();
}

}  // namespace kolam::detail

#endif
