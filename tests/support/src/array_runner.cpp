// SPDX-License-Identifier: Apache-2.0
#include <kolam/memory/deep_copy.hpp>
#include <kolam/memory/wrap.hpp>
#include <kolam/testing/array_runner.hpp>
#include <kolam/testing/array_use.hpp>
#include <type_traits>
#include <utility>

namespace kolam::testing {
namespace {

using Exec = Kokkos::DefaultExecutionSpace;

template <class A>
inline constexpr bool is_plain = std::is_same_v<A, Array<int>> || std::is_same_v<A, Array<int, 2>>;

}  // namespace

ArrayRunner::~ArrayRunner() {
  while (!scopes_.empty()) scopes_.pop_back();
  while (!memory_scopes_.empty()) memory_scopes_.pop_back();
  Kokkos::fence("lent memory goes");
}

std::vector<int> ArrayRunner::apply(const Step& step, const std::string& label) {
  ArraySlot& slot = arrays_[step.slot()];
  switch (step.op) {
    case Op::make:
    case Op::borrow:
    case Op::borrow_both:
      slot = made(step, label);
      return {};
    case Op::alias:
    case Op::alias_strided:
    case Op::reshape:
    case Op::move:
      slot = std::visit([&](auto& from) { return derived(from, step); }, arrays_[step.from()]);
      return {};
    case Op::assign:
      slot = std::move(arrays_[step.from()]);  // the variants assign the arrays
      return {};
    case Op::destroy:
      slot = std::monostate{};
      return {};
    case Op::open_scope:
      scopes_.push_back(std::make_unique<SyncScope>(*policy(step.policy())));
      return {};
    case Op::close_scope:
      scopes_.pop_back();
      return {};
    case Op::open_memory:
      memory_scopes_.push_back(std::make_unique<MemoryScope>(static_cast<MemoryKind>(step.n[1])));
      return {};
    case Op::close_memory:
      memory_scopes_.pop_back();
      return {};
    case Op::deep_copy:
      std::visit([&](auto& to, const auto& from) { copy(to, from, step.where()); }, slot,
                 arrays_[step.from()]);
      return {};
    case Op::resize:
      resize(std::get<Array<int>>(slot), step.n[1]);
      return {};
    default:
      return std::visit([&](auto& array) { return use(array, step); }, slot);
  }
}

std::optional<SyncPolicy> ArrayRunner::policy(Policy policy) const {
  switch (policy) {
    case Policy::on_access:
      return on_access;
    case Policy::explicit_only:
      return explicit_only;
    case Policy::prefetch:
      return prefetch(Exec{});
    case Policy::prefetch_second:
      return prefetch(second_);
    case Policy::none:
      break;
  }
  return std::nullopt;
}

ArraySlot ArrayRunner::made(const Step& step, const std::string& label) {
  const int size = step.n[1];
  if (step.op == Op::make) {
    return step.n[2] == 5 ? Array<int>(label, size)
                          : Array<int>(label, size, static_cast<MemoryKind>(step.n[2]));
  }
  const auto valid = static_cast<ValidSide>(step.n[2]);
  const bool both = step.op == Op::borrow_both;
  const bool at_host = !both || valid == ValidSide::host_side || valid == ValidSide::both;
  const bool at_device = valid == ValidSide::device_side || valid == ValidSide::both;
  host_memory_.push_back(ascending(size, at_host ? step.value() : -1000));
  int* const host_values = host_memory_.back().data();
  if (!both) return borrow(label, host, host_values, size);
  device_memory_.push_back(ascending_on_device(size, at_device ? step.value() : -1000));
  return borrow(label, host_values, device_memory_.back().data(), size, valid);
}

template <class A>
ArraySlot ArrayRunner::derived(A& from, const Step& step) {
  if constexpr (!std::is_same_v<A, std::monostate>) {
    if (step.op == Op::move) return std::move(from);
    if (step.op == Op::alias) return from.alias(box_of<A>(step.box()));
    if constexpr (rank_of<A> == 1) {
      if (step.op == Op::alias_strided) return from.alias({step.n[3], step.n[4]}, step.n[2]);
    }
    if constexpr (is_plain<A>) {
      if (step.op == Op::reshape) return reshape(from, step.n[3], step.n[4]);
    }
  }
  return {};
}

template <class To, class From>
void ArrayRunner::copy(To& to, const From& from, Where where) {
  if constexpr (rank_of<To> == rank_of<From> && rank_of < To >> 0) {
    if (where == Where::host) deep_copy(Kokkos::DefaultHostExecutionSpace{}, to, from);
    if (where == Where::device) deep_copy(Exec{}, to, from);
    if (where == Where::second) deep_copy(second_, to, from);
  }
}

template <class A>
std::vector<int> ArrayRunner::use(A& array, const Step& step) {
  if constexpr (std::is_same_v<A, std::monostate>) {
    return {};
  } else {
    if (step.op == Op::set_policy) {
      array.set_policy(policy(step.policy()));
      return {};
    }
    switch (step.where()) {
      case Where::host:
        return use_at(host, array, step);
      case Where::device:
        return use_at(device, array, step);
      case Where::second:
        break;
    }
    return use_at(second_, array, step);
  }
}

template <class Side, class A>
std::vector<int> ArrayRunner::use_at(const Side& where, A& array, const Step& step) {
  const auto box = box_of<A>(step.box());
  const bool whole = step.whole();
  const int value = step.value();
  switch (step.op) {
    case Op::read:
      return whole ? values(where, array.read(where)) : values(where, array.read(where, box));
    case Op::write:
      whole ? fill(where, array.write(where), value) : fill(where, array.write(where, box), value);
      break;
    case Op::read_write:
      whole ? add(where, array.read_write(where), value)
            : add(where, array.read_write(where, box), value);
      break;
    case Op::modified:
      whole ? fill_mirror(where, array, value) : fill_mirror(where, array, value, box);
      break;
    case Op::sync:
      whole ? array.sync(where) : array.sync(where, box);
      break;
    case Op::release:
      array.release(where);
      break;
    default:
      array.discard(where);
  }
  return {};
}

}  // namespace kolam::testing
