// SPDX-License-Identifier: Apache-2.0
// From an operator's sizes to the kernel that was compiled for them.
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <array>
#include <kolam/core/detail/allocate.hpp>
#include <kolam/core/forall_blocks.hpp>
#include <kolam/kernels/detail/apply_on_host.hpp>
#include <kolam/kernels/detail/element_plane_kernel.hpp>
#include <kolam/kernels/detail/run_time_element_kernel.hpp>
#include <kolam/kernels/element_basis.hpp>
#include <kolam/kernels/element_restriction.hpp>
#include <kolam/kernels/element_sizes.hpp>

namespace kolam::detail {

void require_apply(int dimensions, const ElementBasis& basis, int map_dimensions, int map_d1d,
                   index_t elements, const char* which);
void require_same_elements(index_t from, index_t to);
void require_length(const std::string& what, std::size_t length, index_t entries, int components);

// Numbers of the host, as T on Exec.
template <class T, ExecutionSpace Exec, class Number>
Kokkos::View<T*, typename Exec::memory_space> to_space(const Exec& exec, const char* label,
                                                       const std::vector<Number>& numbers) {
  const auto instance = kokkos_instance(exec);
  const auto view =
      allocate_view<Kokkos::View<T*, typename Exec::memory_space>>(exec, label, numbers.size());
  auto there = Kokkos::create_mirror_view(Kokkos::HostSpace(), view);
  std::transform(numbers.begin(), numbers.end(), there.data(),
                 [](Number number) { return static_cast<T>(number); });
  Kokkos::deep_copy(instance, view, there);
  instance.fence("kolam::to_space");  // the mirror ends here
  return view;
}

template <int Count, class T, ExecutionSpace Exec>
QuadratureData<T, Count, Exec> empty_quadrature_data(const Exec& exec, const ElementBasis& basis,
                                                     const ElementRestriction<T, Exec>& map) {
  return {allocate_zeros<Kokkos::View<T*, typename Exec::memory_space>>(
      exec, "kolam::quadrature_data", map.layout.data_size(map.elements, basis.q1d(), Count))};
}

template <class T, class Exec>
struct ReadPlaces {
  Kokkos::View<const int*, typename Exec::memory_space> map;
  index_t entries, size;
  Kokkos::View<const T*, typename Exec::memory_space> x;
  Kokkos::View<T*, typename Exec::memory_space> values;
  KOKKOS_FUNCTION void operator()(index_t n) const {
    const int entry = map(n % size);
    values(n) = entry < 0 ? T(0) : x(entry + n / size * entries);
  }
};

// The value of each place of a map, zero where it has no entry.
template <class T, ExecutionSpace Exec>
void read_places(const Exec& exec, const Kokkos::View<const int*, typename Exec::memory_space>& map,
                 index_t entries, int components,
                 const Kokkos::View<const T*, typename Exec::memory_space>& x,
                 const Kokkos::View<T*, typename Exec::memory_space>& values) {
  const auto size = static_cast<index_t>(map.extent(0));
  forall(exec, "kolam::read_places", size * components,
         ReadPlaces<T, Exec>{map, entries, size, x, values});
}

template <class T, class Exec>
struct AddPlaces {
  Kokkos::View<const index_t*, typename Exec::memory_space> first, places;
  index_t entries, size;
  Kokkos::View<const T*, typename Exec::memory_space> values;
  Kokkos::View<T*, typename Exec::memory_space> y;
  KOKKOS_FUNCTION void operator()(index_t n) const {
    const index_t entry = n % entries;
    const index_t component = n / entries;
    T sum = y(n);
    for (index_t i = first(entry); i < first(entry + 1); ++i)
      sum += values(places(i) + component * size);
    y(n) = sum;
  }
};

// y(entry) += the values of its places, in their order.
template <class T, ExecutionSpace Exec>
void add_places(const Exec& exec, const Kokkos::View<index_t*, typename Exec::memory_space>& first,
                const Kokkos::View<index_t*, typename Exec::memory_space>& places, index_t entries,
                int components, index_t size,
                const Kokkos::View<T*, typename Exec::memory_space>& values,
                const Kokkos::View<T*, typename Exec::memory_space>& y) {
  forall(exec, "kolam::add_places", entries * components,
         AddPlaces<T, Exec>{first, places, entries, size, values, y});
}

// What the kernel for any size takes beside data and vectors: who applies it again and again keeps
// it.
template <class T, ExecutionSpace Exec>
struct RunTimeMatrices {
  using View = Kokkos::View<T*, typename Exec::memory_space>;
  std::array<View, 3> values;  // [q1d, d1d], of each direction
  View gradients;              // [q1d, q1d]
  View weights;                // [q1d]
  View workspace;              // of blocks, on devices; as large as the largest kernel wants it

