// SPDX-License-Identifier: Apache-2.0
// Arrays that live on the host, on the device or on both, and are never stale where they are asked
// for (MFEM's Memory<T> with Read, Write and ReadWrite).
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <array>
#include <kolam/core/error.hpp>
#include <kolam/core/index_box.hpp>
#include <kolam/core/runtime.hpp>
#include <kolam/core/source_location.hpp>
#include <kolam/memory/detail/section.hpp>
#include <kolam/memory/detail/storage.hpp>
#include <kolam/memory/detail/user.hpp>
#include <kolam/memory/memory_kind.hpp>
#include <kolam/memory/side.hpp>
#include <kolam/memory/sync_policy.hpp>
#include <kolam/memory/transfers.hpp>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

namespace kolam {
namespace detail {
struct ArrayAccess;
}

/// Values of T under one label, in N dimensions, first index fastest. An intent names a side, or an
/// execution-space instance that works on it, and returns an ordinary Kokkos View there:
/// \code
///   kolam::Array<double> u("u", n);
///   auto x = u.write(kolam::host);         // View<double*>: I replace all values
///   auto y = u.read(exec);                 // View<const double*>: copied if stale, else free
///   auto z = u.read_write(kolam::device);  // View<double*>: I change some values
///   auto p = u.write(kolam::host, {3, 5}); // View<double*> of values 3 and 4 alone
///   kolam::Array<float, 2> a("a", {nx, ny});
///   auto b = a.read(exec);                 // View<const float**, LayoutLeft>
/// \endcode
/// A side is allocated when it is first asked for, and only what is newer on the other one is
/// copied: `read` costs a few instructions on a valid side, else a copy for each stale range, or
/// one for many of them (and some 50 ns of bookkeeping for each). Where host and device are one
/// memory, there is one side and nothing is ever copied.
///
/// A View is valid while the array lives and until the next intent on the same values that does not
/// go with it: a write anywhere, or a read elsewhere of what this View writes. Use one for its loop
/// and ask again for the next; that is what an intent is cheap for.
///
/// **Order.** An intent that names an instance waits for the work of other instances, and of the
/// host, on the same values, and for nothing else; one that names the host waits for the instances
/// that write them. Launch the work that an intent is for before the next intent on these values.
///
/// **Several devices.** The first instance that an intent names decides on which device the array is.
/// Those of another one are refused: make an array for each device, and copy with `deep_copy`.
///
/// An **alias** is an array of some values of another. They share memory, validity and counters, so
/// they always agree, and none needs to know of the others; the memory lives as long as one of
/// them:
/// \code
///   kolam::Array<double> v = u.alias({10, 20});     // v's value 0 is u's value 10
///   auto every_third = u.alias({0, n}, 3);          // values 0, 3, 6, ...
///   auto edge = a.alias({{{0, nx}, {0, 1}}});       // of a 2D array: a box
///   kolam::Array<double, 2> w = reshape(u, p, q);   // the same values by two indices
/// \endcode
/// An `Array<const T>` can only be read: an alias of a const array, or const values that were
/// borrowed. Arrays move but do not copy; `deep_copy` does. Many threads may use aliases of one
/// array, and one array through const members. Intents throw AccessError on a read of values never
/// written, a stale side under `explicit_only`, a side that the MemoryKind lacks, or an instance of
/// another device; OutOfMemory;
/// InvalidArgument on a range that is not within the array; BudgetExceeded; and NotRunning. The
/// array stays usable.
template <class T, int N = 1, class Layout = Kokkos::LayoutLeft>
class Array {
  static_assert(std::is_trivially_copyable_v<T>,
                "an Array holds plain values: they are copied between memories as bytes");
  static_assert(N >= 1 && N <= 8, "an Array has 1 to 8 dimensions");
  static_assert(std::is_same_v<Layout, Kokkos::LayoutLeft> ||
                    std::is_same_v<Layout, Kokkos::LayoutStride>,
                "an Array's first index is the fastest; aliases may be strided");

  using Section = detail::Section<N, Layout>;
  using SubLayout = std::conditional_t<N == 1, Layout, Kokkos::LayoutStride>;
  using Intent = detail::Intent;
  static constexpr bool strided = Section::strided;
  static constexpr bool writable = !std::is_const_v<T>;

