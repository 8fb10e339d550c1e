// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <kolam/core/error.hpp>
#include <kolam/io/heat_deck.hpp>
#include <limits>
#include <map>
#include <optional>
#include <string_view>

#include "mesh/input.hpp"

namespace kolam {
namespace {

using grid::HeatRegion;
using grid::HeatSolver;

// Keys for TeaLeaf's kernels, output and own checks.
constexpr std::string_view of_tealeaf_alone[] = {
    "test_problem",        "profiler_on",       "use_c_kernels",  "use_fortran_kernels",
    "check_result",        "summary_frequency", "halo_depth",     "num_chunks_per_rank",
    "visit_frequency",     "verbose_on",        "tiles_per_task", "preconditioner_on",
    "preconditioner_type", "presteps",          "ch_cg_presteps", "epslim",
    "ch_cg_epslim",        "errswitch",         "ch_cg_errswitch"};

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

// The words of a line, separated by blanks or `=`.
std::vector<std::string> words_of(std::string_view line) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < line.size();) {
    const auto first = line.find_first_not_of(" \t\r=", at);
    if (first == std::string_view::npos) break;
    const auto end = std::min(line.find_first_of(" \t\r=", first), line.size());
    words.emplace_back(line.substr(first, end - first));
    at = end;
  }
  return words;
}

class Deck {
 public:
  explicit Deck(const std::filesystem::path& path)
      : path_(path), text_(meshes::Input(path).bytes()) {
    deck_.options.nx = deck_.options.ny = 10;
    deck_.options.to = {100, 100, 100};
    deck_.options.dt = 0.1;
    deck_.options.solver = HeatSolver::cg;
    deck_.options.tolerance = {.rtol = 0, .atol = 1e-15, .max_iterations = 10000};
  }

  HeatDeck read() && {
    for (std::size_t at = 0; at < text_.size();) {
      const auto end = std::min(text_.find('\n', at), text_.size());
      ++line_;
      std::string_view line = std::string_view(text_).substr(at, end - at);
      line = trimmed(line.substr(0, line.find_first_of("#!")));
      at = end + 1;
      if (line == "*endtea") break;
      if (line.empty() || line == "*tea") continue;
      take(words_of(line));
    }
    finish();
    return std::move(deck_);
  }

 private:
  [[noreturn]] void refuse(const std::string& reason) const {
    throw FileError(fmt::format("cannot read '{}', line {}: {}", path_.string(), line_, reason));
  }
  [[noreturn]] void refuse_file(const std::string& reason) const {
    throw FileError(fmt::format("cannot read '{}': {}", path_.string(), reason));
  }

