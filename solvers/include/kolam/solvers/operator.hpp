// SPDX-License-Identifier: Apache-2.0
// What solvers ask of an operator, and the operators of finite elements without a matrix.
#pragma once

#include <Kokkos_Core.hpp>
#include <array>
#include <concepts>
#include <kolam/core/detail/allocate.hpp>
#include <kolam/kernels/element_diagonal.hpp>
#include <kolam/kernels/vector_sums.hpp>
#include <kolam/solvers/function_space.hpp>
#include <span>
#include <string>

namespace kolam {

///@{
/// Vectors of an operator or solver: [rows], with several components one behind the other.
template <class T, ExecutionSpace Exec>
using Vector = Kokkos::View<T*, typename Exec::memory_space>;
template <class T, ExecutionSpace Exec>
using ConstVector = Kokkos::View<const T*, typename Exec::memory_space>;
///@}

namespace detail {

template <class T, ExecutionSpace Exec>
Vector<T, Exec> zeros(const Exec& exec, const char* label, index_t n) {
  return allocate_zeros<Vector<T, Exec>>(exec, label, n);
}

// A number of 64 bits that looks random (splitmix64), and one from -1 to 1 made of it.
KOKKOS_INLINE_FUNCTION std::uint64_t mixed(std::uint64_t h) {
  h += 0x9e3779b97f4a7c15U;
  h = (h ^ (h >> 30U)) * 0xbf58476d1ce4e5b9U;
  h = (h ^ (h >> 27U)) * 0x94d049bb133111ebU;
  return h ^ (h >> 31U);
}
template <class T>
KOKKOS_FUNCTION T number_of(std::uint64_t h) {
  return static_cast<T>(static_cast<double>(mixed(h) >> 11U) * 0x1p-52 - 1.0);
}
template <class T>
KOKKOS_FUNCTION std::uint64_t bits_of(T value) {
  return Kokkos::bit_cast<std::uint64_t>(static_cast<double>(value) + 0.0);  // (-0 as 0)
}

}  // namespace detail

/// y = A x, asynchronously on the operator's instance. What a preconditioner is too.
template <class A, class T, class Exec>
concept Applicable = requires(const A& a, const ConstVector<T, Exec>& x, const Vector<T, Exec>& y) {
  a.apply(x, y);
};

/// A square matrix as far as solvers know it: also y += A x, its diagonal and its size.
template <class A, class T, class Exec>
concept LinearOperator = Applicable<A, T, Exec> &&
    requires(const A& a, const ConstVector<T, Exec>& x, const Vector<T, Exec>& y) {
  a.apply_add(x, y);
  a.diagonal(y);
  { a.rows() } -> std::convertible_to<index_t>;
  { a.exec() } -> std::convertible_to<Exec>;
};

namespace detail {

// x = numbers by the row.
template <class T, class Exec>
struct FillByRow {
  Vector<T, Exec> x;
  KOKKOS_FUNCTION void operator()(index_t i) const {
    x(i) = number_of<T>(static_cast<std::uint64_t>(i));
  }
};

}  // namespace detail

/// The rows of an operator in this process: a.rows_of_process() where it has one, else all.
template <class A>
[[nodiscard]] RowsOfProcess rows_of_process(const A& a) {
  if constexpr (requires { a.rows_of_process(); }) {
    return a.rows_of_process();
  } else {
    return {a.rows(), a.rows()};
  }
}

/// x = numbers from -1 to 1 that look random: a.scatter_numbers(x) where A has it (as it must where
/// several processes have a row), else by the row.
template <class T, ExecutionSpace Exec, class A>
void scatter_numbers(const A& a, const Vector<T, Exec>& x) {
  if constexpr (requires { a.scatter_numbers(x); }) {
    a.scatter_numbers(x);
  } else {
    forall(a.exec(), "kolam::scatter_numbers", a.rows(), detail::FillByRow<T, Exec>{x});
  }
}

/// N sums over all rows of an operator, of all its processes: VectorSums of those that each counts,
/// then over processes in the order of ranks.
template <int N, ExecutionSpace Exec>
class RowSums {
 public:
  /// rows: of the operator, on exec. Takes memory as VectorSums does.
  RowSums(const Exec& exec, const RowsOfProcess& rows)
      : rows_(rows), sums_(exec, rows.owned * rows.components) {}

  /// As VectorSums::of: calls body(row, sums). Waits; all processes call it.
  template <class Body>
  [[nodiscard]] std::array<double, N> of(const std::string& label, const Body& body) const {
    std::array<double, N> sums = sums_.of(label, Counted<Body>{rows_.owned, skipped(), body});
    rows_.communicator.sum(std::span<double>(sums));
    return sums;
  }
  /// Whether all rows are this process's.
  [[nodiscard]] bool of_one_process() const { return rows_.communicator.size() == 1; }
  /// As VectorSums::start, where all rows are this process's.
  template <class Body, class Then>
  void start(const std::string& label, const Body& body, const Then& then) {
    sums_.start(label, body, then);
  }