 public:
  using value_type = std::remove_const_t<T>;  ///< of the values
  using Extents = typename Section::Extents;  ///< index_t for each dimension, fastest first
  /// A range in each dimension; in one dimension a Range.
  using Box = std::conditional_t<N == 1, Range, std::array<Range, static_cast<std::size_t>(N)>>;
  /// An alias of a box: with strides, if there is more than one dimension.
  using SubArray = Array<T, N, SubLayout>;
  /// The same of an array that can only be read.
  using ConstSubArray = Array<const T, N, SubLayout>;

  ///@{
  /// The Kokkos View that an intent on `Where`, a side or an execution space, returns; Sub: of a
  /// box.
  template <class Where>
  using ReadView = typename Section::template View<const T, typename Where::memory_space>;
  template <class Where>
  using WriteView = typename Section::template View<T, typename Where::memory_space>;
  template <class Where>
  using SubReadView = typename SubArray::template ReadView<Where>;
  template <class Where>
  using SubWriteView = typename SubArray::template WriteView<Where>;
  ///@}

  /// An array of no values.
  Array() = default;

  /// Takes no memory yet. Throws InvalidArgument if an extent is negative or the bytes pass
  /// 2^63 - 1.
  Array(const std::string& label, const Extents& extents, MemoryKind kind = default_memory_kind())
    requires(!strided && writable)
      : section_{0, extents, {}},
        storage_(std::make_shared<detail::Storage>(label, bytes_of(label, extents),
                                                   detail::value_type_of<T>, kind)) {}
  /// Of one dimension.
  Array(const std::string& label, index_t size, MemoryKind kind = default_memory_kind())
    requires(!strided && N == 1 && writable)
      : Array(label, Extents{size}, kind) {}

  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;
  ~Array() = default;
  /// Moving keeps pointers; the source becomes an array of no values.
  Array(Array&& other) noexcept
      : section_(std::exchange(other.section_, {})),
        use_device_(other.use_device_),
        storage_(std::move(other.storage_)) {}
  /// Likewise. What this one was lives on in its aliases alone.
  Array& operator=(Array&& other) noexcept {
    section_ = std::exchange(other.section_, {});
    use_device_ = other.use_device_;
    detail::ends(storage_, "replaced by another", {});
    storage_ = std::move(other.storage_);
    return *this;
  }

  /// An array of these values of this one, in constant time. Throws InvalidArgument if the box is
  /// not within this array.
  SubArray alias(const Box& box) { return SubArray(storage_of(), part(box), use_device_); }
  /// The same of an array that can only be read: so can its aliases.
  ConstSubArray alias(const Box& box) const {
    return ConstSubArray(storage_of(), part(box), use_device_);
  }
  /// Every `stride`-th value of the range, from its first on. Throws InvalidArgument also if stride
  /// is less than 1.
  Array<T, 1, Kokkos::LayoutStride> alias(Range range, index_t stride)
    requires(N == 1)
  {
    return {storage_of(), every(range, stride), use_device_};
  }
  /// The same of an array that can only be read.
  Array<const T, 1, Kokkos::LayoutStride> alias(Range range, index_t stride) const
    requires(N == 1)
  {
    return {storage_of(), every(range, stride), use_device_};
  }

  /// Values: the product of the extents.
  index_t size() const { return section_.size(); }
  /// Of a dimension, from 0 (the fastest) to N - 1; not checked.
  index_t extent(int dimension) const {
    return section_.extents[static_cast<std::size_t>(dimension)];
  }
  /// The label, which aliases share.
  const std::string& label() const { return storage().label(); }
  /// As it was made; `paired` where the memory was lent.
  MemoryKind memory_kind() const { return storage().kind(); }
  /// What this array and its aliases have moved and allocated so far.
  Transfers transfers() const { return storage().transfers(); }

  /// Whether a read intent on this side would copy nothing.
  template <detail::NamesSide Where>
  bool valid(const Where&) const {
    return storage().valid(detail::side_of<Where>, section_.bytes(sizeof(T)));
  }
  /// The same of a box.
  template <detail::NamesSide Where>
  bool valid(const Where&, const Box& box) const {
    return storage().valid(detail::side_of<Where>, part(box).bytes(sizeof(T)));
  }

