// SPDX-License-Identifier: Apache-2.0
// Plans for hosts. The work on a batch of elements does not depend on the execution space whose
// threads share the batches, so kernels are compiled once for all execution spaces of hosts.
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <kolam/core/non_temporal.hpp>
#include <kolam/core/scratch.hpp>
#include <kolam/kernels/element/detail/line_kernel.hpp>
#include <kolam/kernels/element/detail/run_time_kernel.hpp>
#include <kolam/kernels/element/element_basis.hpp>
#include <kolam/kernels/element/restriction.hpp>
#include <kolam/kernels/element/sizes.hpp>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace kolam::detail {

// Whether even and odd parts can be separated: see even_odd.hpp.
bool is_symmetric(const ElementBasis& basis);
// Print a note, once for each size, that it runs in the slow kernel: none is compiled for it, or a
// block has no room for this many components.
void note_size(int d1d, int q1d, bool collocated);
void note_room(int d1d, int q1d, int components);

// The execution space for which host kernels are compiled.
using AnyHost = Kokkos::DefaultHostExecutionSpace;

// Returns an integrand for AnyHost: the integrand itself, unless it is one of Exec and has on_space
// (see Integrand).
template <class F>
decltype(auto) on_any_host(const F& f) {
  if constexpr (requires { f.template on_space<AnyHost>(); }) {
    return f.template on_space<AnyHost>();
  } else {
    return (f);  // itself, not a copy
  }
}
template <class F>
using OnAnyHost = std::remove_cvref_t<decltype(on_any_host(std::declval<const F&>()))>;

// A kernel and its batches of elements, for a loop over them.
struct BatchesOnHost {
  void (*run)(const void* kernel, index_t first, index_t end);  // batches [first, end)
  const void* kernel;
  index_t count;
};

// A loop over batches in the threads of some execution space; complete when it returns.
struct LoopOnHost {
  virtual void operator()(const BatchesOnHost& batches) const = 0;

 protected:
  ~LoopOnHost() = default;
};

// The loop on Exec. Without colours, batches run in any order. With colours, the chunks of one
// colour run at a time and share no entry; the loop takes colours [first_colour, end_colour).
template <ExecutionSpace Exec>
struct LoopOn final : LoopOnHost {
  const Exec& exec;
  const ElementColours* colours = nullptr;
  std::size_t first_colour = 0;
  std::size_t end_colour = 0;

  explicit LoopOn(const Exec& on) : exec(on) {}
  LoopOn(const Exec& on, const ElementColours& in_colours, ElementSet set)
      : exec(on), colours(in_colours.count() == 0 ? nullptr : &in_colours) {
    first_colour = set == ElementSet::without ? in_colours.with_shared : 0;
    end_colour = set == ElementSet::with_shared ? in_colours.with_shared : in_colours.count();
  }

  void operator()(const BatchesOnHost& batches) const override {
    const std::string label = "kolam::apply_elements";
    if (colours == nullptr) {
      forall(exec, label, batches.count, [=](index_t n) { batches.run(batches.kernel, n, n + 1); });
    } else {
      const index_t each = colours->chunk;
      for (std::size_t c = first_colour; c < end_colour; ++c) {
        const index_t* const chunks = colours->chunks.data() + colours->first[c];
        forall(exec, label, colours->first[c + 1] - colours->first[c], [=](index_t n) {
          const index_t first = chunks[n] * each;
          batches.run(batches.kernel, first, std::min(batches.count, first + each));
        });
      }
    }
    exec.fence("kolam::apply_elements: the kernel ends here");
  }
};

// Matrices of the generic kernel.
template <class T>
struct MatricesOfAnySize {
  const T* values[3];  // [q1d, d1d], for each direction
  const T* gradients;  // [q1d, q1d]
  const T* weights;    // [q1d]
};

// Owns these matrices, for a basis.
template <class T>
class MatricesOfBasis {
 public:
  explicit MatricesOfBasis(const ElementBasis& basis)
      : values_(numbers(basis.values.values)),
        gradients_(numbers(basis.gradients.gradients)),
        weights_(numbers(basis.quadrature.weights)) {}
  MatricesOfAnySize<T> pointers() const {
    const T* const v = values_.data();
    return {{v, v, v}, gradients_.data(), weights_.data()};
  }

 private:
  static std::vector<T> numbers(const std::vector<double>& from) {
    std::vector<T> to(from.size());
    std::transform(from.begin(), from.end(), to.begin(),
                   [](double number) { return static_cast<T>(number); });
    return to;
  }
  std::vector<T> values_, gradients_, weights_;
};
extern template class MatricesOfBasis<float>;
extern template class MatricesOfBasis<double>;

// The operator y += E^T B^T D B E x on elements of hosts, with its kernel chosen.
template <class T>
class HostPlan {
 public:
  using Vectors = ElementVectors<T, AnyHost, VectorForm::either>;

  virtual ~HostPlan() = default;
  virtual void run(const T* x, T* y, const LoopOnHost& loop) const = 0;
};

template <class T, class Kernel>
class HostKernelPlan final : public HostPlan<T> {
 public:
  using RunBatches = void (*)(const void* kernel, index_t first, index_t end);
  HostKernelPlan(const Kernel& kernel, index_t batches, RunBatches run_batches,
                 std::shared_ptr<const MatricesOfBasis<T>> matrices)
      : kernel_(kernel),
        batches_(batches),
        run_batches_(run_batches),
        matrices_(std::move(matrices)) {}