  /// \cond
  // (Public for nvcc.)
  template <class Body>
  struct Counted {
    index_t owned;
    index_t skipped;  // behind the counted rows of a component
    Body body;
    KOKKOS_FUNCTION void operator()(index_t i, double (&sums)[N]) const {
      body(skipped == 0 ? i : i + i / owned * skipped, sums);
    }
  };
  /// \endcond

 private:
  [[nodiscard]] index_t skipped() const {
    return rows_.components > 1 ? rows_.here - rows_.owned : 0;
  }

  RowsOfProcess rows_;
  VectorSums<N, Exec> sums_;
};

namespace detail {

// (What no integrand changes is compiled for all of them together.)

template <class T, class Exec>
struct Subtract {
  Vector<T, Exec> x, y;
  KOKKOS_FUNCTION void operator()(index_t i) const { y(i) -= x(i); }
};

// y -= x; [x.extent(0)].
template <class T, ExecutionSpace Exec>
void subtract(const Exec& exec, const Vector<T, Exec>& x, const Vector<T, Exec>& y) {
  forall(exec, "kolam::subtract", static_cast<index_t>(x.extent(0)), Subtract<T, Exec>{x, y});
}

// x = numbers by where the node lies.
template <class T, int Dim, class Exec>
struct FillByPosition {
  index_t nodes, unknowns;
  int components;
  Kokkos::View<const int*, typename Exec::memory_space> unknown;
  ConstVector<T, Exec> coordinates;
  Vector<T, Exec> x;
  KOKKOS_FUNCTION void operator()(index_t node) const {
    if (unknown(node) < 0) return;
    std::uint64_t hash = 0;
    for (int k = 0; k < Dim; ++k) hash = mixed(hash + bits_of(coordinates(node + k * nodes)));
    for (int c = 0; c < components; ++c)
      x(unknown(node) + c * unknowns) = number_of<T>(hash + static_cast<unsigned>(c));
  }
};

// See MatrixFree.
template <class T, int Dim, ExecutionSpace Exec>
void scatter_numbers(const FunctionSpace<T, Dim, Exec>& space, int components,
                     const std::type_identity_t<Vector<T, Exec>>& x) {
  forall(space.exec, "kolam::scatter_numbers", space.nodes.entries,
         FillByPosition<T, Dim, Exec>{space.nodes.entries, space.unknowns.entries, components,
                                      space.unknown_of_node, space.coordinates, x});
}

}  // namespace detail

namespace detail {

// An integrand as an operator needs it, without its type.
template <class T, int Dim, ExecutionSpace Exec>
struct AnyIntegrand {
  virtual ~AnyIntegrand() = default;
  // What apply_elements and add_element_diagonal do.
  virtual void apply(const Exec& exec, const ElementBasis& basis,
                     const ElementRestriction<T, Exec>& from, const ConstVector<T, Exec>& x,
                     const ElementRestriction<T, Exec>& to, const Vector<T, Exec>& y) const = 0;
  virtual void add_diagonal(const Exec& exec, const ElementBasis& basis,
                            const ElementRestriction<T, Exec>& map,
                            const Vector<T, Exec>& d) const = 0;
};
template <class T, int Dim, ExecutionSpace Exec, Integrand F>
struct IntegrandOf final : AnyIntegrand<T, Dim, Exec> {
  F f;
  explicit IntegrandOf(const F& integrand) : f(integrand) {}
  void apply(const Exec& exec, const ElementBasis& basis, const ElementRestriction<T, Exec>& from,
             const ConstVector<T, Exec>& x, const ElementRestriction<T, Exec>& to,
             const Vector<T, Exec>& y) const override {
    apply_elements<Dim, T, Exec>(exec, basis, f, from, x, to, y);
  }
  void add_diagonal(const Exec& exec, const ElementBasis& basis,
                    const ElementRestriction<T, Exec>& map,
                    const Vector<T, Exec>& d) const override {
    add_element_diagonal<Dim, T, Exec>(exec, basis, f, map, d);
  }
};

}  // namespace detail

/// An operator on the unknowns of a space, whatever its integrand and the number of its components:
/// what solvers of any integrand are compiled for. MatrixFree makes one. Rows of Dirichlet nodes do
/// not exist, so it is symmetric if the integrand is. Copies share the memory. If several processes
/// have the space, all of them call the functions on vectors, and wait for each other's messages
/// there.
template <class T, int Dim, ExecutionSpace Exec>
class SpaceOperator {
 public:
  using value_type = T;          ///< of vectors
  using execution_space = Exec;  ///< that it works on

