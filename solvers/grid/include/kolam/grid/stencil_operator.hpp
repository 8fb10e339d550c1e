// SPDX-License-Identifier: Apache-2.0
// A stencil on a grid as an operator for solvers.
#pragma once

#include <Kokkos_Core.hpp>
#include <array>
#include <kolam/comm/decomposition.hpp>
#include <kolam/core/for_each.hpp>
#include <kolam/grid/detail/stencil_fields.hpp>
#include <kolam/grid/detail/user_values.hpp>
#include <kolam/grid/detail/vector_ghosts.hpp>
#include <kolam/grid/field.hpp>
#include <kolam/grid/grid.hpp>
#include <kolam/kernels/stencil/detail/apply_stencil.hpp>
#include <kolam/kernels/stencil/linear_stencil.hpp>
#include <kolam/linear/detail/relax.hpp>
#include <kolam/linear/operator.hpp>
#include <kolam/linear/runge_kutta.hpp>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace kolam::grid {

/// The matrix-free operator A of a linear stencil on a grid: a LinearOperator. Its vectors have the
/// points of this process' subdomain, x fastest, without ghosts, which the operator keeps itself.
/// If the stencil has several fields, vectors have one field after the other. Copies share
/// coefficients and ghosts. (A stencil that is not linear has no matrix, but can use apply and
/// apply_stage.)
/// \code
///   auto a = kolam::grid::stencil_operator<double>(exec, Conduction{}, grid);
///   a.set_coefficient(0, AtFaces{grid.extents[0], 0});
///   a.set_coefficient(1, AtFaces{grid.extents[1], 1});
///   auto diagonal = a.vector("diagonal");
///   a.diagonal(diagonal.write(exec));
/// \endcode
template <class T, class S, ExecutionSpace Exec, class F = NoBoundaryFunctor>
  requires LinearStencilOf<S, T>
class StencilOperator {
 public:
  using value_type = T;                             ///< type of vector entries
  using execution_space = Exec;                     ///< execution space of its kernels
  static constexpr int dimensions = S::dimensions;  ///< dimensions of the grid
  static constexpr int fields = stencil_fields<S>;  ///< number of unknown fields

  /// Makes the operator of `stencil` on `grid`. `functor`: for sides with Boundary::functor (see
  /// NoBoundaryFunctor). `cut`: replaces grid.decomposition. All processes of the grid call it.
  /// Throws InvalidArgument for a grid without points, or with too few for its processes, for a
  /// periodic side opposite to one that is not, and for sides with Boundary::functor if no
  /// functor is given; OutOfMemory.
  StencilOperator(const Exec& exec, const S& stencil, const Grid<dimensions>& grid,
                  const F& functor = {},
                  const std::optional<comm::Decomposition<dimensions>>& cut = {})
      : shared_(std::make_shared<Shared>(exec, stencil, grid, functor,
                                         cut ? *cut : detail::decompose(grid))) {}

  /// Returns the instance of its kernels.
  const Exec& exec() const { return shared_->exec; }
  /// Returns the grid that it was made for.
  const Grid<dimensions>& grid() const { return shared_->grid; }
  /// Returns the decomposition of the grid; subdomain r is in the process of rank r.
  const comm::Decomposition<dimensions>& decomposition() const { return shared_->decomposition; }
  /// Returns the transports of halos, in words.
  std::string transport() const { return shared_->ghosts.transport(); }
  /// Returns the points of this process' subdomain, by their indices in the whole grid.
  Box<dimensions> own() const { return shared_->decomposition.own(rank()); }
  /// Returns the number of these points along a dimension, counted from 0.
  index_t own_points(std::size_t dimension) const { return sides().own[dimension]; }
  /// Returns the number of these points.
  index_t points() const { return shared_->layout.points(); }
  /// Returns the number of rows of the matrix in this process: points() for each field.
  index_t rows() const { return fields * points(); }
  /// Returns the distribution of the rows; each process counts its own.
  comm::RowDistribution row_distribution() const {
    return {rows(), rows(), 1, shared_->grid.communicator};
  }
  /// Returns a vector of zeros, [rows()], x fastest, one field after the other. Throws OutOfMemory.
  Array<T> vector(const std::string& label) const {
    return linear::zeros<T>(exec(), label, rows());
  }