  RunTimeMatrices(const Exec& exec, const ElementBasis& basis)
      : gradients(to_space<T>(exec, "kolam::gradients", basis.gradients.gradients)),
        weights(to_space<T>(exec, "kolam::weights", basis.quadrature.weights)) {
    values.fill(to_space<T>(exec, "kolam::values", basis.values.values));
  }
  MatricesOfAnySize<T> pointers() const {
    return {
        {values[0].data(), values[1].data(), values[2].data()}, gradients.data(), weights.data()};
  }
};

template <int Dim, class T, ExecutionSpace Exec, class F>
struct ApplyElements {
  using Space = typename Exec::memory_space;

  const Exec& exec;
  const ElementBasis& basis;
  const F& integrand;
  const ElementRestriction<T, Exec>& from;
  const Kokkos::View<const T*, Space>& x;
  const ElementRestriction<T, Exec>& to;
  const Kokkos::View<T*, Space>& y;
  RunTimeMatrices<T, Exec>* matrices = nullptr;  // if given: the kernel for any size, with these

  static constexpr bool reads = F::reads != Evaluation::none;
  static constexpr bool writes = F::writes != Evaluation::none;

  template <VectorForm A>
  using Vectors = ElementVectors<T, Exec, A>;
  using AnyVectors = Vectors<VectorForm::either>;

  void run() const {
    if (from.elements == 0) return;
    if constexpr (writes && has_block_threads<Exec>) {
      if (to.map.data() != nullptr && to.scatter == Scatter::deterministic) {
        by_way_of_elements();
        return;
      }
    }
    apply(from.map.data(), x.data(), from.entries, to.map.data(), y.data(), to.entries);
  }

  // From a value for each node to a value for each node, and then in the order of places to the
  // entries.
  void by_way_of_elements() const {
    const index_t size = to.layout.size(to.elements);
    const auto values = [&](const char* label) {
      return allocate_view<Kokkos::View<T*, Space>>(exec, label, size * F::components);
    };
    const auto out = values("kolam::element values");
    if (reads && from.map.data() != nullptr) {
      const auto in = values("kolam::element values, read");
      read_places<T, Exec>(exec, from.map, from.entries, F::components, x, in);
      apply(nullptr, in.data(), size, nullptr, out.data(), size);
      exec.fence("kolam::apply_elements: what was read ends here");
    } else {
      apply(nullptr, x.data(), size, nullptr, out.data(), size);
    }
    add_places<T, Exec>(exec, to.places.first, to.places.places, to.entries, F::components, size,
                        out, y);
    exec.fence("kolam::apply_elements: values of elements end here");
  }

  void apply(const int* in_map, const T* in, index_t in_component, const int* out_map, T* out,
             index_t out_component) const {
    if constexpr (!has_block_threads<Exec>) {
      using Host = OnAnyHost<F>;
      MatricesOfAnySize<T> pointers;
      if (matrices != nullptr) pointers = matrices->pointers();
      apply_on_host<Dim, T, Host>(
          basis, on_any_host(integrand), {in_map, in, out_map, out, in_component, out_component},
          from.elements, matrices != nullptr ? &pointers : nullptr,
          LoopOn<Exec>(exec, writes && out_map != nullptr ? &to.colours : nullptr));
    } else {
      const AnyVectors vectors{in_map, in, out_map, out, in_component, out_component};
      if (matrices != nullptr) {
        run_any(vectors, false, *matrices);
      } else if (!run_compiled(vectors)) {
        RunTimeMatrices<T, Exec> own(exec, basis);
        run_any(vectors, basis.collocated, own);
        exec.fence("kolam::apply_elements: the matrices end here");
      }
    }
  }

  // Whether there is a kernel of its own for this size.
  bool run_compiled([[maybe_unused]] const AnyVectors& vectors) const {
    using Sizes = typename SizesOf<F, Exec>::type;
    if constexpr (!std::same_as<Sizes, ElementSizeList<>>) {
      if (is_symmetric(basis)) {
        const Sizes sizes{};
        if ((!reads || vectors.from != nullptr) && (!writes || vectors.to != nullptr)) {
          if (run_listed(as<VectorForm::map>(vectors), sizes)) return true;
        } else if ((!reads || vectors.from == nullptr) && (!writes || vectors.to == nullptr)) {
          if (run_listed(as<VectorForm::elements>(vectors), sizes)) return true;
        }
      }
      if constexpr (!std::same_as<Exec, HostTeams>)  // which is for tests
        note_slow(Sizes{});
    }
    return false;
  }
  template <VectorForm A>
  static Vectors<A> as(const AnyVectors& v) {
    return {v.from, v.x, v.to, v.y, v.x_component, v.y_component};
  }