  /// The space that it was made of.
  [[nodiscard]] const FunctionSpace<T, Dim, Exec>& space() const { return space_; }
  /// The instance that it works on: that of the space.
  [[nodiscard]] const Exec& exec() const { return space_.exec; }
  /// The length of vectors in this process: unknowns of all components.
  [[nodiscard]] index_t rows() const { return space_.unknowns.entries * components_; }
  /// The same, and which of them count here in sums.
  [[nodiscard]] RowsOfProcess rows_of_process() const { return space_.rows(components_); }

  /// y = A x; [rows()] both. See apply_elements for what it costs.
  void apply(const ConstVector<T, Exec>& x, const Vector<T, Exec>& y) const {
    Kokkos::deep_copy(kokkos_instance(exec()), y, T(0));
    apply_add(x, y);
  }
  /// y += A x.
  void apply_add(const ConstVector<T, Exec>& x, const Vector<T, Exec>& y) const {
    space_.add_up(y, components_, [&] {
      integrand_->apply(exec(), space_.basis, space_.unknowns, x, space_.unknowns, y);
    });
  }
  /// b -= A g: what known values on Dirichlet nodes are for the right-hand side. g: [nodes,
  /// components], nodes fastest, zero where there are unknowns.
  void subtract_known(const ConstVector<T, Exec>& g, const Vector<T, Exec>& b) const {
    const Vector<T, Exec> a_g = space_.vector("kolam::A g", components_);
    space_.add_up(a_g, components_, [&] {
      integrand_->apply(exec(), space_.basis, space_.nodes, g, space_.unknowns, a_g);
    });
    detail::subtract<T>(exec(), a_g, b);
    exec().fence("kolam::subtract_known: A g ends here");
  }
  /// d = the diagonal; [rows()]. Set-up: see add_element_diagonal.
  void diagonal(const Vector<T, Exec>& d) const {
    Kokkos::deep_copy(kokkos_instance(exec()), d, T(0));
    space_.add_up(d, components_,
                  [&] { integrand_->add_diagonal(exec(), space_.basis, space_.unknowns, d); });
  }
  /// x = numbers from -1 to 1 that look random, always the same where the nodes are the same,
  /// however they are numbered.
  void scatter_numbers(const Vector<T, Exec>& x) const {
    detail::scatter_numbers(space_, components_, x);
  }

 protected:
  /// \cond
  using AnyIntegrand = detail::AnyIntegrand<T, Dim, Exec>;
  SpaceOperator(const FunctionSpace<T, Dim, Exec>& space, int components,
                std::shared_ptr<const AnyIntegrand> integrand)
      : space_(space), components_(components), integrand_(std::move(integrand)) {}
  [[nodiscard]] const AnyIntegrand& any_integrand() const { return *integrand_; }
  /// \endcond

 private:
  FunctionSpace<T, Dim, Exec> space_;
  int components_;
  std::shared_ptr<const AnyIntegrand> integrand_;
};

/// The operator of an integrand on the unknowns of a space. As a SpaceOperator it works in the same
/// way.
template <class T, int Dim, ExecutionSpace Exec, Integrand F>
class MatrixFree : public SpaceOperator<T, Dim, Exec> {
 public:
  static constexpr int components = F::components;  ///< of a field

  /// Keeps copies of both.
  MatrixFree(const FunctionSpace<T, Dim, Exec>& space, const F& integrand)
      : SpaceOperator<T, Dim, Exec>(space, components, std::make_shared<const Model>(integrand)) {}

  /// The integrand that it was made of.
  [[nodiscard]] const F& integrand() const {
    return static_cast<const Model&>(this->any_integrand()).f;
  }

 private:
  using Model = detail::IntegrandOf<T, Dim, Exec, F>;
};

namespace detail {

// See below.
template <class T, int Dim, ExecutionSpace Exec, class F>
void add_source(const FunctionSpace<T, Dim, Exec>& space, const F& f, int components,
                const Vector<T, Exec>& b) {
  const index_t entries = space.unknowns.entries;
  require_length("b", b.extent(0), entries, components);
  const Source<T, 1, Exec> source{
      mass_data<Dim>(space.exec, space.basis, space.nodes, space.coordinates, f)};
  space.add_up(b, components, [&] {
    for (int c = 0; c < components; ++c) {
      apply_elements<Dim, T, Exec>(space.exec, space.basis, source, space.unknowns, {},
                                   space.unknowns,
                                   Kokkos::subview(b, std::pair(c * entries, (c + 1) * entries)));
    }
  });
  space.exec.fence("kolam::add_source: the data end here");
}

}  // namespace detail

/// b += (f, v) for each of `Components` components; f is a functor on MappedPoint<T, Dim>. b: of
/// space.vector(label, Components). Throws InvalidArgument for a b that is too short. Waits. All
/// processes of the space call it.
template <int Components = 1, class T, int Dim, ExecutionSpace Exec, class F>
void add_source(const FunctionSpace<T, Dim, Exec>& space, const F& f,
                const std::type_identity_t<Vector<T, Exec>>& b) {
  detail::add_source(space, f, Components, b);
}

}  // namespace kolam