  double real(const std::string& key, const std::string& text) const {
    const std::optional<double> value = meshes::real_of(text);
    if (!value) refuse(fmt::format("{} is '{}'; it must be a finite number", key, text));
    return *value;
  }
  double positive(const std::string& key, const std::string& text) const {
    const double value = real(key, text);
    if (!(value > 0)) refuse(fmt::format("{} is {}; it must be above 0", key, text));
    return value;
  }
  std::int64_t count(const std::string& key, const std::string& text) const {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value < 1)
      refuse(fmt::format("{} is '{}'; it must be a whole number, 1 or more", key, text));
    return value;
  }

  void take(std::vector<std::string> words) {
    std::string key = words.front();
    if (key.starts_with("tl_")) key.erase(0, 3);
    if (key == "state") return take_state(words);
    const auto [before, is_new] = given_.emplace(key, line_);
    if (!is_new) refuse(fmt::format("{} was given in line {}; give it once", key, before->second));
    if (std::ranges::find(of_tealeaf_alone, key) != std::end(of_tealeaf_alone)) {
      deck_.unused.push_back(key);
    } else if (take_switch(key)) {
      if (words.size() > 1)
        refuse(fmt::format("{} takes no value, but '{}' follows", key, words[1]));
    } else if (is_known(key)) {
      if (words.size() != 2)
        refuse(fmt::format("{} has {} values; it takes one: {}=VALUE", key, words.size() - 1, key));
      take_value(key, words[1]);
    } else {
      refuse(fmt::format("'{}' is no key of a deck", key));
    }
  }

  bool take_switch(const std::string& key) {
    if (key == "use_jacobi") {
      refuse(
          "use_jacobi: kolam has no Jacobi iteration for this; "
          "write use_cg, use_chebyshev or use_ppcg in its place");
    }
    const std::pair<std::string_view, HeatSolver> solvers[] = {
        {"use_cg", HeatSolver::cg},
        {"use_chebyshev", HeatSolver::chebyshev},
        {"use_ppcg", HeatSolver::ppcg}};
    for (const auto& [name, solver] : solvers) {
      if (key != name) continue;
      if (!solver_.empty()) refuse(fmt::format("{} after {}; a deck has one solver", key, solver_));
      solver_ = key;
      deck_.options.solver = solver;
      return true;
    }
    if (key != "coefficient_density" && key != "coefficient_inverse_density") return false;
    if (given_.contains("coefficient_density") && given_.contains("coefficient_inverse_density"))
      refuse(fmt::format("{} after the other one; give one of both", key));
    // (TeaLeaf divides by its coefficient.)
    deck_.options.conductivity = key == "coefficient_density" ? grid::Conductivity::inverse_density
                                                              : grid::Conductivity::density;
    return true;
  }

  static bool is_known(const std::string& key) {
    constexpr std::string_view known[] = {"x_cells",
                                          "y_cells",
                                          "z_cells",
                                          "xmin",
                                          "xmax",
                                          "ymin",
                                          "ymax",
                                          "zmin",
                                          "zmax",
                                          "eps",
                                          "initial_timestep",
                                          "end_step",
                                          "end_time",
                                          "max_iters",
                                          "ppcg_inner_steps"};
    return std::ranges::find(known, key) != std::end(known);
  }
  void take_value(const std::string& key, const std::string& text) {
    grid::HeatOptions& options = deck_.options;
    if (key == "x_cells") options.nx = count(key, text);
    if (key == "y_cells") options.ny = count(key, text);
    if (key == "z_cells") options.nz = count(key, text);
    for (std::size_t d = 0; d < 3; ++d) {
      if (key == ends_[0][d]) options.from[d] = real(key, text);
      if (key == ends_[1][d]) options.to[d] = real(key, text);
    }
    if (key == "eps") options.tolerance.atol = positive(key, text);
    if (key == "initial_timestep") options.dt = positive(key, text);
    if (key == "end_step") end_step_ = count(key, text);
    if (key == "end_time") end_time_ = positive(key, text);
    if (key == "max_iters") options.tolerance.max_iterations = count(key, text);
    if (key == "ppcg_inner_steps")
      options.inner_steps = static_cast<int>(std::min<std::int64_t>(count(key, text), 1 << 20));
  }

  void take_state(const std::vector<std::string>& words) {
    if (words.size() < 2) refuse("state has no number");
    const std::int64_t number = count("state", words[1]);
    if (const auto before = states_.find(number); before != states_.end()) {
      refuse(
          fmt::format("state {} was given in line {}; give it once", number, before->second.line));
    }
    std::map<std::string, std::string> values;
    for (std::size_t w = 2; w < words.size(); w += 2) {
      if (w + 1 == words.size()) refuse(fmt::format("state {}: {} has no value", number, words[w]));
      if (!values.emplace(words[w], words[w + 1]).second)
        refuse(fmt::format("state {}: {} is given twice", number, words[w]));
    }
    const auto value = [&](const std::string& key) {
      const auto found = values.find(key);
      if (found == values.end()) refuse(fmt::format("state {} has no {}", number, key));
      std::string text = std::move(found->second);
      values.erase(found);
      return text;
    };
    HeatRegion region;
    region.density = positive("density", value("density"));
    region.energy = real("energy", value("energy"));
    if (number > 1) {
      const std::string geometry = value("geometry");
      if (geometry == "rectangle" || geometry == "rectangular") {
        region.shape = HeatRegion::Shape::box;
      } else if (geometry == "circular" || geometry == "circle") {
        region.shape = HeatRegion::Shape::ball;
        region.radius = positive("radius", value("radius"));
      } else if (geometry == "point") {
        region.shape = HeatRegion::Shape::point;
      } else {
        refuse(fmt::format("state {}: geometry is '{}'; it must be rectangle, circular or point",
                           number, geometry));
      }
      for (std::size_t d = 0; d < 3; ++d) {
        const std::string first(ends_[0][d]), last(ends_[1][d]);
        // (Regions without zmin, as in 2D decks, span all of z.)
        if (d == 2 && !values.contains(first)) {
          region.from[d] = -std::numeric_limits<double>::max() / 4;
          region.to[d] = -region.from[d];
          continue;
        }
        region.from[d] = real(first, value(first));
        if (region.shape != HeatRegion::Shape::box) {
          values.erase(last);  // (allowed in decks, but meaningless)
          continue;
        }
        region.to[d] = real(last, value(last));
        if (!(region.from[d] < region.to[d]))
          refuse(fmt::format("state {} is from {} to {}; it must end where it is larger", number,
                             region.from[d], region.to[d]));
      }
    }
    if (!values.empty())
      refuse(fmt::format("state {}: {} says nothing here", number, values.begin()->first));
    states_.emplace(number, State{line_, region});
  }

  void finish() {
    grid::HeatOptions& options = deck_.options;
    if (states_.empty())
      refuse_file("it has no state; state 1 gives density and energy of all cells");
    options.regions.clear();
    for (const auto& [number, state] : states_) {
      const auto expected = static_cast<std::int64_t>(options.regions.size()) + 1;
      if (number != expected) {
        line_ = state.line;
        refuse(fmt::format("state {}, but no state {}; number them from 1", number, expected));
      }
      options.regions.push_back(state.region);
    }
    for (std::size_t d = 0; d < (options.nz == 0 ? 2U : 3U); ++d) {
      if (options.from[d] < options.to[d]) continue;
      refuse_file(fmt::format("{} is {} and {} {}; the box must end where it is larger",
                              ends_[0][d], options.from[d], ends_[1][d], options.to[d]));
    }
    // The number of steps that begin before end_time_.
    const double steps = std::ceil(end_time_ / options.dt - 1e-9);
    options.niter = end_step_;
    if (steps < static_cast<double>(end_step_)) options.niter = static_cast<std::int64_t>(steps);
  }

  struct State {
    std::int64_t line;
    HeatRegion region;
  };
  static constexpr std::string_view ends_[2][3] = {{"xmin", "ymin", "zmin"},
                                                   {"xmax", "ymax", "zmax"}};

  std::filesystem::path path_;
  std::string text_;
  std::int64_t line_ = 0;
  HeatDeck deck_;
  std::map<std::string, std::int64_t> given_;  // line of each key
  std::map<std::int64_t, State> states_;
  std::string solver_;
  std::int64_t end_step_ = std::numeric_limits<std::int64_t>::max();
  double end_time_ = 10;
};

}  // namespace

HeatDeck read_heat_deck(const std::filesystem::path& path) { return Deck(path).read(); }

}  // namespace kolam
