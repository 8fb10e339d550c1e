// SPDX-License-Identifier: Apache-2.0
// Arrays that live on the host, on the device or on both, and are up to date on the side that an
// access names (MFEM's Memory<T> with Read, Write and ReadWrite).
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

/// An N-dimensional array of T with a label, first index fastest. An intent names a side, or an
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
/// A side is allocated by its first intent, and only values that are newer on the other side are
/// copied: `read` costs a few instructions on a valid side, else one copy per stale range, or one
/// for many ranges (and some 50 ns of bookkeeping per range). If host and device are one memory,
/// there is one side and nothing is ever copied.
///
/// A View is valid while the array lives and until a conflicting intent on the same values: a write
/// on either side, or a read on the other side of values that this View writes. Take a View for one
/// loop and a new one for the next; intents are cheap.
///
/// **Order.** An intent waits for work of other instances on the same values, and for nothing else:
/// a read waits for their writes, a write also for their reads. (Work on the host is synchronous.)
/// Launch the work of an intent before the next intent on the same values.
///
/// **Several devices.** The first instance that an intent names determines the array's device.
/// Instances of other devices are refused: make an array per device, and copy with `deep_copy`.
///
/// An **alias** is an array of some of the values of another array. Both share memory, validity and
/// counters, so they always agree; the memory lives as long as one of them does:
/// \code
///   kolam::Array<double> v = u.alias({10, 20});     // v's value 0 is u's value 10
///   auto every_third = u.alias({0, n}, 3);          // values 0, 3, 6, ...
///   auto edge = a.alias({{{0, nx}, {0, 1}}});       // of a 2D array: a box
///   kolam::Array<double, 2> w = reshape(u, p, q);   // the same values by two indices
/// \endcode
/// An `Array<const T>` is read-only: an alias of a const array, or borrowed const values. Arrays
/// can be moved but not copied; use `deep_copy`. Several threads may use aliases of one array, and
/// const members of one array.
///
/// Intents throw AccessError for a read of values never written, a stale side under
/// `explicit_only`, a side that the MemoryKind lacks, or an instance of another device;
/// InvalidArgument for a range that is not within the array; and OutOfMemory, BudgetExceeded or
/// NotRunning. The array stays usable.
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
  using value_type = std::remove_const_t<T>;  ///< T without const
  using Extents = typename Section::Extents;  ///< an index_t per dimension, fastest first
  /// A range in each dimension; in one dimension a Range.
  using Box = std::conditional_t<N == 1, Range, std::array<Range, static_cast<std::size_t>(N)>>;
  /// The type of an alias of a box: strided if there is more than one dimension.
  using SubArray = Array<T, N, SubLayout>;
  /// The type of a read-only alias of a box.
  using ConstSubArray = Array<const T, N, SubLayout>;

  ///@{
  /// The Kokkos View that an intent on `Where` (a side or an execution space) returns; Sub: for a
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

  /// Creates an array without values.
  Array() = default;

  /// Creates an array without allocating memory yet. Throws InvalidArgument if an extent is
  /// negative or the size exceeds 2^63 - 1 bytes.
  Array(const std::string& label, const Extents& extents, MemoryKind kind = default_memory_kind())
    requires(!strided && writable)
      : section_{0, extents, {}},
        storage_(std::make_shared<detail::Storage>(label, bytes_of(label, extents),
                                                   detail::value_type_of<T>, kind)) {}
  /// Creates a one-dimensional array likewise.
  Array(const std::string& label, index_t size, MemoryKind kind = default_memory_kind())
    requires(!strided && N == 1 && writable)
      : Array(label, Extents{size}, kind) {}

  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;
  ~Array() = default;
  /// Moves the array and keeps pointers; the source becomes an array without values.
  Array(Array&& other) noexcept
      : section_(std::exchange(other.section_, {})),
        use_device_(other.use_device_),
        storage_(std::move(other.storage_)) {}
  /// Moves likewise. The previous values of this array remain only in its aliases.
  Array& operator=(Array&& other) noexcept {
    section_ = std::exchange(other.section_, {});
    use_device_ = other.use_device_;
    detail::ends(storage_, "replaced by another", {});
    storage_ = std::move(other.storage_);
    return *this;
  }

  /// Returns an alias of the values of a box, in constant time. Throws InvalidArgument if the box
  /// is not within this array.
  SubArray alias(const Box& box) { return SubArray(storage_of(), part(box), use_device_); }
  /// Returns a read-only alias of a box likewise.
  ConstSubArray alias(const Box& box) const {
    return ConstSubArray(storage_of(), part(box), use_device_);
  }
  /// Returns an alias of every `stride`-th value of a range, from its first on. Throws
  /// InvalidArgument if the range is not within this array or `stride` is less than 1.
  Array<T, 1, Kokkos::LayoutStride> alias(Range range, index_t stride)
    requires(N == 1)
  {
    return {storage_of(), every(range, stride), use_device_};
  }
  /// Returns a read-only alias of every `stride`-th value likewise.
  Array<const T, 1, Kokkos::LayoutStride> alias(Range range, index_t stride) const
    requires(N == 1)
  {
    return {storage_of(), every(range, stride), use_device_};
  }

  /// Returns the number of values: the product of the extents.
  index_t size() const { return section_.size(); }
  /// Returns the extent of a dimension, from 0 (the fastest) to N - 1; not checked.
  index_t extent(int dimension) const {
    return section_.extents[static_cast<std::size_t>(dimension)];
  }
  /// Returns the label, which aliases share.
  const std::string& label() const { return storage().label(); }
  /// Returns the kind given at creation; `paired` if the array borrows, adopts or shares memory.
  MemoryKind memory_kind() const { return storage().kind(); }
  /// Returns the copies and allocations of this array and its aliases so far.
  Transfers transfers() const { return storage().transfers(); }

  /// Returns whether a read intent on this side would copy nothing.
  template <detail::NamesSide Where>
  bool valid(const Where&) const {
    return storage().valid(detail::side_of<Where>, section_.bytes(sizeof(T)));
  }
  /// The same for a box.
  template <detail::NamesSide Where>
  bool valid(const Where&, const Box& box) const {
    return storage().valid(detail::side_of<Where>, part(box).bytes(sizeof(T)));
  }

  /// Returns a View to read the newest values.
  template <detail::NamesSide Where>
  ReadView<Where> read(const Where& where,
                       SourceLocation place = SourceLocation::current()) const& {
    return get<const T>(Intent::read, where, section_, place);
  }
  /// The same for a box.
  template <detail::NamesSide Where>
  SubReadView<Where> read(const Where& where, const Box& box,
                          SourceLocation place = SourceLocation::current()) const& {
    return get<const T>(Intent::read, where, part(box), place);
  }
  /// Returns a View to write all values: old values are lost on both sides.
  template <detail::NamesSide Where>
    requires writable
  WriteView<Where> write(const Where& where, SourceLocation place = SourceLocation::current()) & {
    return get<T>(Intent::write, where, section_, place);
  }
  /// The same for a box.
  template <detail::NamesSide Where>
    requires writable
  SubWriteView<Where> write(const Where& where, const Box& box,
                            SourceLocation place = SourceLocation::current()) & {
    return get<T>(Intent::write, where, part(box), place);
  }
  /// Returns a View to read and change the newest values. Values never written are garbage.
  template <detail::NamesSide Where>
    requires writable
  WriteView<Where> read_write(const Where& where,
                              SourceLocation place = SourceLocation::current()) & {
    return get<T>(Intent::read_write, where, section_, place);
  }
  /// The same for a box.
  template <detail::NamesSide Where>
    requires writable
  SubWriteView<Where> read_write(const Where& where, const Box& box,
                                 SourceLocation place = SourceLocation::current()) & {
    return get<T>(Intent::read_write, where, part(box), place);
  }

  // Intents without a side, which use the selected side.

  /// Selects the device (initially selected) or the host for intents without a side. Aliases begin
  /// with the selection of their array.
  void use_device(bool on) { use_device_ = on; }
  /// Returns whether the device is selected.
  bool use_device() const { return use_device_; }
  ///@{
  /// Intents on all values on the selected side, and the unmanaged Views that they return.
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
  /// Deleted for temporaries, whose values may be gone when the View is used: give the array, or
  /// the alias, a name.
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

  // Manual transfers.

  /// Sets the policy of this array and its aliases; std::nullopt: the policy of the SyncScope.
  void set_policy(const std::optional<SyncPolicy>& policy) { storage().set_policy(policy); }
  /// Returns the policy of intents of this thread: the array's own, else that of the SyncScope.
  SyncPolicy policy() const { return storage().policy(); }
  /// Updates the stale values of this side, under any policy. A host side is ready when the call
  /// returns, unless the policy is `prefetch`; a device side is ready for the work that follows on
  /// it. Values never written are skipped.
  template <detail::NamesSide Where>
  void sync(const Where& where, SourceLocation place = SourceLocation::current()) const {
    with_access(where, section_, place, [&](const auto& access) { storage().sync(access); });
  }
  /// The same for a box.
  template <detail::NamesSide Where>
  void sync(const Where& where, const Box& box,
            SourceLocation place = SourceLocation::current()) const {
    with_access(where, part(box), place, [&](const auto& access) { storage().sync(access); });
  }
  /// Returns a View of this side's memory as it is, for manual transfers. Waits for pending work on
  /// it, but copies, records and checks nothing. Call `sync` before reading through the
  /// View, and `modified` after writing.
  template <detail::NamesSide Where>
    requires writable
  WriteView<Where> mirror(const Where&) & {
    return section_.template view<T, typename Where::memory_space>(
        storage().mirror(detail::side_of<Where>));
  }
  /// Declares that all values were written through the mirror: the other side is now stale.
  template <detail::NamesSide Where>
  void modified(const Where& where, SourceLocation place = SourceLocation::current())
    requires writable
  {
    with_access(where, section_, place, [&](const auto& access) { storage().modified(access); });
  }
  /// The same for a box.
  template <detail::NamesSide Where>
  void modified(const Where& where, const Box& box,
                SourceLocation place = SourceLocation::current())
    requires writable
  {
    with_access(where, part(box), place, [&](const auto& access) { storage().modified(access); });
  }
  ///@{
  /// Frees the memory of a side, for this array and all its aliases. Values that only this side has
  /// are first copied to the other side (`release`), or lost (`discard`). Does nothing if there is
  /// one side. Throws AccessError if the memory is borrowed, adopted or shared, or if the other
  /// side cannot take the values.
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
    stride = std::min(stride, std::max(all.extents[0], index_t{1}));  // larger ones select the same
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

  // The slow path of an intent; not inlined, because the fast path is.
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
    if (!storage_) make_storage();  // default-constructed or moved from
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

// Access of free functions to the internals of arrays.
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
/// Returns an alias of the values of `array` with other extents, first index fastest; read-only if
/// `array` is const. Throws InvalidArgument, naming label and sizes, if the extents ask for more
/// values than there are.
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