  /// Sets coefficient `number`, from 0, at the points of the subdomain and the points next to them.
  /// Asynchronous. Throws InvalidArgument for a number that the stencil does not have. g is either
  /// - a functor, called on the device as g(i, j) or g(i, j, k) with indices in the whole grid:
  ///   beyond a side an index is -1 or the extent (in a periodic dimension, it is that of a point
  ///   at the other end); or
  /// - a vector, an Array or a View, [points()]: a point beyond a side then has the value of the
  ///   nearest point (in a periodic dimension, of a point at the other end). All processes call it.
  ///   Throws InvalidArgument for another length.
  template <class G>
  void set_coefficient(int number, const G& g) {
    Shared& s = *shared_;
    detail::require_coefficient("StencilOperator", number, stencil_coefficients<S>);
    auto& field = s.coefficients[static_cast<std::size_t>(number)];
    if constexpr (std::convertible_to<const G&, linear::ReadVector<T, Exec>>) {
      const linear::ConstVector<T, Exec> values = linear::ReadVector<T, Exec>(g).read(exec());
      require_values("set_coefficient", values, points());
      const linear::Vector<T, Exec> with_ghosts = field.write(exec());
      s.ghosts.copy(values, with_ghosts);
      for_each(exec(), "kolam::stencil: coefficient beyond sides", with_layer(),
               detail::ExtendBeyondSides<Matrix, T>{s.matrix, with_ghosts.data()});
    } else {
      const detail::SetCoefficient<Matrix, T, G> set{s.matrix, field.write(exec()).data(), g};
      for_each(exec(), "kolam::stencil: coefficient", with_layer(), set);
    }
  }

  ///@{
  /// Sets y = A x, or adds A x to y; x and y are [rows()], not the same memory. Asynchronous on
  /// devices. With several processes, exchanges halos meanwhile; all of them call it. One call at a
  /// time. Throws InvalidArgument for other lengths and for a coefficient that was never set.
  /// Moves x, y (twice for y += A x) and the coefficients once.
  void apply(const linear::ConstVector<T, Exec>& x, const linear::Vector<T, Exec>& y) const {
    require_rows("apply", x);
    apply_to(x.data(), target<kolam::detail::StencilProduct::set>(y));
  }
  void apply_add(const linear::ConstVector<T, Exec>& x, const linear::Vector<T, Exec>& y) const {
    require_rows("apply_add", x);
    apply_to(x.data(), target<kolam::detail::StencilProduct::add>(y));
  }
  ///@}
  /// Sets y = A x and returns x . A x over all processes, in one sweep: y is not read again. Waits,
  /// otherwise as apply. The bits of the sum do not depend on the number of threads.
  double apply_dot(const linear::ConstVector<T, Exec>& x, const linear::Vector<T, Exec>& y) const {
    start_dot(x, y, shared_->dot.store());
    return wait_for_dot();
  }
  /// Sets p = z + beta before and y = A p, and returns p . A p over all processes, in one sweep,
  /// for conjugate gradients: p is not read again. (Only in 2D: in 3D, devices take longer to
  /// compute p at seven points than to read it.) No two of the vectors are the same memory. Waits,
  /// otherwise as apply.
  double apply_direction(const linear::ConstVector<T, Exec>& z, T beta,
                         const linear::ConstVector<T, Exec>& before,
                         const linear::Vector<T, Exec>& p, const linear::Vector<T, Exec>& y) const
    requires(S::dimensions == 2)
  {
    start_direction(z, beta, before, p, y, shared_->dot.store());
    return wait_for_dot();
  }

