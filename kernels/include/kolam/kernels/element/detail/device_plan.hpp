// SPDX-License-Identifier: Apache-2.0
// Plans for devices: they choose the kernel that was compiled for an operator's sizes.
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <array>
#include <kolam/core/detail/allocate.hpp>
#include <kolam/core/detail/to_space.hpp>
#include <kolam/core/forall_blocks.hpp>
#include <kolam/kernels/element/detail/host_plan.hpp>
#include <kolam/kernels/element/detail/plane_kernel.hpp>
#include <kolam/kernels/element/detail/run_time_kernel.hpp>
#include <kolam/kernels/element/element_basis.hpp>
#include <kolam/kernels/element/restriction.hpp>
#include <kolam/kernels/element/sizes.hpp>
#include <memory>
#include <utility>

namespace kolam::detail {

void require_apply(int dimensions, const ElementBasis& basis, int map_dimensions, int map_d1d,
                   index_t elements, const char* which);
void require_same_elements(index_t from, index_t to);
void require_length(const std::string& what, std::size_t length, index_t entries, int components);
void require_vectors(std::size_t x, index_t x_needed, std::size_t y, index_t y_needed);

template <int Count, class T, ExecutionSpace Exec>
QuadratureData<T, Count, Exec> empty_quadrature_data(const Exec& exec, const ElementBasis& basis,
                                                     const ElementRestriction<T, Exec>& map) {
  return {allocate_zeros<Kokkos::View<T*, typename Exec::memory_space>>(
      exec, "kolam::quadrature_data", map.layout.data_size(map.elements, basis.q1d(), Count))};
}

// Reads the value of each node of a map, zero if the node has no entry.
template <class T, class Exec>
struct ReadNodes {
  Kokkos::View<const int*, typename Exec::memory_space> map;
  index_t entries, size;
  const T* x;
  T* values;
  KOKKOS_FUNCTION void operator()(index_t n) const {
    const int entry = map(n % size);
    values[n] = entry < 0 ? T(0) : x[entry + n / size * entries];
  }
};

// Adds to y(entry) the values of its nodes, in the order of the transpose map.
template <class T, class Exec>
struct AddTransposed {
  Kokkos::View<const index_t*, typename Exec::memory_space> first, nodes;
  index_t entries, size;
  const T* values;
  T* y;
  KOKKOS_FUNCTION void operator()(index_t n) const {
    const index_t entry = n % entries;
    const index_t component = n / entries;
    T sum = y[n];
    for (index_t i = first(entry); i < first(entry + 1); ++i)
      sum += values[nodes(i) + component * size];
    y[n] = sum;
  }
};

// Matrices and workspace of the generic kernel. Callers that make plans repeatedly keep them.
template <class T, ExecutionSpace Exec>
struct RunTimeMatrices {
  using View = Kokkos::View<T*, typename Exec::memory_space>;
  std::array<View, 3> values;  // [q1d, d1d], for each direction
  View gradients;              // [q1d, q1d]
  View weights;                // [q1d]
  View workspace;              // of blocks, on devices; sized for the largest kernel

  RunTimeMatrices() = default;
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

// The operator y += E^T B^T D B E x on elements, with its kernel chosen. Asynchronous.
template <class T, ExecutionSpace Exec>
class DevicePlan {
 public:
  virtual ~DevicePlan() = default;
  virtual void run(const Exec& exec, const T* x, T* y) const = 0;
  // Whether the plan has memory that kernels use and that is freed with it.
  virtual bool has_memory() const { return true; }
};

// A plan with a kernel compiled for the size of the elements.
template <class T, ExecutionSpace Exec, class Kernel>
class DeviceKernelPlan final : public DevicePlan<T, Exec> {
 public:
  DeviceKernelPlan(const Kernel& kernel, index_t blocks) : kernel_(kernel), blocks_(blocks) {}

  void run(const Exec& exec, const T* x, T* y) const override {
    Kernel kernel = kernel_;
    kernel.vectors.x = x;
    kernel.vectors.y = y;
    forall_2d(exec, "kolam::apply_elements", blocks_, typename Kernel::Shape{},
              Scratch<typename Kernel::Shared>{}, kernel);
  }
  bool has_memory() const override { return false; }

