// SPDX-License-Identifier: Apache-2.0
#include <kolam/testing/array_model.hpp>
#include <kolam/testing/random_array_steps.hpp>

namespace kolam::testing {
namespace {

struct Weight {
  Op op;
  int weight;
};
constexpr std::array weights{
    Weight{Op::make, 5},          Weight{Op::destroy, 1},     Weight{Op::alias, 6},
    Weight{Op::alias_strided, 4}, Weight{Op::reshape, 3},     Weight{Op::move, 2},
    Weight{Op::assign, 1},        Weight{Op::read, 22},       Weight{Op::write, 16},
    Weight{Op::read_write, 10},   Weight{Op::modified, 4},    Weight{Op::sync, 6},
    Weight{Op::release, 3},       Weight{Op::discard, 1},     Weight{Op::set_policy, 3},
    Weight{Op::open_scope, 1},    Weight{Op::close_scope, 1}, Weight{Op::open_memory, 1},
    Weight{Op::close_memory, 1},  Weight{Op::deep_copy, 8},   Weight{Op::resize, 2},
    Weight{Op::borrow, 2},        Weight{Op::borrow_both, 2}};

class Generator {
 public:
  Generator(std::mt19937& random, bool two_sides) : random_(random), model_(two_sides) {}

  Steps steps(std::size_t count) {
    while (steps_.size() < count) next();
    steps_.resize(count);
    return steps_;
  }

 private:
  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  bool one_in(int n) { return below(n) == 0; }

  void add(const Step& step) {
    model_.apply(step);
    steps_.push_back(step);
  }
  const std::optional<ModelArray>& array(int slot) const {
    return model_.array(static_cast<std::size_t>(slot));
  }
  int any_slot() { return below(static_cast<int>(slots)); }
  // Returns a slot that holds an array, if there is one.
  int used_slot() {
    int slot = any_slot();
    for (int i = 0; i < 20 && !array(slot); ++i) slot = any_slot();
    return slot;
  }
  // Returns a slot, mostly an empty one.
  int new_slot() {
    int slot = any_slot();
    for (int i = 0; i < 3 && array(slot); ++i) slot = any_slot();
    return slot;
  }
  Op any_op() {
    int sum = 0;
    for (const Weight& w : weights) sum += w.weight;
    int rest = below(sum);
    for (const Weight& w : weights) {
      if (rest < w.weight) return w.op;
      rest -= w.weight;
    }
    return Op::make;
  }
  int size() { return one_in(200) ? -1 : one_in(3) ? below(5) : below(41); }
  // Chooses a box of the array, sometimes one that reaches beyond it.
  void choose_box(Step& step, const std::optional<ModelArray>& of) {
    for (std::size_t d = 0; d < 2; ++d) {
      const int extent = (of ? of->extents[d] : 0) + (one_in(100) ? 2 : 0);
      const int begin = below(extent + 1);
      step.n[3 + 2 * d] = begin;
      step.n[4 + 2 * d] = begin + below(extent - begin + 1);
    }
  }
  int first_value() const { return 100 * static_cast<int>(steps_.size() + 1); }
  int any_policy(bool or_none) {
    const int policy = one_in(3) ? 0 : below(4);
    return or_none && one_in(4) ? static_cast<int>(Policy::none) : policy;
  }

  void next() {
    Step step{any_op(), {used_slot()}};
    auto& n = step.n;
    n[8] = first_value();
    switch (step.op) {
      case Op::make:
      case Op::borrow:
      case Op::borrow_both:
        n[0] = new_slot();
        n[1] = size();
        n[2] = step.op == Op::borrow_both ? below(4)
               : step.op == Op::borrow    ? 0
               : one_in(2)                ? 0
                                          : below(6);
        if (step.op != Op::make && n[1] < 0) n[1] = 1;
        add(step);
        if (!one_in(3)) add({Op::write, {n[0], below(3), 0, 0, 0, 0, 0, 1, first_value()}});
        return;
      case Op::alias:
      case Op::alias_strided:
      case Op::reshape:
      case Op::move:
        n[1] = n[0];
        n[0] = new_slot();
        choose_box(step, array(n[1]));
        if (step.op == Op::alias_strided) n[2] = below(5) + (one_in(20) ? 0 : 1);
        if (step.op == Op::reshape) {
          const int values = array(n[1]) ? static_cast<int>(array(n[1])->values.size()) : 0;
          n[3] = 1 + below(7);
          n[4] = values / n[3] + (one_in(20) ? 1 : 0);
        }
        break;
      case Op::assign:
        n[1] = used_slot();
        break;
      case Op::release:
      case Op::discard:
        n[1] = below(2);
        break;
      case Op::set_policy:
      case Op::open_scope:
        n[1] = any_policy(step.op == Op::set_policy);
        break;
      case Op::open_memory:
        n[1] = below(5);
        break;
      case Op::resize:
        n[1] = size();
        break;
      case Op::deep_copy:
        choose_copy(step);
        break;
      case Op::destroy:
      case Op::close_scope:
      case Op::close_memory:
        break;
      default:
        n[1] = below(3);
        n[7] = one_in(3) ? 1 : 0;
        choose_box(step, array(n[0]));
    }
    add(step);
  }

  // Copies from an array of the same extents or, if none is found, from an alias that has them.
  void choose_copy(Step& step) {
    auto& n = step.n;
    n[1] = used_slot();
    n[2] = below(3);
    const auto& to = array(n[0]);
    for (int i = 0; i < 8 && to; ++i) {
      const auto& from = array(n[1]);
      if (from && n[1] != n[0] && from->rank == to->rank) {
        if (from->extents == to->extents || one_in(20)) return;
        const auto [p, q] = to->extents;
        const std::array<std::array<int, 2>, 2> box{{{0, p}, {0, q}}};
        if (from->contains(box)) {
          const int slot = new_slot();
          if (slot == n[0]) return;
          const int x = below(from->extents[0] - p + 1);
          const int y = from->rank == 1 ? 0 : below(from->extents[1] - q + 1);
          add({Op::alias, {slot, n[1], 0, x, x + p, y, y + q}});
          n[1] = slot;
          return;
        }
      }
      n[1] = used_slot();
    }
  }

  std::mt19937& random_;
  ArrayModel model_;
  Steps steps_;
};

}  // namespace

Steps random_array_steps(std::mt19937& random, bool two_sides, std::size_t count) {
  return Generator(random, two_sides).steps(count);
}

}  // namespace kolam::testing
