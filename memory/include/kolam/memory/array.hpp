// SPDX-License-Identifier: Apache-2.0
// Arrays that live on the host, on the device or on both, and are never stale where they are asked
// for (MFEM's Memory<T> with Read, Write and ReadWrite).
#pragma once

#include <Kokkos_Core.hpp>
#include <kolam/core/error.hpp>
#include <kolam/core/index.hpp>
#include <kolam/core/reshape.hpp>
#include <kolam/memory/detail/storage.hpp>
#include <kolam/memory/side.hpp>
#include <kolam/memory/transfers.hpp>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

namespace kolam {

/// Values [begin, end) of an array.
struct Range {
  index_t begin;
  index_t end;
};

/// `size` values of T under one label. An intent names a side, or an execution-space instance that
/// works on it, and returns an ordinary Kokkos View there:
/// \code
///   kolam::Array<double> u("u", n);
///   auto x = u.write(kolam::host);        // View<double*>: I replace all values
///   auto y = u.read(exec);                // View<const double*>: copied if stale, else free
///   auto z = u.read_write(kolam::device); // View<double*>: I change some values
///   auto p = u.write(kolam::host, {3, 5}); // View<double*> of values 3 and 4 alone
/// \endcode
/// A side is allocated when it is first asked for, and only what is newer on the other one is
/// copied: `read` costs a few instructions on a valid side, else a copy for each stale range. A
/// View is valid while the array lives and until a `write` or `read_write` of the same values names
/// the other side. Where host and device are one memory, there is one side and nothing is ever
/// copied.
///
/// An **alias** is an array of some values of another. They share memory, validity and counters, so
/// they always agree, and none needs to know of the others; the memory lives as long as one of
/// them:
///
/// \code
///   kolam::Array<double> v = u.alias({10, 20});  // v's value 0 is u's value 10
/// \endcode
/// Arrays move but do not copy. Intents throw AccessError on a read of values never written,
/// OutOfMemory (the array stays usable), InvalidArgument on a range that is not within the array,
/// and NotRunning.
template <class T>
class Array {
  static_assert(std::is_trivially_copyable_v<T> && !std::is_const_v<T>,
                "an Array holds plain values: they are copied between memories as bytes");

 public:
  using value_type = T;

  /// An array of no values.
  Array() : Array("", 0) {}

  /// Takes no memory yet. Throws InvalidArgument if size < 0 or size * sizeof(T) passes 2^63 - 1.
  Array(const std::string& label, index_t size)
      : size_(size), storage_(std::make_shared<detail::Storage>(label, bytes_of(label, size))) {}

  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;
  ~Array() = default;
  /// Moving keeps pointers; the source becomes an array of no values.
  Array(Array&& other) noexcept
      : begin_(std::exchange(other.begin_, 0)),
        size_(std::exchange(other.size_, 0)),
        storage_(std::move(other.storage_)) {}
  Array& operator=(Array&& other) noexcept {
    begin_ = std::exchange(other.begin_, 0);
    size_ = std::exchange(other.size_, 0);
    storage_ = std::move(other.storage_);
    return *this;
  }

  /// An array of these values of this one, in constant time. Throws InvalidArgument if the range is
  /// not within this array.
  [[nodiscard]] Array alias(Range range) {
    static_cast<void>(bytes(range));
    return Array(storage_, begin_ + range.begin, range.end - range.begin);
  }

  [[nodiscard]] index_t size() const { return size_; }
  [[nodiscard]] const std::string& label() const { return storage().label(); }
  /// What this array and its aliases have moved and allocated so far.
  [[nodiscard]] const Transfers& transfers() const { return storage().transfers(); }
  /// Whether a read intent on this side would copy nothing.
  template <detail::NamesSide Where>
  [[nodiscard]] bool valid(const Where&) const {
    return storage().valid(detail::side_of<Where>, bytes());
  }
  template <detail::NamesSide Where>
  [[nodiscard]] bool valid(const Where&, Range range) const {
    return storage().valid(detail::side_of<Where>, bytes(range));
  }

  template <class Where>
  using ReadView = Kokkos::View<const T*, typename Where::memory_space>;
  template <class Where>
  using WriteView = Kokkos::View<T*, typename Where::memory_space>;

