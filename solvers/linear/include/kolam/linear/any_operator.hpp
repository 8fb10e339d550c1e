// SPDX-License-Identifier: Apache-2.0
// Type-erased operators and preconditioners, for which the library has compiled solvers.
#pragma once

#include <kolam/linear/detail/relax.hpp>
#include <kolam/linear/operator.hpp>
#include <memory>
#include <utility>

namespace kolam::linear {

/// A type-erased Applicable, a preconditioner. Copies share it.
template <class T, ExecutionSpace Exec>
class AnyApplicable {
 public:
  using value_type = T;          ///< type of vector entries
  using execution_space = Exec;  ///< execution space of its kernels

  /// Wraps a copy of m.
  template <Applicable<T, Exec> M>
    requires(!std::same_as<M, AnyApplicable>)
  explicit AnyApplicable(M m) : apply_(std::make_shared<Model<M>>(std::move(m))) {}

  /// Applies m: y = M x.
  void apply(const ConstVector<T, Exec>& x, const Vector<T, Exec>& y) const { apply_->apply(x, y); }

 private:
  struct Interface {
    virtual ~Interface() = default;
    virtual void apply(const ConstVector<T, Exec>& x, const Vector<T, Exec>& y) const = 0;
  };
  template <class M>
  struct Model final : Interface {
    M m;
    explicit Model(M&& value) : m(std::move(value)) {}
    void apply(const ConstVector<T, Exec>& x, const Vector<T, Exec>& y) const override {
      m.apply(x, y);
    }
  };
  std::shared_ptr<const Interface> apply_;
};
/// Takes T and Exec from m.
template <class M>
AnyApplicable(M m) -> AnyApplicable<typename M::value_type, typename M::execution_space>;

/// A type-erased LinearOperator. Copies share it.
template <class T, ExecutionSpace Exec>
class AnyOperator {
 public:
  using value_type = T;          ///< type of vector entries
  using execution_space = Exec;  ///< execution space of its kernels

  /// Wraps a copy of a.
  template <LinearOperator A>
    requires(!std::same_as<A, AnyOperator> && std::same_as<typename A::value_type, T> &&
             std::same_as<typename A::execution_space, Exec>)
  explicit AnyOperator(A a) : model_(std::make_shared<Model<A>>(std::move(a))) {}

  ///@{
  /// Forwards to the operator; the last two to row_distribution(a) and fill_random(a, x), which
  /// have defaults for operators without these members.
  const Exec& exec() const { return model_->exec(); }
  index_t rows() const { return model_->rows(); }
  void apply(const ConstVector<T, Exec>& x, const Vector<T, Exec>& y) const { model_->apply(x, y); }
  void apply_add(const ConstVector<T, Exec>& x, const Vector<T, Exec>& y) const {
    model_->apply_add(x, y);
  }
  void diagonal(const Vector<T, Exec>& d) const { model_->diagonal(d); }
  comm::RowDistribution row_distribution() const { return model_->row_distribution(); }
  void fill_random(const Vector<T, Exec>& x) const { model_->fill_random(x); }
  ///@}
  /// \cond
  // See detail::relax_at_once.
  bool relax(const ConstVector<T, Exec>& b, const ConstVector<T, Exec>& inverse,
             const ConstVector<T, Exec>& x, const detail::StepFactors<T>& factors,
             const Vector<T, Exec>& y) const {
    return model_->relax(b, inverse, x, factors, y);
  }
  /// \endcond

 private:
  struct Interface {
    virtual ~Interface() = default;
    virtual const Exec& exec() const = 0;
    virtual index_t rows() const = 0;
    virtual void apply(const ConstVector<T, Exec>& x, const Vector<T, Exec>& y) const = 0;
    virtual void apply_add(const ConstVector<T, Exec>& x, const Vector<T, Exec>& y) const = 0;
    virtual void diagonal(const Vector<T, Exec>& d) const = 0;
    virtual comm::RowDistribution row_distribution() const = 0;
    virtual void fill_random(const Vector<T, Exec>& x) const = 0;
    virtual bool relax(const ConstVector<T, Exec>& b, const ConstVector<T, Exec>& inverse,
                       const ConstVector<T, Exec>& x, const detail::StepFactors<T>& factors,
                       const Vector<T, Exec>& y) const = 0;
  };
  template <class A>
  struct Model final : Interface {
    A a;
    explicit Model(A&& value) : a(std::move(value)) {}
    const Exec& exec() const override { return a.exec(); }
    index_t rows() const override { return a.rows(); }
    void apply(const ConstVector<T, Exec>& x, const Vector<T, Exec>& y) const override {
      a.apply(x, y);
    }
    void apply_add(const ConstVector<T, Exec>& x, const Vector<T, Exec>& y) const override {
      a.apply_add(x, y);
    }
    void diagonal(const Vector<T, Exec>& d) const override { a.diagonal(d); }
    comm::RowDistribution row_distribution() const override {
      return kolam::linear::row_distribution(a);
    }
    void fill_random(const Vector<T, Exec>& x) const override { kolam::linear::fill_random(a, x); }
    bool relax(const ConstVector<T, Exec>& b, const ConstVector<T, Exec>& inverse,
               const ConstVector<T, Exec>& x, const detail::StepFactors<T>& factors,
               const Vector<T, Exec>& y) const override {
      return detail::relax_at_once(a, b, inverse, x, factors, y);
    }
  };
  std::shared_ptr<const Interface> model_;
};
/// Takes T and Exec from a.
template <LinearOperator A>
AnyOperator(A a) -> AnyOperator<typename A::value_type, typename A::execution_space>;

}  // namespace kolam::linear