  /// \cond
  // The same two without waiting, in one process: then(sums) is called once, on the device.
  template <class Then>
  void start_dot(const linear::ConstVector<T, Exec>& x, const linear::Vector<T, Exec>& y,
                 const Then& then) const {
    require_rows("apply_dot", x);
    apply_to(x.data(), target<kolam::detail::StencilProduct::set_and_dot>(y), then);
  }
  template <class Then>
    requires(S::dimensions == 2)
  void start_direction(const linear::ConstVector<T, Exec>& z, T beta,
                       const linear::ConstVector<T, Exec>& before, const linear::Vector<T, Exec>& p,
                       const linear::Vector<T, Exec>& y, const Then& then) const {
    require_rows("apply_direction", z);
    require_rows("apply_direction", before);
    require_rows("apply_direction", p);
    auto of = target<kolam::detail::StencilProduct::direction>(y);
    of.p = p.data();
    apply_to(kolam::detail::Combination<T>{z.data(), before.data(), beta}, of, then);
  }
  /// \endcond

  /// Sets y = of_x x + of_product A x + the sum of the terms, in one sweep, for stages of explicit
  /// steps. y may be the vector of a term, but not x. Moves x, y, the terms and the coefficients
  /// once, otherwise as apply.
  template <std::size_t Terms>
  void apply_stage(const linear::ConstVector<T, Exec>& x, T of_x, T of_product,
                   const std::array<linear::Term<T, Exec>, Terms>& terms,
                   const linear::Vector<T, Exec>& y) const {
    require_rows("apply_stage", x);
    require_rows("apply_stage", y);
    kolam::detail::StageTarget<T, Terms> target{y.data(), of_x, of_product, {}, {}};
    for (std::size_t i = 0; i < Terms; ++i) {
      require_rows("apply_stage", terms[i].vector);
      target.of_others[i] = terms[i].factor;
      target.others[i] = terms[i].vector.data();
    }
    apply_to(x.data(), target);
  }

  /// \cond
  // Makes a step of a smoother in one sweep, see linear::detail::relax_at_once.
  bool relax(const linear::ConstVector<T, Exec>& b, const linear::ConstVector<T, Exec>& inverse,
             const linear::ConstVector<T, Exec>& x, const linear::detail::StepFactors<T>& factors,
             const linear::Vector<T, Exec>& y) const {
    if (inverse.data() == nullptr) {  // a residual
      apply_stage(x, factors.of_x, -factors.of_r,
                  std::array{linear::Term<T, Exec>{factors.of_r, b}}, y);
      return true;
    }
    require_rows("apply", x);
    require_rows("apply", y);
    apply_to(x.data(), kolam::detail::RelaxTarget<T>{y.data(), b.data(), inverse.data(),
                                                     factors.of_x, factors.of_y, factors.of_r});
    return true;
  }
  /// \endcond

  /// Sets d, [rows()], to the diagonal, including boundaries. Asynchronous; for set-up. Throws as
  /// apply.
  void diagonal(const linear::Vector<T, Exec>& d) const {
    require_rows("diagonal", d);
    const Matrix a = matrix();
    for_each(exec(), "kolam::stencil: diagonal", shared_->layout.all(),
             kolam::detail::SetDiagonal<Matrix, T>{a, d.data()});
  }

  /// Subtracts the lift A g from b: g is zero in the grid and g(i, j) or g(i, j, k) at the points
  /// beyond Dirichlet sides, with indices in the whole grid (with several fields g(field, i, j) or
  /// g(field, i, j, k)). A x = b then gives the solution with these values. b: an Array or a View,
  /// [rows()]. Asynchronous. Throws as apply.
  template <class G>
  void apply_lift(const G& g, const linear::WriteVector<T, Exec>& b) const {
    const linear::Vector<T, Exec> right = b.read_write(exec());
    require_rows("apply_lift", right);
    const kolam::detail::RimPoints<dimensions> rim(sides().own);
    forall(exec(), "kolam::stencil: lift", rim.count(),
           kolam::detail::SubtractLift<Matrix, T, G>{matrix(), g, right.data(), rim});
  }