  /// The newest values, to read.
  template <detail::NamesSide Where>
  [[nodiscard]] ReadView<Where> read(const Where&) const {
    return view<ReadView<Where>>(storage().read(detail::side_of<Where>, bytes()), all());
  }
  template <detail::NamesSide Where>
  [[nodiscard]] ReadView<Where> read(const Where&, Range range) const {
    return view<ReadView<Where>>(storage().read(detail::side_of<Where>, bytes(range)), range);
  }
  /// Memory to fill: old values are lost on both sides.
  template <detail::NamesSide Where>
  [[nodiscard]] WriteView<Where> write(const Where&) {
    return view<WriteView<Where>>(storage().write(detail::side_of<Where>, bytes()), all());
  }
  template <detail::NamesSide Where>
  [[nodiscard]] WriteView<Where> write(const Where&, Range range) {
    return view<WriteView<Where>>(storage().write(detail::side_of<Where>, bytes(range)), range);
  }
  /// The newest values, to read and change. Those never written are garbage.
  template <detail::NamesSide Where>
  [[nodiscard]] WriteView<Where> read_write(const Where&) {
    return view<WriteView<Where>>(storage().read_write(detail::side_of<Where>, bytes()), all());
  }
  template <detail::NamesSide Where>
  [[nodiscard]] WriteView<Where> read_write(const Where&, Range range) {
    return view<WriteView<Where>>(storage().read_write(detail::side_of<Where>, bytes(range)),
                                  range);
  }

 private:
  template <class U, detail::NamesSide Where>
  friend Array<U> borrow(const std::string&, const Where&, U*, index_t);
  template <class U, class... Properties>
  friend Array<U> share(const Kokkos::View<U*, Properties...>&);

  Array(std::shared_ptr<detail::Storage> storage, index_t begin, index_t size)
      : begin_(begin), size_(size), storage_(std::move(storage)) {}

  static std::size_t bytes_of(const std::string& label, index_t size) {
    return static_cast<std::size_t>(
        checked_product("bytes of array '" + label + "'", {size, static_cast<index_t>(sizeof(T))}));
  }

  [[nodiscard]] Range all() const { return {0, size_}; }

  [[nodiscard]] detail::ByteRange bytes(Range range) const {
    if (range.begin < 0 || range.end < range.begin || range.end > size_) {
      throw InvalidArgument("array '" + label() + "': the range [" + std::to_string(range.begin) +
                            ", " + std::to_string(range.end) + ") is not within its " +
                            std::to_string(size_) + " values");
    }
    return unchecked_bytes(range);
  }
  [[nodiscard]] detail::ByteRange bytes() const { return unchecked_bytes(all()); }
  [[nodiscard]] detail::ByteRange unchecked_bytes(Range range) const {
    return {static_cast<std::size_t>(begin_ + range.begin) * sizeof(T),
            static_cast<std::size_t>(begin_ + range.end) * sizeof(T)};
  }

  // The values `range` of memory that starts at `memory`; none of memory that is not there.
  template <class View, class Memory>
  View view(Memory* memory, Range range) const {
    auto* const values = static_cast<typename View::pointer_type>(memory);
    return View(values == nullptr ? values : values + begin_ + range.begin,
                static_cast<std::size_t>(range.end - range.begin));
  }

  [[nodiscard]] detail::Storage& storage() const {
    if (!storage_) storage_ = std::make_shared<detail::Storage>("", 0);  // after a move
    return *storage_;
  }

  index_t begin_ = 0;  // of an alias, in the memory that it shares
  index_t size_;
  mutable std::shared_ptr<detail::Storage> storage_;
};

/// An array of the `size` values at `values`, which are where `Where` works, stay the caller's and
/// outlive the array. What is written on the other side reaches them by the next `read` of this
/// side and not before: take one before the array goes. Throws InvalidArgument if size < 0, or if
/// it is not 0 and `values` is null.
template <class T, detail::NamesSide Where>
[[nodiscard]] Array<T> borrow(const std::string& label, const Where&, T* values, index_t size) {
  if (values == nullptr && size > 0) {
    throw InvalidArgument("array '" + label + "' borrows " + std::to_string(size) +
                          " values at a null pointer");
  }
  return Array<T>(std::make_shared<detail::Storage>(label, Array<T>::bytes_of(label, size),
                                                    detail::side_of<Where>, values, nullptr),
                  0, size);
}
template <class T>
[[nodiscard]] Array<T> borrow(const std::string& label, std::span<T> values) {
  return borrow(label, host, values.data(), static_cast<index_t>(values.size()));
}

/// An array of the values of a View, whose label it takes and whose memory it keeps alive. Throws
/// InvalidArgument if the values are not adjacent.
template <class T, class... Properties>
[[nodiscard]] Array<T> share(const Kokkos::View<T*, Properties...>& view) {
  using View = Kokkos::View<T*, Properties...>;
  detail::require_adjacent("array '" + view.label() + "'", view);
  using Exec = typename View::execution_space;
  const auto size = static_cast<index_t>(view.extent(0));
  static_assert(std::is_same_v<typename Exec::memory_space, typename View::memory_space>,
                "an array's sides are the host's memory and the default device's");
  return Array<T>(std::make_shared<detail::Storage>(
                      view.label(), Array<T>::bytes_of(view.label(), size), detail::side_of<Exec>,
                      view.data(), std::make_shared<View>(view)),
                  0, size);
}

}  // namespace kolam