  /// The newest values, to read.
  template <detail::NamesSide Where>
  ReadView<Where> read(const Where& where,
                       SourceLocation place = SourceLocation::current()) const& {
    return get<const T>(Intent::read, where, section_, place);
  }
  /// The same of a box.
  template <detail::NamesSide Where>
  SubReadView<Where> read(const Where& where, const Box& box,
                          SourceLocation place = SourceLocation::current()) const& {
    return get<const T>(Intent::read, where, part(box), place);
  }
  /// Memory to fill: old values are lost on both sides.
  template <detail::NamesSide Where>
    requires writable
  WriteView<Where> write(const Where& where, SourceLocation place = SourceLocation::current()) & {
    return get<T>(Intent::write, where, section_, place);
  }
  /// The same of a box.
  template <detail::NamesSide Where>
    requires writable
  SubWriteView<Where> write(const Where& where, const Box& box,
                            SourceLocation place = SourceLocation::current()) & {
    return get<T>(Intent::write, where, part(box), place);
  }
  /// The newest values, to read and change. Those never written are garbage.
  template <detail::NamesSide Where>
    requires writable
  WriteView<Where> read_write(const Where& where,
                              SourceLocation place = SourceLocation::current()) & {
    return get<T>(Intent::read_write, where, section_, place);
  }
  /// The same of a box.
  template <detail::NamesSide Where>
    requires writable
  SubWriteView<Where> read_write(const Where& where, const Box& box,
                                 SourceLocation place = SourceLocation::current()) & {
    return get<T>(Intent::read_write, where, part(box), place);
  }

  // Intents that name no side: the array decides.

  /// Whether intents without a side are for the device (at first they are) or for the host. Aliases
  /// begin with the choice of their array.
  void use_device(bool on) { use_device_ = on; }
  /// What was chosen.
  bool use_device() const { return use_device_; }
  ///@{
  /// Intents of all values on the side that was chosen, and the unmanaged Views that they return.
  using AnyReadView = typename Section::template View<const T, Kokkos::AnonymousSpace,
                                                      Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  using AnyWriteView = typename Section::template View<T, Kokkos::AnonymousSpace,
                                                       Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  AnyReadView read(SourceLocation place = SourceLocation::current()) const& {
    return get_any<const T>(Intent::read, place);
  }
  AnyWriteView write(SourceLocation place = SourceLocation::current()) &
    requires writable
  {
    return get_any<T>(Intent::write, place);
  }
  AnyWriteView read_write(SourceLocation place = SourceLocation::current()) &
    requires writable
  {
    return get_any<T>(Intent::read_write, place);
  }
  ///@}

  ///@{
  /// Not of a temporary, whose values may be gone when the View is used: give the array, or the
  /// alias, a name.
  template <detail::NamesSide Where>
  void read(const Where&, SourceLocation = SourceLocation::current()) const&& = delete;
  template <detail::NamesSide Where>
  void read(const Where&, const Box&, SourceLocation = SourceLocation::current()) const&& = delete;
  void read(SourceLocation = SourceLocation::current()) const&& = delete;
  template <class... Any>
  void write(const Any&...) && = delete;
  template <class... Any>
  void read_write(const Any&...) && = delete;
  template <class... Any>
  void mirror(const Any&...) && = delete;
  ///@}

  // Transfers by hand.

