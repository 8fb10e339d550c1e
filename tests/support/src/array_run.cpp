// SPDX-License-Identifier: Apache-2.0
#include <kolam/core/error.hpp>
#include <kolam/memory/access_error.hpp>
#include <kolam/testing/array_model.hpp>
#include <kolam/testing/array_run.hpp>
#include <kolam/testing/array_runner.hpp>
#include <sstream>
#include <type_traits>

namespace kolam::testing {
namespace {

// Returns the differences of an array from its model in words, or "".
template <class A>
std::string compare(const A& array, const ModelArray& model, bool each_value) {
  std::ostringstream text;
  text << std::boolalpha;
  const auto same = [&](const std::string& what, auto actual, auto expected) {
    if (actual != expected) {
      text << model.name << "." << what << " is " << actual << ", not " << expected << '\n';
    }
  };
  const Transfers t = array.transfers();
  const Transfers& m = model.memory->counts;
  if (t != m) {
    same("transfers().copies_to_device", t.copies_to_device, m.copies_to_device);
    same("transfers().bytes_to_device", t.bytes_to_device, m.bytes_to_device);
    same("transfers().copies_to_host", t.copies_to_host, m.copies_to_host);
    same("transfers().bytes_to_host", t.bytes_to_host, m.bytes_to_host);
    same("transfers().copies_avoided", t.copies_avoided, m.copies_avoided);
    same("transfers().allocations", t.allocations, m.allocations);
    same("transfers().allocated_bytes", t.allocated_bytes, m.allocated_bytes);
    same("transfers().bytes", t.bytes, m.bytes);
    same("transfers().peak_bytes", t.peak_bytes, m.peak_bytes);
  }
  if (array.size() != static_cast<index_t>(model.values.size())) {
    same("size()", array.size(), static_cast<index_t>(model.values.size()));
    return text.str();
  }
  const auto compare_at = [&](const auto& where, Where side, const std::string& name) {
    const std::size_t s = model.memory->side(side);
    const bool all = model.all_valid(s);
    same("valid(" + name + ")", array.valid(where), all);
    if (all || !each_value) return;
    for (int i = 0; i < static_cast<int>(model.values.size()); ++i) {
      const int x = i % model.extents[0];
      const int y = i / model.extents[0];
      same("valid(" + name + ", value " + std::to_string(i) + ")",
           array.valid(where, box_of<A>({{{x, x + 1}, {y, y + 1}}})),
           model.valid(s, static_cast<std::size_t>(i)));
    }
  };
  compare_at(host, Where::host, "kolam::host");
  compare_at(device, Where::device, "kolam::device");
  return text.str();
}

std::string compare_values(const std::vector<int>& read,
                           const std::vector<std::optional<int>>& expected) {
  std::ostringstream text;
  if (read.size() != expected.size()) {
    text << read.size() << " values were read, not " << expected.size() << '\n';
    return text.str();
  }
  for (std::size_t i = 0; i < read.size(); ++i) {
    if (!expected[i] || read[i] == *expected[i]) continue;
    text << "value " << i << " was read as " << read[i] << ", not " << *expected[i] << '\n';
  }
  return text.str();
}

const char* name(Outcome outcome) {
  switch (outcome) {
    case Outcome::access_error:
      return "an AccessError";
    case Outcome::invalid_argument:
      return "an InvalidArgument";
    default:
      return "nothing";
  }
}

std::string compare_outcomes(Outcome actual, Outcome expected, const std::string& error) {
  if (actual == expected) return "";
  return "the last line threw " + std::string(name(actual)) + (error.empty() ? "" : ": " + error) +
         "; the model: " + name(expected) + '\n';
}

}  // namespace

std::string first_difference(const Steps& steps, const Kokkos::DefaultExecutionSpace& second) {
  ArrayModel model(arrays_have_two_sides());
  ArrayRunner runner(second);
  for (const Step& step : steps) {
    const Outcome expected = model.apply(step);
    if (expected == Outcome::nothing) continue;
    const auto& changed = model.array(step.slot());
    std::vector<int> read;
    Outcome outcome = Outcome::done;
    std::string text;
    try {
      read = runner.apply(step, changed ? changed->name : "none");
    } catch (const AccessError& error) {
      outcome = Outcome::access_error;
      text = error.what();
    } catch (const InvalidArgument& error) {
      outcome = Outcome::invalid_argument;
      text = error.what();
    }
    std::string difference = compare_outcomes(outcome, expected, text);
    if (difference.empty()) difference = compare_values(read, model.read());
    for (std::size_t slot = 0; slot < slots; ++slot) {
      if (!model.array(slot)) continue;
      const bool touched = changed && changed->memory == model.array(slot)->memory;
      difference += std::visit(
          [&](const auto& array) {
            if constexpr (std::is_same_v<std::decay_t<decltype(array)>, std::monostate>) {
              return std::string("a slot is empty\n");
            } else {
              return compare(array, *model.array(slot), touched);
            }
          },
          runner.array(slot));
    }
    if (!difference.empty()) return difference;
  }
  return "";
}

}  // namespace kolam::testing