  void run(const T* x, T* y, const LoopOnHost& loop) const override {
    Kernel kernel = kernel_;
    kernel.vectors.x = x;
    kernel.vectors.y = y;
    loop({run_batches_, &kernel, batches_});
  }

 private:
  Kernel kernel_;
  index_t batches_;
  RunBatches run_batches_;
  std::shared_ptr<const MatricesOfBasis<T>> matrices_;  // of the kernel for any size
};

template <int Dim, class T, class F>
class MakeHostPlan {
 public:
  using Plan = std::unique_ptr<const HostPlan<T>>;
  using Vectors = typename HostPlan<T>::Vectors;

  MakeHostPlan(const ElementBasis& basis, const F& integrand, const Vectors& vectors,
               index_t elements)
      : basis_(basis), integrand_(integrand), vectors_(vectors), elements_(elements) {}

  // Returns the plan with the kernel for this size, or null if there is none.
  Plan compiled() const {
    using Sizes = typename SizesOf<F, AnyHost>::type;
    Plan plan;
    if constexpr (!std::same_as<Sizes, ElementSizeList<>>) {
      if (is_symmetric(basis_)) plan = of_list(Sizes{});
      if (plan == nullptr) note_size(basis_.d1d(), basis_.q1d(), basis_.collocated);
    }
    return plan;
  }

  Plan of_any_size(bool collocated, const MatricesOfAnySize<T>& with,
                   std::shared_ptr<const MatricesOfBasis<T>> owned = nullptr) const {
    using Kernel = RunTimeElementKernel<T, AnyHost, Dim, F>;
    const ElementLayout<T, AnyHost> layout(Dim, basis_.d1d());
    const index_t groups = layout.groups(elements_);
    const Kernel kernel{{layout, basis_.q1d()},
                        collocated,
                        {with.values[0], with.values[1], with.values[2]},
                        with.gradients,
                        with.weights,
                        integrand_,
                        vectors_,
                        nullptr,
                        groups,
                        1};
    return std::make_unique<const HostKernelPlan<T, Kernel>>(
        kernel, groups, run_any_batches<Kernel>, std::move(owned));
  }

 private:
  template <class... Sizes>
  Plan of_list(ElementSizeList<Sizes...>) const {
    Plan plan;
    static_cast<void>((set_if<Sizes>(plan) || ...));
    return plan;
  }

  template <class Size>
  bool set_if(Plan& plan) const {
    if (basis_.d1d() != Size::d1d || basis_.q1d() != Size::q1d ||
        basis_.collocated != Size::collocated) {
      return false;
    }
    using Kernel = ElementKernel<T, AnyHost, Dim, Size::d1d, Size::q1d, Size::collocated,
                                 VectorForm::either, F>;
    constexpr index_t lanes = Kernel::lanes;
    Kernel kernel{{}, {}, {integrand_}, vectors_, (elements_ + lanes - 1) / lanes};
    fill_line_basis<Size>(basis_, kernel);
    if constexpr (data_count<F>() > 0)
      kernel.from_memory = exceeds_cache(sizeof(T) * integrand_.data.values.size());
    plan = std::make_unique<const HostKernelPlan<T, Kernel>>(kernel, kernel.count,
                                                             run_batches<Kernel>, nullptr);
    return true;
  }

  template <class Kernel>
  static void run_batches(const void* kernel, index_t first, index_t end) {
    auto& shared =
        *static_cast<typename Kernel::Shared*>(host_scratch(sizeof(typename Kernel::Shared)));
    const typename Kernel::Block block;
    for (index_t n = first; n < end; ++n) (*static_cast<const Kernel*>(kernel))(block, shared, n);
  }
  template <class Kernel>
  static void run_any_batches(const void* any, index_t first, index_t end) {
    const auto& kernel = *static_cast<const Kernel*>(any);
    const auto bytes = static_cast<std::size_t>(kernel.workspace_of_block()) * sizeof(T);
    const typename Kernel::Workspace workspace{static_cast<T*>(host_scratch(bytes)),
                                               kernel.array_size()};
    const typename Kernel::Block block;
    for (index_t n = first; n < end; ++n) kernel.run(block, workspace, n);
  }

  const ElementBasis& basis_;
  const F& integrand_;
  const Vectors& vectors_;
  index_t elements_;
};

// Returns the plan of these maps (run takes the vectors themselves), with the kernel for this size,
// or with the generic kernel if `matrices` are given.
template <int Dim, class T, class F>
std::unique_ptr<const HostPlan<T>> make_host_plan(const ElementBasis& basis, const F& integrand,
                                                  const typename HostPlan<T>::Vectors& maps,
                                                  index_t elements,
                                                  const MatricesOfAnySize<T>* matrices) {
  const MakeHostPlan<Dim, T, F> make(basis, integrand, maps, elements);
  if (matrices != nullptr) return make.of_any_size(false, *matrices);
  if (auto plan = make.compiled()) return plan;
  const auto own = std::make_shared<const MatricesOfBasis<T>>(basis);
  return make.of_any_size(basis.collocated, own->pointers(), own);
}

}  // namespace kolam::detail