  /// Sets x, an Array or a View, [rows()], to g(i, j) or g(i, j, k) at each point of the
  /// subdomain, with indices in the whole grid (with several fields g(field, i, j) or
  /// g(field, i, j, k)). g is called on the device. Asynchronous. Throws InvalidArgument for another
  /// length.
  template <class G>
  void set_values(const linear::WriteVector<T, Exec>& x, const G& g) const {
    require_rows("set_values", x);
    for_each(exec(), "kolam::stencil: values", shared_->layout.all(),
             detail::SetValues<Matrix, T, G>{shared_->matrix, x.write(exec()).data(), g});
  }

  /// Fills x with pseudo-random numbers from -1 to 1, which at each point do not depend on the
  /// decomposition.
  void fill_random(const linear::WriteVector<T, Exec>& x) const {
    detail::RandomValues<T, dimensions> random{};
    for (std::size_t d = 0; d < dimensions; ++d) random.extents[d] = shared_->grid.extents[d];
    set_values(x, random);
  }

 private:
  using Matrix = kolam::detail::StencilMatrix<S, T, F>;

  struct Shared {
    Exec exec;
    Grid<dimensions> grid;
    comm::Decomposition<dimensions> decomposition;
    Boundaries<dimensions> boundaries;  // of the subdomain
    detail::VectorGhosts<T, dimensions, Exec, stencil_fields<S>> ghosts;
    FieldLayout<dimensions> layout;
    Matrix matrix;
    std::vector<Field<T, dimensions>> coefficients;
    std::optional<linear::detail::WorkVector<T, Exec>> zeros;
    kolam::detail::StencilDot<dimensions, Exec> dot;

    Shared(const Exec& on, const S& stencil, const Grid<dimensions>& of, const F& functor,
           const comm::Decomposition<dimensions>& cut);
  };

  int rank() const { return shared_->grid.communicator.rank(); }
  const auto& sides() const { return shared_->matrix.sides; }
  Matrix matrix() const;
  template <kolam::detail::StencilProduct Product>
  kolam::detail::ProductTarget<Product, T> target(const linear::Vector<T, Exec>& y) const {
    require_rows("apply", y);
    return {y.data(), nullptr};
  }
  template <class X, class Target>
  void apply_to(const X& x, const Target& target) const {
    apply_to(x, target, shared_->dot.store());
  }
  template <class X, class Target, class Then>
  void apply_to(const X& x, const Target& target, const Then& then) const;
  double wait_for_dot() const { return shared_->grid.communicator.sum(shared_->dot.wait()); }
  // Returns the points of the subdomain and one layer around them.
  Box<dimensions> with_layer() const {
    Box<dimensions> all = shared_->layout.all();
    for (Range& range : all) range = {range.begin - 1, range.end + 1};
    return all;
  }
  template <class View>
  void require_rows(const char* who, const View& vector) const {
    require_values(who, vector, rows());
  }
  template <class View>
  void require_values(const char* who, const View& vector, index_t count) const;

  std::shared_ptr<Shared> shared_;
};

/// Returns the operator of a stencil with vectors of T: see StencilOperator's constructor.
template <class T, ExecutionSpace Exec, class S, class F = NoBoundaryFunctor>
auto stencil_operator(const Exec& exec, const S& stencil, const Grid<S::dimensions>& grid,
                      const F& functor = {}) {
  static_assert(
      LinearStencilOf<S, T>,
      "a stencil is trivially copyable and called with the neighbours of each field, then "
      "with each coefficient: operator()(u, k) for `coefficients = 1` (with "
      "`coefficient_neighbours`, k.center() is its value); it returns a number or, with "
      "several `fields`, a Kokkos::Array of as many");
  return StencilOperator<T, S, Exec, F>(exec, stencil, grid, functor);
}

