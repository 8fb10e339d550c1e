// SPDX-License-Identifier: Apache-2.0
#include <kolam/testing/array_model.hpp>
#include <numeric>

namespace kolam::testing {
namespace {

int size_of(const ModelArray& array) { return static_cast<int>(array.values.size()); }

void fill(ModelMemory& memory, int first) {
  for (std::size_t i = 0; i < memory.newest.size(); ++i) {
    memory.newest[i] = first + static_cast<int>(i);
  }
}

// Returns the device if value i is valid there and the target has a device side; else the host if i
// is valid there, else the device.
Where copied_on(const ModelMemory& to, const ModelMemory& from, std::size_t i) {
  const bool at_device = from.valid[from.side(Where::device)][i];
  if (at_device && !to.lacks(to.side(Where::device))) return Where::device;
  return from.valid[0][i] ? Where::host : Where::device;
}

}  // namespace

Outcome ArrayModel::apply(const Step& step) {
  read_.clear();
  switch (step.op) {
    case Op::make:
    case Op::borrow:
    case Op::borrow_both:
      return make(step);
    case Op::alias:
    case Op::alias_strided:
    case Op::reshape:
      return arrays_[step.from()] ? derive(*arrays_[step.from()], step) : Outcome::nothing;
    case Op::move:
      if (!arrays_[step.from()] || step.slot() == step.from()) return Outcome::nothing;
      put(step.slot(), *arrays_[step.from()]);
      arrays_[step.from()] = none_of(*arrays_[step.from()]);
      return Outcome::done;
    case Op::open_scope:
      if (policies_.size() == 2 || step.policy() == Policy::none) return Outcome::nothing;
      policies_.push_back(step.policy());
      return Outcome::done;
    case Op::close_scope:
      if (policies_.empty()) return Outcome::nothing;
      policies_.pop_back();
      return Outcome::done;
    case Op::open_memory:
      if (kinds_.size() == 2) return Outcome::nothing;
      kinds_.push_back(static_cast<MemoryKind>(step.n[1]));
      return Outcome::done;
    case Op::close_memory:
      if (kinds_.empty()) return Outcome::nothing;
      kinds_.pop_back();
      return Outcome::done;
    default:
      return arrays_[step.slot()] ? apply_to(arrays_[step.slot()], step) : Outcome::nothing;
  }
}

Outcome ArrayModel::apply_to(std::optional<ModelArray>& array, const Step& step) {
  switch (step.op) {
    case Op::destroy:
      array.reset();
      return Outcome::done;
    case Op::assign: {
      auto& from = arrays_[step.from()];
      if (!from || !from->same_type(*array)) return Outcome::nothing;
      if (step.slot() == step.from()) return Outcome::done;
      const std::string name = array->name;
      array = from;
      array->name = name;
      from = none_of(*from);
      return Outcome::done;
    }
    case Op::release:
    case Op::discard:
      return drop(*array->memory, step);
    case Op::set_policy:
      array->memory->policy = step.policy();
      return Outcome::done;
    case Op::deep_copy:
      if (!arrays_[step.from()] || arrays_[step.from()]->rank != array->rank) {
        return Outcome::nothing;
      }
      return deep_copy(*array, *arrays_[step.from()]);
    case Op::resize:
      return array->rank == 2 || array->strided ? Outcome::nothing : resize(*array, step.n[1]);
    default:
      if (step.whole()) return intent(step.op, *array, step.where(), step.value());
      if (!array->contains(step.box())) return Outcome::invalid_argument;
      return intent(step.op, array->part(step.box()), step.where(), step.value());
  }
}

Outcome ArrayModel::make(const Step& step) {
  const int size = step.n[1];
  if (size < 0) return Outcome::invalid_argument;
  const MemoryKind scoped = kinds_.empty() ? MemoryKind::paired : kinds_.back();
  const MemoryKind kind = step.op != Op::make ? MemoryKind::paired
                          : step.n[2] == 5    ? scoped
                                              : static_cast<MemoryKind>(step.n[2]);
  const auto memory = std::make_shared<ModelMemory>(kind, two_sides_ || step.op == Op::borrow_both,
                                                    static_cast<std::size_t>(size));
  fill(*memory, step.value());
  if (step.op == Op::borrow) memory->lend(0, true);
  if (step.op == Op::borrow_both) {  // in the order of ValidSide: host, device, both, none
    memory->lend(0, step.n[2] == 0 || step.n[2] == 2);
    memory->lend(1, step.n[2] == 1 || step.n[2] == 2);
  }
  put(step.slot(), made(memory));
  return Outcome::done;
}

Outcome ArrayModel::derive(const ModelArray& array, const Step& step) {
  ModelArray result = array;
  if (step.op == Op::alias) {
    if (!array.contains(step.box())) return Outcome::invalid_argument;
    result = array.part(step.box());
  } else if (step.op == Op::alias_strided) {
    if (array.rank == 2) return Outcome::nothing;
    const int stride = step.n[2];
    if (stride < 1 || !array.contains(step.box())) return Outcome::invalid_argument;
    result.values.clear();
    for (int i = step.n[3]; i < step.n[4]; i += stride) {
      result.values.push_back(array.values[static_cast<std::size_t>(i)]);
    }
    result.extents = {size_of(result), 1};
    result.strided = true;
  } else {
    if (array.strided) return Outcome::nothing;
    const int p = step.n[3];
    const int q = step.n[4];
    if (p < 0 || q < 0 || p * q > size_of(array)) return Outcome::invalid_argument;
    result.values.resize(static_cast<std::size_t>(p * q));
    result.extents = {p, q};
    result.rank = 2;
  }
  put(step.slot(), std::move(result));
  return Outcome::done;
}

Outcome ArrayModel::intent(Op op, const ModelArray& array, Where where, int value) {
  ModelMemory& memory = *array.memory;
  const std::size_t s = memory.side(where);
  if (memory.lacks(s)) return Outcome::access_error;
  if (op == Op::sync) {
    memory.refresh(s, array.values);
    return Outcome::done;
  }
  if (op == Op::read && !array.all_written()) return Outcome::access_error;
  if (op == Op::read || op == Op::read_write) {
    const bool there = array.all_valid(s);
    if (policy_of(memory) == Policy::explicit_only &&
        std::any_of(array.values.begin(), array.values.end(),
                    [&](auto i) { return memory.stale(s, i); })) {
      return Outcome::access_error;
    }
    if (there) ++memory.counts.copies_avoided;
    memory.refresh(s, array.values);
  }
  memory.touch(s);
  for (std::size_t i = 0; i < array.values.size(); ++i) {
    const std::size_t at = array.values[i];
    auto& newest = memory.newest[at];
    if (op == Op::read) {
      read_.push_back(newest);
      continue;
    }
    if (op != Op::read_write) newest = value + static_cast<int>(i);
    if (op == Op::read_write && !memory.written(at)) newest.reset();
    if (op == Op::read_write && newest && i % 2 == 0) newest = *newest + value;
    memory.mark_written(s, at);
  }
  return Outcome::done;
}

Outcome ArrayModel::drop(ModelMemory& memory, const Step& step) {
  const auto s = step.where() == Where::host ? std::size_t{0} : std::size_t{1};
  if (!memory.two_sides || !memory.present[s]) return Outcome::done;
  if (memory.lent[s]) return Outcome::access_error;
  if (step.op == Op::release) {
    std::vector<std::size_t> all(memory.newest.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    const bool only_here =
        std::any_of(all.begin(), all.end(), [&](auto i) { return memory.stale(1 - s, i); });
    if (only_here && memory.lacks(1 - s)) return Outcome::access_error;
    memory.refresh(1 - s, all);
  }
  memory.valid[s].assign(memory.newest.size(), false);
  memory.present[s] = false;
  memory.counts.bytes -= memory.bytes();
  return Outcome::done;
}

Outcome ArrayModel::deep_copy(const ModelArray& to, const ModelArray& from) {
  if (to.extents != from.extents) return Outcome::invalid_argument;
  if (to.values.empty()) return Outcome::done;
  if (to.memory == from.memory) {
    if (to.values == from.values) return Outcome::done;
    for (const std::size_t i : to.values) {
      if (std::find(from.values.begin(), from.values.end(), i) != from.values.end()) {
        return Outcome::invalid_argument;
      }
    }
  }
  if (!from.all_written()) return Outcome::access_error;
  const std::size_t device = from.memory->side(Where::device);
  if (!to.strided && !from.strided) {
    for (const std::size_t i : from.values) {
      if (to.memory->lacks(to.memory->side(copied_on(*to.memory, *from.memory, i)))) {
        return Outcome::access_error;
      }
    }
    copy_values(to, from, to.values.size());
    return Outcome::done;
  }
  // On one side: a read of the source and a write of the target.
  const bool by_device =
      from.all_valid(device) && !to.memory->lacks(to.memory->side(Where::device));
  const Where where = by_device ? Where::device : Where::host;
  const std::size_t s = to.memory->side(where);
  if (to.memory->lacks(s)) return Outcome::access_error;
  const Outcome outcome = intent(Op::read, from, where, 0);
  if (outcome != Outcome::done) return outcome;
  to.memory->touch(s);
  for (std::size_t i = 0; i < to.values.size(); ++i) {
    to.memory->newest[to.values[i]] = read_[i];
    to.memory->mark_written(s, to.values[i]);
  }
  read_.clear();
  return outcome;
}

Outcome ArrayModel::resize(ModelArray& array, int size) {
  if (size < 0) return Outcome::invalid_argument;
  if (size == size_of(array)) return Outcome::done;  // memory and aliases stay
  const auto memory =
      std::make_shared<ModelMemory>(array.memory->kind, two_sides_, static_cast<std::size_t>(size));
  memory->policy = array.memory->policy;
  ModelArray resized = made(memory);
  resized.name = array.name;
  copy_values(resized, array, static_cast<std::size_t>(std::min(size, size_of(array))));
  array = resized;
  return Outcome::done;
}

// Values that were never written stay so.
void ArrayModel::copy_values(const ModelArray& to, const ModelArray& from, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t at = from.values[i];
    if (!from.memory->written(at)) continue;
    const std::size_t s = to.memory->side(copied_on(*to.memory, *from.memory, at));
    to.memory->touch(s);
    to.memory->newest[to.values[i]] = from.memory->newest[at];
    to.memory->mark_written(s, to.values[i]);
  }
}

}  // namespace kolam::testing