  /// The policy of this array and its aliases; none: that of the SyncScope.
  void set_policy(const std::optional<SyncPolicy>& policy) { storage().set_policy(policy); }
  /// The policy that intents of this thread follow: its own, else that of the SyncScope.
  SyncPolicy policy() const { return storage().policy(); }
  /// Copies what is stale on this side, under any policy: a host side is ready when the call
  /// returns, unless the policy is `prefetch`; a device side is for the work that follows on it.
  /// Values never written are left out.
  template <detail::NamesSide Where>
  void sync(const Where& where, SourceLocation place = SourceLocation::current()) const {
    with_access(where, section_, place, [&](const auto& access) { storage().sync(access); });
  }
  /// The same of a box.
  template <detail::NamesSide Where>
  void sync(const Where& where, const Box& box,
            SourceLocation place = SourceLocation::current()) const {
    with_access(where, part(box), place, [&](const auto& access) { storage().sync(access); });
  }
  /// This side's memory as it is, to read and write by hand: waits for work that is under way on
  /// it, but copies nothing, keeps no books and checks nothing. Say `modified` of what was written
  /// through it, and `sync` before it is read.
  template <detail::NamesSide Where>
    requires writable
  WriteView<Where> mirror(const Where&) & {
    return section_.template view<T, typename Where::memory_space>(
        storage().mirror(detail::side_of<Where>));
  }
  /// Says that all values were written on this side by hand: the other one is stale from now on.
  template <detail::NamesSide Where>
  void modified(const Where& where, SourceLocation place = SourceLocation::current())
    requires writable
  {
    with_access(where, section_, place, [&](const auto& access) { storage().modified(access); });
  }
  /// The same of a box.
  template <detail::NamesSide Where>
  void modified(const Where& where, const Box& box,
                SourceLocation place = SourceLocation::current())
    requires writable
  {
    with_access(where, part(box), place, [&](const auto& access) { storage().modified(access); });
  }
  ///@{
  /// Gives the memory of a side back, of this array and all its aliases. Values that only this side
  /// has are copied to the other one first (`release`), or lost (`discard`). Nothing where there is
  /// one side. Throws AccessError if the memory was lent, or if the other side cannot take them.
  template <detail::NamesSide Where>
  void release(const Where&, SourceLocation place = SourceLocation::current())
    requires writable
  {
    storage().drop(detail::side_of<Where>, true, place);
  }
  template <detail::NamesSide Where>
  void discard(const Where&, SourceLocation place = SourceLocation::current())
    requires writable
  {
    storage().drop(detail::side_of<Where>, false, place);
  }
  ///@}

 private:
  template <class U, int M, class L>
  friend class Array;
  friend struct detail::ArrayAccess;

  Array(std::shared_ptr<detail::Storage> storage, const Section& section, bool use_device)
      : section_(section), use_device_(use_device), storage_(std::move(storage)) {}

  static std::size_t bytes_of(const std::string& label, const Extents& extents) {
    const std::string what = "bytes of array '" + label + "'";
    auto bytes = static_cast<index_t>(sizeof(T));
    for (const index_t extent : extents) bytes = checked_product(what, {extent, bytes});
    return static_cast<std::size_t>(bytes);
  }

  detail::Section<N, SubLayout> part(const Box& box) const {
    detail::Section<N, SubLayout> result{section_.begin, {}, {}};
    for (std::size_t d = 0; d < N; ++d) {
      Range range;
      if constexpr (N == 1) {
        range = box;
      } else {
        range = box[d];
      }
      if (range.begin < 0 || range.end < range.begin || range.end > section_.extents[d]) {
        throw InvalidArgument(
            "array '" + label() + "': the range [" + std::to_string(range.begin) + ", " +
            std::to_string(range.end) + ")" + (N > 1 ? " of dimension " + std::to_string(d) : "") +
            " is not within its " + std::to_string(section_.extents[d]) + " values");
      }
      result.begin += range.begin * section_.stride(d);
      result.extents[d] = range.end - range.begin;
      if constexpr (detail::Section<N, SubLayout>::strided) {
        result.strides[d] = section_.stride(d);
      }
    }
    return result;
  }

  detail::Section<1, Kokkos::LayoutStride> every(const Range& range, index_t stride) const {
    if (stride < 1) {
      throw InvalidArgument("array '" + label() + "': a stride of " + std::to_string(stride) +
                            "; it must be 1 or more");
    }
    const auto all = part(range);
    stride = std::min(stride, std::max(all.extents[0], index_t{1}));  // none beyond the first value
    return {all.begin, {(all.extents[0] + stride - 1) / stride}, {all.stride(0) * stride}};
  }