 private:
  Kernel kernel_;
  index_t blocks_;
};

// A plan with the generic kernel. The plan owns its matrices and workspace (`own`), or a
// caller keeps them.
template <class T, ExecutionSpace Exec, class Kernel>
class DevicePlanOfAnySize final : public DevicePlan<T, Exec> {
 public:
  DevicePlanOfAnySize(const Exec& exec, const Kernel& kernel, RunTimeMatrices<T, Exec>& matrices,
                      bool own)
      : kernel_(kernel), own_(own) {
    const auto most = static_cast<index_t>(
        std::same_as<Exec, HostTeams> ? 2 : kokkos_instance(exec).concurrency() / Kernel::Shape::x);
    kernel_.block_count = static_cast<int>(std::clamp<index_t>(kernel.groups, 1, most));
    const auto size = static_cast<std::size_t>(kernel_.workspace_of_block() * kernel_.block_count);
    if (matrices.workspace.extent(0) < size) {
      exec.fence("kolam::apply_elements: the smaller workspace ends here");
      matrices.workspace = allocate_view<Kokkos::View<T*, typename Exec::memory_space>>(
          exec, "kolam::workspace", size);
    }
    matrices_ = matrices;
    kernel_.workspace = matrices_.workspace.data();
  }

  void run(const Exec& exec, const T* x, T* y) const override {
    Kernel kernel = kernel_;
    kernel.vectors.x = x;
    kernel.vectors.y = y;
    forall(exec, "kolam::apply_elements (any size)", kernel.block_count, typename Kernel::Shape{},
           kernel);
  }
  bool has_memory() const override { return own_; }

 private:
  Kernel kernel_;
  RunTimeMatrices<T, Exec> matrices_;
  bool own_;
};

// A plan in the order of the transpose map: from a value for each node to a value for each node,
// and then to the entries.
template <class T, ExecutionSpace Exec>
class DevicePlanByElements final : public DevicePlan<T, Exec> {
 public:
  // `inner` is a plan from element_values to element_values.
  DevicePlanByElements(const Exec& exec, std::unique_ptr<const DevicePlan<T, Exec>> inner,
                       const ElementRestriction<T, Exec>& from, bool reads,
                       const ElementRestriction<T, Exec>& to, int components)
      : inner_(std::move(inner)),
        from_map_(from.map),
        transpose_(to.transpose),
        from_entries_(from.entries),
        to_entries_(to.entries),
        size_(to.layout.size(to.elements)),
        components_(components) {
    const auto values = [&](const char* label) {
      return allocate_view<Kokkos::View<T*, typename Exec::memory_space>>(exec, label,
                                                                          size_ * components);
    };
    out_ = values("kolam::element values");
    if (reads && from.map.data() != nullptr) in_ = values("kolam::element values, read");
  }

  void run(const Exec& exec, const T* x, T* y) const override {
    if (in_.data() != nullptr) {
      forall(exec, "kolam::read nodes", size_ * components_,
             ReadNodes<T, Exec>{from_map_, from_entries_, size_, x, in_.data()});
    }
    inner_->run(exec, in_.data() != nullptr ? in_.data() : x, out_.data());
    forall(exec, "kolam::add nodes", to_entries_ * components_,
           AddTransposed<T, Exec>{transpose_.first, transpose_.nodes, to_entries_, size_,
                                  out_.data(), y});
  }

 private:
  std::unique_ptr<const DevicePlan<T, Exec>> inner_;
  Kokkos::View<const int*, typename Exec::memory_space> from_map_;
  TransposeMap<typename Exec::memory_space> transpose_;
  index_t from_entries_, to_entries_, size_;
  int components_;
  Kokkos::View<T*, typename Exec::memory_space> in_, out_;
};

template <int Dim, class T, ExecutionSpace Exec, class F>
class MakeDevicePlan {
 public:
  using Plan = std::unique_ptr<const DevicePlan<T, Exec>>;
  using Restriction = ElementRestriction<T, Exec>;
  template <VectorForm A>
  using Vectors = ElementVectors<T, Exec, A>;

  MakeDevicePlan(const Exec& exec, const ElementBasis& basis, const F& integrand,
                 const Restriction& from, const Restriction& to, RunTimeMatrices<T, Exec>* matrices)
      : exec_(exec),
        basis_(basis),
        integrand_(integrand),
        from_(from),
        to_(to),
        matrices_(matrices) {}

  Plan make() const {
    if constexpr (writes) {
      if (to_.map.data() != nullptr && to_.scatter == Scatter::deterministic) {
        const index_t size = to_.layout.size(to_.elements);
        return std::make_unique<const DevicePlanByElements<T, Exec>>(
            exec_, of(nullptr, size, nullptr, size), from_, reads, to_, F::components);
      }
    }
    return of(from_.map.data(), from_.entries, to_.map.data(), to_.entries);
  }

 private:
  static constexpr bool reads = F::reads != Evaluation::none;
  static constexpr bool writes = F::writes != Evaluation::none;

  Plan of(const int* in_map, index_t in_component, const int* out_map,
          index_t out_component) const {
    const Vectors<VectorForm::either> vectors{in_map,  nullptr,      out_map,
                                              nullptr, in_component, out_component};
    if (matrices_ != nullptr) return of_any_size(vectors, false, *matrices_);
    if (Plan plan = compiled(vectors)) return plan;
    RunTimeMatrices<T, Exec> own(exec_, basis_);
    return of_any_size(vectors, basis_.collocated, own);
  }

