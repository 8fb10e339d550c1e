// SPDX-License-Identifier: Apache-2.0
// Operators without a matrix: y += E^T B^T D B E x.
//
//   const auto basis = kolam::gauss_element(3, 5);
//   const auto map =
//       kolam::element_restriction<double>(exec, 3, basis.d1d(), elements, n, entry_of);
//   Reaction<double, Exec> reaction{kolam::quadrature_data<1>(exec, basis, map, c_of_point)};
//   const auto a = kolam::element_operator<3>(exec, basis, reaction, map, map);
//   a.apply_add(x, y);
#pragma once

#include <kolam/kernels/element/detail/device_plan.hpp>

namespace kolam {

/// The operator y += E^T B^T D B E x of one integrand and two maps, as a plan. element_operator
/// chooses the kernel, uploads its matrices and allocates its workspace; applying the operator
/// allocates and copies nothing. Copies share the memory. Only one application may run at a time.
template <class T, ExecutionSpace Exec>
class ElementOperator {
  using Space = typename Exec::memory_space;

 public:
  using value_type = T;          ///< type of the vectors' values
  using execution_space = Exec;  ///< execution space of the kernels

  /// Adds E^T B^T D B E x to y: each element evaluates x at the quadrature points, applies D of the
  /// integrand and tests the result with the nodes' polynomials. x: [from.entries, components] and
  /// y: [to.entries, components], entries fastest. x may be empty if the integrand reads nothing (a
  /// right-hand side), y if it writes nothing (it fills data). Asynchronous on the instance of the
  /// plan; on hosts, complete on return. Throws InvalidArgument for vectors that are too short.
  void apply_add(const Kokkos::View<const T*, Space>& x, const Kokkos::View<T*, Space>& y,
                 ElementSet set = ElementSet::all) const {
    detail::require_vectors(x.extent(0), x_length_, y.extent(0), y_length_);
    if (plan_ == nullptr) return;  // no elements
    if constexpr (has_block_threads<Exec>) {
      if (set != ElementSet::without) plan_->run(exec_, x.data(), y.data());
    } else {
      if (set == ElementSet::without && colours_.with_shared == colours_.count()) return;
      plan_->run(x.data(), y.data(), detail::LoopOn<Exec>(exec_, colours_, set));
    }
  }

  /// \cond
  // (For element_operator.)
  using Plan =
      std::conditional_t<has_block_threads<Exec>, detail::DevicePlan<T, Exec>, detail::HostPlan<T>>;
  ElementOperator(const Exec& exec, index_t x_length, index_t y_length,
                  const ElementRestriction<T, Exec>& from, const ElementRestriction<T, Exec>& to,
                  std::unique_ptr<const Plan> plan)
      : exec_(exec),
        x_length_(x_length),
        y_length_(y_length),
        from_(from.map),
        to_(to.map),
        colours_(to.colours),
        plan_(std::move(plan)) {
    if (y_length == 0) colours_ = {};
  }
  // Waits if the plan has memory that is freed with it.
  void finish() const {
    if constexpr (has_block_threads<Exec>) {
      if (plan_ != nullptr && plan_->has_memory())
        exec_.fence("kolam::apply_elements: the plan ends here");
    }
  }
  /// \endcond