  template <class Value, class Where, class Part>
  [[gnu::always_inline]] auto get(Intent intent, const Where& where, const Part& part,
                                  SourceLocation place) const {
    constexpr detail::Side side = detail::side_of<Where>;
    detail::Storage& storage = this->storage();
    void* const memory = storage.finds(side, intent, detail::user_key(where))
                             ? storage.memory(side)
                             : get_part(intent, where, part, place);
    return part.template view<Value, typename Where::memory_space>(memory);
  }

  template <class Where, class Part>
  [[gnu::noinline]] void* get_part(Intent intent, const Where& where, const Part& part,
                                   SourceLocation place) const {
    constexpr detail::Side side = detail::side_of<Where>;
    detail::Storage& storage = this->storage();
    if (storage.finds(side, intent, detail::user_key(where), part.hull(sizeof(T)))) {
      return storage.memory(side);
    }
    void* memory = nullptr;
    with_access(where, part, place,
                [&](const auto& access) { memory = storage.access(intent, access); });
    return memory;
  }

  template <class Value>
  auto get_any(Intent intent, SourceLocation place) const {
    Value* const values = use_device_ ? get<Value>(intent, device, section_, place).data()
                                      : get<Value>(intent, host, section_, place).data();
    return section_
        .template view_at<Value, Kokkos::AnonymousSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(
            values);
  }

  // The long way of an intent: apart, for the short one is put where it is called.
  template <class Where, class Part, class F>
  [[gnu::noinline]] void with_access(const Where& where, const Part& part, SourceLocation place,
                                     F f) const {
    storage().require_running();
    const auto bytes = part.bytes(sizeof(T));
    const std::optional<AnyInstance> user = detail::user_of(where);
    f(detail::Access{detail::side_of<Where>, bytes, user ? &*user : nullptr, place});
  }

  detail::Storage& storage() const { return *storage_of(); }
  const std::shared_ptr<detail::Storage>& storage_of() const {
    if (!storage_) make_storage();  // made by default, or moved from
    return storage_;
  }
  [[gnu::noinline]] void make_storage() const {
    storage_ =
        std::make_shared<detail::Storage>("", 0, detail::value_type_of<T>, MemoryKind::paired);
  }

  Section section_;
  bool use_device_ = true;
  mutable std::shared_ptr<detail::Storage> storage_;
};

namespace detail {

// What the free functions on arrays see of them.
struct ArrayAccess {
  template <class T, int N, class Layout>
  static const std::shared_ptr<Storage>& storage(const Array<T, N, Layout>& array) {
    return array.storage_of();
  }
  template <class T, int N, class Layout>
  static const Section<N, Layout>& section(const Array<T, N, Layout>& array) {
    return array.section_;
  }
  template <class T, int N>
  static Array<T, N> make(std::shared_ptr<Storage> storage, const Section<N, Kokkos::LayoutLeft>& s,
                          bool use_device = true) {
    return Array<T, N>(std::move(storage), s, use_device);
  }
};

}  // namespace detail

namespace detail {

template <class To, class T, int N, class... Extents>
auto reshape_array(const Array<T, N>& array, Extents... extents) {
  constexpr int rank = sizeof...(Extents);
  const std::string what = "reshape of array '" + array.label() + "'";
  const index_t size = checked_product(what, {static_cast<index_t>(extents)...});
  if (size > array.size()) {
    throw InvalidArgument(what + ": the extents ask for " + std::to_string(size) +
                          " values, but there are " + std::to_string(array.size()) +
                          "; use smaller extents");
  }
  return ArrayAccess::make<To, rank>(
      ArrayAccess::storage(array),
      {ArrayAccess::section(array).begin, {static_cast<index_t>(extents)...}, {}},
      array.use_device());
}

}  // namespace detail

///@{
/// An alias of the values of `array` by other indices, first index fastest; one that can only be
/// read, if `array` is const. Throws InvalidArgument, naming label and sizes, if the extents ask
/// for more values than there are.
template <class T, int N, class... Extents>
auto reshape(Array<T, N>& array, Extents... extents) {
  return detail::reshape_array<T>(array, extents...);
}
template <class T, int N, class... Extents>
auto reshape(const Array<T, N>& array, Extents... extents) {
  return detail::reshape_array<const T>(array, extents...);
}
///@}

}  // namespace kolam