  template <VectorForm A, class... Sizes>
  bool run_listed(const Vectors<A>& vectors, ElementSizeList<Sizes...>) const {
    return (run_if<Sizes>(vectors) || ...);
  }
  template <class Size, VectorForm A>
  static auto compiled_kernel() {
    constexpr int d = Size::d1d;
    constexpr int q = Size::q1d;
    constexpr bool collocated = Size::collocated;
    using G = std::conditional_t<one_by_one<T, Exec, Dim, q, collocated, F>(), OneByOne<F>, F>;
    if constexpr (takes_planes<T, Exec, Dim, q, collocated, G>()) {
      return std::type_identity<ElementPlaneKernel<T, Exec, d, q, collocated, A, G>>{};
    } else {
      return std::type_identity<ElementKernel<T, Exec, Dim, d, q, collocated, A, G>>{};
    }
  }
  template <class Size, VectorForm A>
  using CompiledKernel = typename decltype(compiled_kernel<Size, A>())::type;

  // (Three components of a high order have no room in a block of a GPU.)
  template <class Kernel>
  static constexpr bool has_room =
      std::same_as<Exec, HostTeams> || sizeof(typename Kernel::Shared) <= scratch_of_block<Exec>;

  template <class Size, VectorForm A>
  bool run_if(const Vectors<A>& vectors) const {
    using Kernel = CompiledKernel<Size, A>;
    if constexpr (has_room<Kernel>) {
      if (!is_of<Size>()) return false;
      run_kernel<Size, Kernel>(vectors);
      return true;
    }
    return false;
  }
  template <class Size>
  bool is_of() const {
    return basis.d1d() == Size::d1d && basis.q1d() == Size::q1d &&
           basis.collocated == Size::collocated;
  }
  template <class... Sizes>
  void note_slow(ElementSizeList<Sizes...>) const {
    if (is_symmetric(basis) && (is_of<Sizes>() || ...)) {
      note_room(basis.d1d(), basis.q1d(), F::components);
    } else {
      note_size(basis.d1d(), basis.q1d(), basis.collocated);
    }
  }

  template <class Size, class Kernel, VectorForm A>
  void run_kernel(const Vectors<A>& vectors) const {
    const index_t lanes = from.layout.lanes;
    Kernel kernel{{}, {}, {integrand}, vectors, (from.elements + lanes - 1) / lanes};
    fill_line_basis<Size>(basis, kernel);
    launch(kernel, typename Kernel::Shape{}, Scratch<typename Kernel::Shared>{}, Kernel::elements);
  }

  void run_any(const AnyVectors& vectors, bool collocated, RunTimeMatrices<T, Exec>& with) const {
    using Kernel = RunTimeElementKernel<T, Exec, Dim, F>;
    const index_t groups = from.layout.groups(from.elements);
    const MatricesOfAnySize<T> m = with.pointers();
    Kernel kernel{{from.layout, basis.q1d()},
                  collocated,
                  {m.values[0], m.values[1], m.values[2]},
                  m.gradients,
                  m.weights,
                  integrand,
                  vectors,
                  nullptr,
                  groups,
                  1};
    const auto most = static_cast<index_t>(
        std::same_as<Exec, HostTeams> ? 2 : kokkos_instance(exec).concurrency() / Kernel::Shape::x);
    kernel.block_count = static_cast<int>(std::clamp<index_t>(groups, 1, most));
    const auto size = static_cast<std::size_t>(kernel.workspace_of_block() * kernel.block_count);
    if (with.workspace.extent(0) < size) {
      exec.fence("kolam::apply_elements: the smaller workspace ends here");
      with.workspace = allocate_view<Kokkos::View<T*, Space>>(exec, "kolam::workspace", size);
    }
    kernel.workspace = with.workspace.data();
    forall(exec, "kolam::apply_elements (any size)", kernel.block_count, typename Kernel::Shape{},
           kernel);
  }

  template <class Kernel, class Shape, class SharedMemory>
  void launch(const Kernel& kernel, const Shape& shape, const SharedMemory& shared,
              int elements_of_block) const {
    const index_t size = index_t{from.layout.lanes} * elements_of_block;
    const index_t blocks = (from.elements + size - 1) / size;
    forall_2d(exec, "kolam::apply_elements", blocks, shape, shared, kernel);
  }
};

}  // namespace kolam::detail