  // Returns the plan with the kernel for this size, or null if there is none.
  Plan compiled([[maybe_unused]] const Vectors<VectorForm::either>& vectors) const {
    using Sizes = typename SizesOf<F, Exec>::type;
    Plan plan;
    if constexpr (!std::same_as<Sizes, ElementSizeList<>>) {
      if (is_symmetric(basis_)) {
        if ((!reads || vectors.from != nullptr) && (!writes || vectors.to != nullptr)) {
          plan = of_list(as<VectorForm::map>(vectors), Sizes{});
        } else if ((!reads || vectors.from == nullptr) && (!writes || vectors.to == nullptr)) {
          plan = of_list(as<VectorForm::elements>(vectors), Sizes{});
        }
      }
      if constexpr (!std::same_as<Exec, HostTeams>) {  // HostTeams is for tests
        if (plan == nullptr) note_slow(Sizes{});
      }
    }
    return plan;
  }
  template <VectorForm A>
  static Vectors<A> as(const Vectors<VectorForm::either>& v) {
    return {v.from, v.x, v.to, v.y, v.x_component, v.y_component};
  }

  template <VectorForm A, class... Sizes>
  Plan of_list(const Vectors<A>& vectors, ElementSizeList<Sizes...>) const {
    Plan plan;
    static_cast<void>((set_if<Sizes>(vectors, plan) || ...));
    return plan;
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

  // (Three components of high order do not fit into a block of a GPU.)
  template <class Kernel>
  static constexpr bool has_room =
      std::same_as<Exec, HostTeams> || sizeof(typename Kernel::Shared) <= scratch_of_block<Exec>;

  template <class Size, VectorForm A>
  bool set_if(const Vectors<A>& vectors, Plan& plan) const {
    using Kernel = CompiledKernel<Size, A>;
    if constexpr (has_room<Kernel>) {
      if (!is_of<Size>()) return false;
      const index_t lanes = from_.layout.lanes;
      Kernel kernel{{}, {}, {integrand_}, vectors, (from_.elements + lanes - 1) / lanes};
      fill_line_basis<Size>(basis_, kernel);
      const index_t of_block = lanes * Kernel::elements;
      plan = std::make_unique<const DeviceKernelPlan<T, Exec, Kernel>>(
          kernel, (from_.elements + of_block - 1) / of_block);
      return true;
    }
    return false;
  }
  template <class Size>
  bool is_of() const {
    return basis_.d1d() == Size::d1d && basis_.q1d() == Size::q1d &&
           basis_.collocated == Size::collocated;
  }
  template <class... Sizes>
  void note_slow(ElementSizeList<Sizes...>) const {
    if (is_symmetric(basis_) && (is_of<Sizes>() || ...)) {
      note_room(basis_.d1d(), basis_.q1d(), F::components);
    } else {
      note_size(basis_.d1d(), basis_.q1d(), basis_.collocated);
    }
  }

  Plan of_any_size(const Vectors<VectorForm::either>& vectors, bool collocated,
                   RunTimeMatrices<T, Exec>& with) const {
    using Kernel = RunTimeElementKernel<T, Exec, Dim, F>;
    const MatricesOfAnySize<T> m = with.pointers();
    return std::make_unique<const DevicePlanOfAnySize<T, Exec, Kernel>>(
        exec_,
        Kernel{{from_.layout, basis_.q1d()},
               collocated,
               {m.values[0], m.values[1], m.values[2]},
               m.gradients,
               m.weights,
               integrand_,
               vectors,
               nullptr,
               from_.layout.groups(from_.elements),
               1},
        with, &with != matrices_);
  }

  const Exec& exec_;
  const ElementBasis& basis_;
  const F& integrand_;
  const Restriction& from_;
  const Restriction& to_;
  RunTimeMatrices<T, Exec>* matrices_;
};

// Returns the plan of these maps, with the kernel for this size, or with the generic kernel if
// `matrices` are given.
template <int Dim, class T, ExecutionSpace Exec, class F>
std::unique_ptr<const DevicePlan<T, Exec>> make_device_plan(const Exec& exec,
                                                            const ElementBasis& basis,
                                                            const F& integrand,
                                                            const ElementRestriction<T, Exec>& from,
                                                            const ElementRestriction<T, Exec>& to,
                                                            RunTimeMatrices<T, Exec>* matrices) {
  return MakeDevicePlan<Dim, T, Exec, F>(exec, basis, integrand, from, to, matrices).make();
}

}  // namespace kolam::detail
