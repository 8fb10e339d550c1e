// SPDX-License-Identifier: Apache-2.0
// Arrays that live on the host, on the device or on both, and are never stale where they are asked
// for (MFEM's Memory<T> with Read, Write and ReadWrite).
#pragma once

#include <Kokkos_Core.hpp>
#include <kolam/core/error.hpp>
#include <kolam/core/index.hpp>
#include <kolam/memory/detail/storage.hpp>
#include <kolam/memory/side.hpp>
#include <kolam/memory/transfers.hpp>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

namespace kolam {

/// `size` values of T under one label. An intent names a side, or an execution-space instance that
/// works on it, and returns an ordinary Kokkos View there:
/// \code
///   kolam::Array<double> u("u", n);
///   auto x = u.write(kolam::host);        // View<double*>: I replace all values
///   auto y = u.read(exec);                // View<const double*>: copied if stale, else free
///   auto z = u.read_write(kolam::device); // View<double*>: I change some values
/// \endcode
/// A side is allocated when it is first asked for, and copied to only if the other one has newer
/// values: `read` costs a few instructions on a valid side, else one copy of size * sizeof(T)
/// bytes. A View is valid while the array lives and until a `write` or `read_write` names the other
/// side. Where host and device are one memory, there is one side and nothing is ever copied.
///
/// Arrays move but do not copy. Intents throw AccessError on a read before the first write,
/// OutOfMemory (the array stays usable) and NotRunning.
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
      : size_(size),
        storage_(std::make_unique<detail::Storage>(
            label,
            static_cast<std::size_t>(checked_product("bytes of array '" + label + "'",
                                                     {size, static_cast<index_t>(sizeof(T))})))) {}

  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;
  ~Array() = default;
  /// Moving keeps pointers; the source becomes an array of no values.
  Array(Array&& other) noexcept
      : size_(std::exchange(other.size_, 0)), storage_(std::move(other.storage_)) {}
  Array& operator=(Array&& other) noexcept {
    size_ = std::exchange(other.size_, 0);
    storage_ = std::move(other.storage_);
    return *this;
  }

  [[nodiscard]] index_t size() const { return size_; }
  [[nodiscard]] const std::string& label() const { return storage().label(); }
  /// What this array has moved and allocated so far.
  [[nodiscard]] const Transfers& transfers() const { return storage().transfers(); }
  /// Whether a read intent on this side would copy nothing.
  template <detail::NamesSide Where>
  [[nodiscard]] bool valid(const Where&) const {
    return storage().valid(detail::side_of<Where>);
  }

  template <class Where>
  using ReadView = Kokkos::View<const T*, typename Where::memory_space>;
  template <class Where>
  using WriteView = Kokkos::View<T*, typename Where::memory_space>;

  /// The newest values, to read.
  template <detail::NamesSide Where>
  [[nodiscard]] ReadView<Where> read(const Where&) const {
    return ReadView<Where>(static_cast<const T*>(storage().read(detail::side_of<Where>)), count());
  }
  /// Memory to fill: old values are lost on both sides.
  template <detail::NamesSide Where>
  [[nodiscard]] WriteView<Where> write(const Where&) {
    return WriteView<Where>(static_cast<T*>(storage().write(detail::side_of<Where>)), count());
  }
  /// The newest values, to read and change. Before the first write they are garbage.
  template <detail::NamesSide Where>
  [[nodiscard]] WriteView<Where> read_write(const Where&) {
    return WriteView<Where>(static_cast<T*>(storage().read_write(detail::side_of<Where>)), count());
  }

 private:
  [[nodiscard]] std::size_t count() const { return static_cast<std::size_t>(size_); }
  [[nodiscard]] detail::Storage& storage() const {
    if (!storage_) storage_ = std::make_unique<detail::Storage>("", 0);  // after a move
    return *storage_;
  }

  index_t size_;
  mutable std::unique_ptr<detail::Storage> storage_;
};

}  // namespace kolam