template <class T, class S, ExecutionSpace Exec, class F>
  requires LinearStencilOf<S, T>
StencilOperator<T, S, Exec, F>::Shared::Shared(const Exec& on, const S& stencil,
                                               const Grid<dimensions>& of, const F& functor,
                                               const comm::Decomposition<dimensions>& cut)
    : exec(on),
      grid(of),
      decomposition(cut),
      boundaries(detail::own_boundaries(of, cut)),
      ghosts(on, of, cut, boundaries, stencil_corners<S> ? Ghosts::corners : Ghosts::faces),
      layout(ghosts.layout()),
      dot(exec, layout.own, boundaries) {
  const Box<dimensions> own = decomposition.own(of.communicator.rank());
  for (std::size_t d = 0; d < dimensions; ++d) {
    for (const Boundary boundary : {of.boundaries[d][0], of.boundaries[d][1]}) {
      if (boundary != Boundary::functor || !std::same_as<F, NoBoundaryFunctor>) continue;
      throw InvalidArgument(
          "StencilOperator: a side has Boundary::functor, but no functor was given; give it as the "
          "last argument");
    }
  }
  matrix = {stencil, {layout.own, {}, {}, boundaries, functor}, layout};
  matrix.ghosts = ghosts.data();
  for (std::size_t d = 0; d < dimensions; ++d) {
    matrix.sides.first[d] = own[d].begin;
    if (of.boundaries[d][0] == Boundary::periodic) matrix.sides.period[d] = of.extents[d];
  }
  for (int c = 0; c < stencil_coefficients<S>; ++c)
    coefficients.emplace_back("coefficient " + std::to_string(c), layout, c);
  if constexpr (!has_block_threads<Exec>) {
    zeros.emplace(exec, "a row of zeros", layout.own[0] + 2);
    matrix.zeros = zeros->data() + 1;
  }
}

template <class T, class S, ExecutionSpace Exec, class F>
  requires LinearStencilOf<S, T>
auto StencilOperator<T, S, Exec, F>::matrix() const -> Matrix {
  Matrix a = shared_->matrix;
  for (std::size_t c = 0; c < shared_->coefficients.size(); ++c)
    a.coefficients[c] =
        detail::read_set(shared_->coefficients[c], exec(), "set_coefficient").data();
  return a;
}

template <class T, class S, ExecutionSpace Exec, class F>
  requires LinearStencilOf<S, T>
template <class X, class Target, class Then>
void StencilOperator<T, S, Exec, F>::apply_to(const X& x, const Target& target,
                                              const Then& then) const {
  const Matrix a = matrix();
  const auto apply_at = [&](kolam::detail::StencilRows rows) {
    kolam::detail::apply_stencil(exec(), a, x, target, rows, &shared_->dot, then);
  };
  if (!shared_->ghosts.has_neighbours()) {
    apply_at(kolam::detail::StencilRows::all);
    return;
  }
  shared_->ghosts.start(x);
  apply_at(kolam::detail::StencilRows::inside);
  shared_->ghosts.finish();
  apply_at(kolam::detail::StencilRows::rim);
}

template <class T, class S, ExecutionSpace Exec, class F>
  requires LinearStencilOf<S, T>
template <class View>
void StencilOperator<T, S, Exec, F>::require_values(const char* who, const View& vector,
                                                    index_t count) const {
  if (vector.extent(0) == static_cast<std::size_t>(count)) return;
  std::string has = " points";
  if (count > points()) has += " and the stencil " + std::to_string(fields) + " fields";
  if (count == rows()) has += ": use vector(label)";
  const std::string label = vector.label();  // (intents on Arrays return Views without one)
  throw InvalidArgument(std::string("StencilOperator::") + who + ": a vector" +
                        (label.empty() ? "" : " '" + label + "'") + " has " +
                        std::to_string(vector.extent(0)) + " values; the subdomain has " +
                        std::to_string(points()) + has);
}

}  // namespace kolam::grid
