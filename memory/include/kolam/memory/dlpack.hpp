// SPDX-License-Identifier: Apache-2.0
// Arrays as DLPack tensors and back, without a copy, for NumPy, PyTorch, CuPy and JAX.
//
//   DLManagedTensor* const tensor = kolam::to_dlpack(kolam::host, u);
//   return PyCapsule_New(tensor, "dltensor", ...);  // numpy.from_dlpack takes it
//
// Needs <dlpack/dlpack.h> (Debian: libdlpack-dev); no other header of kolam includes this one.
#pragma once

#include <dlpack/dlpack.h>

#include <Kokkos_Core.hpp>
#include <array>
#include <cstddef>
#include <cstdint>
#include <kolam/core/error.hpp>
#include <kolam/memory/array.hpp>
#include <kolam/memory/wrap.hpp>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

namespace kolam {
namespace detail {

template <class T>
constexpr DLDataType dlpack_type() {
  using V = std::remove_const_t<T>;
  static_assert(std::is_floating_point_v<V> || (std::is_integral_v<V> && !std::is_same_v<V, bool>),
                "a DLPack tensor holds floating-point numbers or integers");
  const auto code = std::is_floating_point_v<V> ? kDLFloat : std::is_signed_v<V> ? kDLInt : kDLUInt;
  return {static_cast<std::uint8_t>(code), 8 * sizeof(V), 1};
}

inline std::string dlpack_type_name(const DLDataType& type) {
  const std::string bits = std::to_string(type.bits);
  if (type.lanes == 1 && type.code == kDLFloat) return "float" + bits;
  if (type.lanes == 1 && type.code == kDLInt) return "int" + bits;
  if (type.lanes == 1 && type.code == kDLUInt) return "uint" + bits;
  return "DLPack code " + std::to_string(type.code) + " with " + bits + " bits and " +
         std::to_string(type.lanes) + " lanes";
}

// The device that `where` works on.
template <class Where>
DLDevice dlpack_device([[maybe_unused]] const Where& where) {
#ifdef KOKKOS_ENABLE_CUDA
  if constexpr (std::is_same_v<Where, Kokkos::Cuda>) return {kDLCUDA, where.cuda_device()};
#endif
#ifdef KOKKOS_ENABLE_HIP
  if constexpr (std::is_same_v<Where, Kokkos::HIP>) return {kDLROCM, where.hip_device()};
#endif
  return {kDLCPU, 0};
}

inline bool dlpack_on_host(const DLDevice& device) {
  return device.device_type == kDLCPU || device.device_type == kDLCUDAHost ||
         device.device_type == kDLROCMHost;
}

// Keeps the memory of an array alive while a tensor uses it.
template <int N>
struct DlpackTensor {
  std::shared_ptr<Storage> memory;
  std::array<std::int64_t, N> shape{};
  std::array<std::int64_t, N> strides{};
  DLManagedTensor tensor{};
};

// Throws InvalidArgument, with the reason, if `tensor` cannot be an Array<T, N>.
template <class T, int N>
void require_dlpack(const std::string& label, const DLTensor& tensor) {
  const std::string what = "array '" + label + "' of a DLPack tensor: ";
  const DLDataType type = dlpack_type<T>();
  if (tensor.dtype.code != type.code || tensor.dtype.bits != type.bits || tensor.dtype.lanes != 1) {
    throw InvalidArgument(what + "the tensor holds " + dlpack_type_name(tensor.dtype) +
                          ", the array " + dlpack_type_name(type) +
                          "; convert it first, or choose the array's type");
  }
  if (tensor.ndim != N) {
    throw InvalidArgument(what + "the tensor has " + std::to_string(tensor.ndim) +
                          " dimensions, the array " + std::to_string(N) + "; reshape it first");
  }
  std::int64_t stride = 1;
  for (int d = 0; d < N; ++d) {
    std::int64_t has = 1;  // without strides: adjacent, last index fastest
    if (tensor.strides != nullptr) {
      has = tensor.strides[d];
    } else {
      for (int e = d + 1; e < N; ++e) has *= tensor.shape[e];
    }
    if (tensor.shape[d] > 1 && has != stride) {
      throw InvalidArgument(what + "its dimension " + std::to_string(d) + " has stride " +
                            std::to_string(has) + " instead of " + std::to_string(stride) +
                            ": an array's values are adjacent, first index fastest; hand over the "
                            "transposed tensor or a copy in Fortran order");
    }
    stride *= tensor.shape[d];
  }
  const auto device = dlpack_device(Kokkos::DefaultExecutionSpace{});
  if (!dlpack_on_host(tensor.device) && (tensor.device.device_type != device.device_type ||
                                         tensor.device.device_id != device.device_id)) {
    throw InvalidArgument(what + "the tensor is on device " +
                          std::to_string(tensor.device.device_id) + " of DLPack's type " +
                          std::to_string(tensor.device.device_type) +
                          ", where this program's arrays are not; copy it to the host first");
  }
  const auto address = reinterpret_cast<std::uintptr_t>(tensor.data) + tensor.byte_offset;
  if (stride > 0 && (tensor.data == nullptr || address % alignof(T) != 0)) {
    throw InvalidArgument(what + "its data are null or not aligned to " +
                          std::to_string(alignof(T)) + " bytes; hand over a copy");
  }
}

}  // namespace detail

/// Returns a tensor of the memory of `array` on the side of `where` (`host` or an execution-space
/// instance). Its deleter releases the memory, so it may outlive the array. Indices keep their
/// order. Takes the intent `read_write` on this side (`read` if const), and waits for the work on
/// `where`, so that any stream may use the tensor. Later changes through the tensor are not visible
/// to intents on the other side. Throws as the intents do.
template <class T, int N, class Layout, detail::NamesSide Where>
[[nodiscard]] DLManagedTensor* to_dlpack(const Where& where, Array<T, N, Layout>& array) {
  const auto view = [&] {
    if constexpr (std::is_const_v<T>) {
      return array.read(where);
    } else {
      return array.read_write(where);
    }
  }();
  if constexpr (ExecutionSpace<Where>) where.fence("kolam::to_dlpack");
  auto owned = std::make_unique<detail::DlpackTensor<N>>();
  owned->memory = detail::ArrayAccess::storage(array);
  for (int d = 0; d < N; ++d) {
    owned->shape[d] = static_cast<std::int64_t>(view.extent(d));
    owned->strides[d] = static_cast<std::int64_t>(view.stride(d));
  }
  DLTensor& tensor = owned->tensor.dl_tensor;
  tensor.data = detail::address_of(view.data());
  tensor.device = detail::dlpack_device(where);
  tensor.ndim = N;
  tensor.dtype = detail::dlpack_type<T>();
  tensor.shape = owned->shape.data();
  tensor.strides = owned->strides.data();
  owned->tensor.manager_ctx = owned.get();
  owned->tensor.deleter = [](DLManagedTensor* self) {
    delete static_cast<detail::DlpackTensor<N>*>(self->manager_ctx);
  };
  return &owned.release()->tensor;
}

/// Returns an array of the memory of `tensor`, whose deleter runs when the last alias is destroyed.
/// The values must be of type T in N dimensions, adjacent with the first index fastest, in memory of
/// the host or of the default device, and ready: DLPack does not order work. As with `borrow`, call
/// `read` or `sync` here before the array ends, or values written on the other side are lost.
/// Throws InvalidArgument for other tensors, which the caller still owns.
template <class T, int N = 1>
[[nodiscard]] Array<T, N> from_dlpack(const std::string& label, DLManagedTensor* tensor) {
  if (tensor == nullptr) {
    throw InvalidArgument("array '" + label + "' of a DLPack tensor: there is no tensor (null)");
  }
  const DLTensor& values = tensor->dl_tensor;
  detail::require_dlpack<T, N>(label, values);
  const auto taken = std::make_shared<bool>(false);  // a failure leaves the tensor to the caller
  std::shared_ptr<void> owner(tensor, [taken](void* p) {
    auto* const self = static_cast<DLManagedTensor*>(p);
    if (*taken && self->deleter != nullptr) self->deleter(self);
  });
  T* const data = reinterpret_cast<T*>(static_cast<char*>(values.data) + values.byte_offset);
  index_t size = 1;
  for (int d = 0; d < N; ++d) size *= values.shape[d];
  auto lent = detail::dlpack_on_host(values.device)
                  ? detail::lent_on<detail::Side::host>(data, std::move(owner))
                  : detail::lent_on<detail::Side::device>(data, std::move(owner));
  Array<T> flat = detail::wrap<T>(label, std::move(lent), size);
  auto array = [&]<std::size_t... D>(std::index_sequence<D...>) {
    return reshape(flat, values.shape[D]...);
  }(std::make_index_sequence<N>{});
  *taken = true;
  return array;
}

}  // namespace kolam