 private:
  Exec exec_;
  index_t x_length_, y_length_;
  Kokkos::View<const int*, Space> from_, to_;  // kept alive, because the plan has their addresses
  detail::ElementColours colours_;             // empty if nothing is added
  std::shared_ptr<const Plan> plan_;
};

namespace detail {

// Reports at compile time what an integrand lacks.
template <int Dim, class T, class Exec, class F>
constexpr void require_integrand() {
  static_assert(
      requires {
        { F::components } -> std::convertible_to<int>;
      },
      "an integrand says how many components its field has: static constexpr int "
      "components = 1;");
  static_assert(
      requires {
        { F::reads } -> std::convertible_to<Evaluation>;
      },
      "an integrand says what it takes of the field: static constexpr auto reads = "
      "kolam::Evaluation::gradients;");
  static_assert(
      requires {
        { F::writes } -> std::convertible_to<Evaluation>;
      },
      "an integrand says what its result is tested with: static constexpr auto writes = "
      "kolam::Evaluation::gradients;");
  if constexpr (is_integrand<F>) {
    using Point = QuadraturePoint<SimdValue<Exec, T>, Dim, F::components, data_count<F>()>;
    static_assert(
        requires(const F& f, Point& at) { f(at); },
        "an integrand is called with a point: template <class Point> KOKKOS_FUNCTION void "
        "operator()(Point& at) const");
  }
  if constexpr (requires { F::dimensions; })
    static_assert(F::dimensions == Dim, "the integrand's geometry is of another dimension");
}

// With `matrices`, uses the generic kernel and these matrices instead of the basis' own.
template <int Dim, class T, ExecutionSpace Exec, class F>
ElementOperator<T, Exec> make_operator(const Exec& exec, const ElementBasis& basis,
                                       const F& integrand, const ElementRestriction<T, Exec>& from,
                                       const ElementRestriction<T, Exec>& to,
                                       RunTimeMatrices<T, Exec>* matrices = nullptr) {
  const index_t x_length =
      F::reads == Evaluation::none
          ? 0
          : checked_product("x of an operator on elements", {from.entries, F::components});
  const index_t y_length =
      F::writes == Evaluation::none
          ? 0
          : checked_product("y of an operator on elements", {to.entries, F::components});
  std::unique_ptr<const typename ElementOperator<T, Exec>::Plan> plan;
  if (from.elements > 0) {
    if constexpr (has_block_threads<Exec>) {
      plan = make_device_plan<Dim, T, Exec, F>(exec, basis, integrand, from, to, matrices);
    } else {
      MatricesOfAnySize<T> pointers;
      if (matrices != nullptr) pointers = matrices->pointers();
      plan = make_host_plan<Dim, T, OnAnyHost<F>>(
          basis, on_any_host(integrand),
          {from.map.data(), nullptr, to.map.data(), nullptr, from.entries, to.entries},
          from.elements, matrices != nullptr ? &pointers : nullptr);
    }
  }
  return {exec, x_length, y_length, from, to, std::move(plan)};
}

}  // namespace detail

/// Returns the operator of `integrand` on the elements of both maps, which must be of one mesh. A
/// map made by element_values stands for a vector with a value for each node of each element; such
/// a vector is overwritten, not added to. The operator keeps copies of all arguments, which share
/// their memory.
///
/// Sizes in the build's list (CMake: KOLAM_ELEMENT_SIZES; element_sizes() returns it) run in
/// kernels compiled for them. All others run in a generic kernel, many times slower; a line on
/// stderr says so once per size (never with KOLAM_NOTES=off).
///
/// Throws InvalidArgument if the maps differ in dimensions, nodes or elements, and OutOfMemory. At
/// best, an application in double precision moves 8 bytes of x and 16 bytes of y for each entry of
/// a component, and for each element 4 bytes per node and 8 bytes per number of quadrature data. On
/// devices, deterministic maps take memory for one value per node of each element, for both
/// vectors. (Sum factorisation: Orszag 1980; operators on points: Brown et al., libCEED, JOSS 2021;
/// even and odd parts: Kronbichler and Kormann, ACM TOMS 2019.)
template <int Dim, class T, ExecutionSpace Exec, class F>
ElementOperator<T, Exec> element_operator(const Exec& exec, const ElementBasis& basis,
                                          const F& integrand,
                                          const ElementRestriction<T, Exec>& from,
                                          const ElementRestriction<T, Exec>& to) {
  detail::require_integrand<Dim, T, Exec, F>();
  detail::require_apply(Dim, basis, from.dimensions, from.d1d, from.elements, "from");
  detail::require_apply(Dim, basis, to.dimensions, to.d1d, to.elements, "to");
  detail::require_same_elements(from.elements, to.elements);
  if constexpr (detail::data_count<F>() > 0) {
    detail::require_length(
        "the integrand's data", integrand.data.values.extent(0),
        from.layout.data_size(from.elements, basis.q1d(), detail::data_count<F>()), 1);
  }
  return detail::make_operator<Dim, T, Exec>(exec, basis, integrand, from, to);
}

/// Applies element_operator(exec, basis, integrand, from, to) once: for set-up. Throws as
/// element_operator and ElementOperator::apply_add do. Asynchronous, except for sizes without a
/// compiled kernel and for deterministic maps.
template <int Dim, class T, ExecutionSpace Exec, class F>
void apply_elements(const Exec& exec, const ElementBasis& basis, const F& integrand,
                    const ElementRestriction<T, Exec>& from,
                    const Kokkos::View<const T*, typename Exec::memory_space>& x,
                    const ElementRestriction<T, Exec>& to,
                    const Kokkos::View<T*, typename Exec::memory_space>& y) {
  const auto a = element_operator<Dim, T, Exec>(exec, basis, integrand, from, to);
  a.apply_add(x, y);
  a.finish();
}

/// Returns the map of a vector that has a value for every node of every element (an "E-vector"), in
/// the order in which kernels read it. Throws InvalidArgument for dimensions other than 2 and 3,
/// d1d < 2 and negative counts.
template <class T, ExecutionSpace Exec>
ElementRestriction<T, Exec> element_values(int dimensions, int d1d, index_t elements) {
  detail::require_restriction(dimensions, d1d, elements, 0);
  const detail::ElementLayout<T, Exec> layout(dimensions, d1d);
  return {dimensions, d1d, elements, layout.size(elements), Scatter::deterministic, layout,
          {},         {},  {}};
}

namespace detail {

template <int Count, class T, class Exec, class ValueOf>
struct FillQuadratureData {
  QuadratureData<T, Count, Exec> data;
  ElementLayout<T, Exec> layout;
  int q1d, points;
  ValueOf value_of;
  KOKKOS_FUNCTION void operator()(index_t n) const {
    const auto point = static_cast<int>(n % points);
    for (int k = 0; k < Count; ++k) {
      data.values(layout.datum(n / points, point, k, q1d, Count)) =
          static_cast<T>(value_of(n / points, point, k));
    }
  }
};

}  // namespace detail

/// Returns `Count` numbers for each quadrature point of all elements of `map`. Number k is
/// value_of(element, point, k), called on Exec; `point` counts x fastest.
template <int Count, class T, ExecutionSpace Exec, class ValueOf>
QuadratureData<T, Count, Exec> quadrature_data(const Exec& exec, const ElementBasis& basis,
                                               const ElementRestriction<T, Exec>& map,
                                               const ValueOf& value_of) {
  const QuadratureData<T, Count, Exec> data =
      detail::empty_quadrature_data<Count>(exec, basis, map);
  const int points = detail::power(basis.q1d(), map.dimensions);
  forall(exec, "kolam::quadrature_data", map.elements * points,
         detail::FillQuadratureData<Count, T, Exec, ValueOf>{data, map.layout, basis.q1d(), points,
                                                             value_of});
  return data;
}

// Instantiations of plans. (Kokkos has at most one execution space of devices.)
#if defined(KOKKOS_ENABLE_CUDA) || defined(KOKKOS_ENABLE_HIP) || defined(KOKKOS_ENABLE_SYCL)
namespace detail {
using AnyDevice = Kokkos::DefaultExecutionSpace;
}
#define KOLAM_DEVICE_PLAN(KOLAM_EXTERN, DIM, T, ...)                                    \
  KOLAM_EXTERN template std::unique_ptr<const detail::DevicePlan<T, detail::AnyDevice>> \
  detail::make_device_plan<DIM, T, detail::AnyDevice, __VA_ARGS__>(                     \
      const detail::AnyDevice&, const ElementBasis&, const __VA_ARGS__&,                \
      const ElementRestriction<T, detail::AnyDevice>&,                                  \
      const ElementRestriction<T, detail::AnyDevice>&,                                  \
      detail::RunTimeMatrices<T, detail::AnyDevice>*);
#else
#define KOLAM_DEVICE_PLAN(...)
#endif
#define KOLAM_HOST_PLAN(DIM, T, ...)                                                               \
  template std::unique_ptr<const detail::HostPlan<T>> detail::make_host_plan<DIM, T, __VA_ARGS__>( \
      const ElementBasis&, const __VA_ARGS__&, const detail::HostPlan<T>::Vectors&, index_t,       \
      const detail::MatricesOfAnySize<T>*);

}  // namespace kolam
