// SPDX-License-Identifier: Apache-2.0
#include <HYPRE.h>
#include <HYPRE_IJ_mv.h>
#include <HYPRE_parcsr_ls.h>
#include <HYPRE_parcsr_mv.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <kolam/comm/transport/mpi.hpp>
#include <kolam/core/detail/to_space.hpp>
#include <kolam/fem/boomer_amg.hpp>
#include <kolam/fem/detail/element_matrix.hpp>
#include <limits>
#include <numeric>
#include <vector>

namespace kolam::fem {
namespace detail {
namespace {

void check(HYPRE_Int error, const char* call) {
  if (error == 0) return;
  std::string text(1024, '\0');
  HYPRE_DescribeError(error, text.data());
  HYPRE_ClearAllErrors();
  throw Error(fmt::format("hypre: {} failed: {}", call, text.c_str()));
}
#define KOLAM_HYPRE(call, ...) kolam::fem::detail::check(call(__VA_ARGS__), #call)

// Starts hypre once, and MPI if it is not running.
void start() {
  static const bool started = [] {
    int is_started = 0;
    MPI_Initialized(&is_started);
    if (is_started == 0) {
      int level = MPI_THREAD_SINGLE;
      MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &level);
      std::atexit([] { MPI_Finalize(); });
    }
    HYPRE_Init();
    HYPRE_SetMemoryLocation(HYPRE_MEMORY_HOST);
    HYPRE_SetExecutionPolicy(HYPRE_EXEC_HOST);
    return true;
  }();
  static_cast<void>(started);
}

// A separate MPI communicator for hypre.
struct Processes {
  MPI_Comm comm = MPI_COMM_NULL;
  explicit Processes(const Communicator& processes) {
    start();
    MPI_Comm_dup(comm::mpi_communicator(processes), &comm);
  }
  ~Processes() {
    int ended = 0;
    MPI_Finalized(&ended);
    if (ended == 0) MPI_Comm_free(&comm);
  }
  Processes(const Processes&) = delete;
  Processes& operator=(const Processes&) = delete;
};

// The rows of a process in hypre's numbering.
struct Rows {
  int components;
  index_t here, owned;               // rows per component
  HYPRE_BigInt first;                // number of the first row that this process owns
  std::vector<HYPRE_BigInt> number;  // of each row of this process, [here, components]

  HYPRE_BigInt last() const { return first + static_cast<HYPRE_BigInt>(owned * components) - 1; }
};

class Matrix {
 public:
  Matrix(MPI_Comm comm, const Rows& rows, const auto& row_begin, const auto& columns,
         const auto& values) {
    const HYPRE_BigInt last = rows.last();
    KOLAM_HYPRE(HYPRE_IJMatrixCreate, comm, rows.first, last, rows.first, last, &matrix_);
    KOLAM_HYPRE(HYPRE_IJMatrixSetObjectType, matrix_, HYPRE_PARCSR);
    KOLAM_HYPRE(HYPRE_IJMatrixInitialize, matrix_);
    std::vector<HYPRE_BigInt> column;
    std::vector<HYPRE_Real> number;
    for (std::size_t row = 0; row + 1 < row_begin.extent(0); ++row) {
      column.clear();
      number.clear();
      for (index_t k = row_begin(row); k < row_begin(row + 1); ++k) {
        const auto at = static_cast<std::size_t>(k);
        column.push_back(rows.number[static_cast<std::size_t>(columns(at))]);
        number.push_back(static_cast<HYPRE_Real>(values(at)));
      }
      HYPRE_Int count = static_cast<HYPRE_Int>(column.size());
      KOLAM_HYPRE(HYPRE_IJMatrixAddToValues, matrix_, 1, &count, &rows.number[row], column.data(),
                  number.data());
    }
    KOLAM_HYPRE(HYPRE_IJMatrixAssemble, matrix_);
  }
  ~Matrix() { HYPRE_IJMatrixDestroy(matrix_); }
  Matrix(const Matrix&) = delete;
  Matrix& operator=(const Matrix&) = delete;

  HYPRE_ParCSRMatrix get() const {
    void* object = nullptr;
    KOLAM_HYPRE(HYPRE_IJMatrixGetObject, matrix_, &object);
    return static_cast<HYPRE_ParCSRMatrix>(object);
  }

 private:
  HYPRE_IJMatrix matrix_ = nullptr;
};

class Vector {
 public:
  Vector(MPI_Comm comm, const Rows& rows)
      : numbers_(static_cast<std::size_t>(rows.owned * rows.components)) {
    std::iota(numbers_.begin(), numbers_.end(), rows.first);
    KOLAM_HYPRE(HYPRE_IJVectorCreate, comm, rows.first, rows.last(), &vector_);
    KOLAM_HYPRE(HYPRE_IJVectorSetObjectType, vector_, HYPRE_PARCSR);
    set(std::vector<HYPRE_Real>(numbers_.size()));
  }
  ~Vector() { HYPRE_IJVectorDestroy(vector_); }
  Vector(const Vector&) = delete;
  Vector& operator=(const Vector&) = delete;

  void set(const std::vector<HYPRE_Real>& values) {
    KOLAM_HYPRE(HYPRE_IJVectorInitialize, vector_);
    KOLAM_HYPRE(HYPRE_IJVectorSetValues, vector_, count(), numbers_.data(), values.data());
    KOLAM_HYPRE(HYPRE_IJVectorAssemble, vector_);
  }
  void set_zero() { KOLAM_HYPRE(HYPRE_ParVectorSetConstantValues, get(), 0); }
  void get(std::vector<HYPRE_Real>& values) const {
    KOLAM_HYPRE(HYPRE_IJVectorGetValues, vector_, count(), numbers_.data(), values.data());
  }
  HYPRE_ParVector get() const {
    void* object = nullptr;
    KOLAM_HYPRE(HYPRE_IJVectorGetObject, vector_, &object);
    return static_cast<HYPRE_ParVector>(object);
  }

 private:
  HYPRE_Int count() const { return static_cast<HYPRE_Int>(numbers_.size()); }
  std::vector<HYPRE_BigInt> numbers_;
  HYPRE_IJVector vector_ = nullptr;
};

class Solver {
 public:
  Solver(const Rows& rows, int dimensions, const BoomerAmgOptions& options) {
    KOLAM_HYPRE(HYPRE_BoomerAMGCreate, &solver_);
    KOLAM_HYPRE(HYPRE_BoomerAMGSetPrintLevel, solver_, 0);
    KOLAM_HYPRE(HYPRE_BoomerAMGSetMaxIter, solver_, options.cycles);
    KOLAM_HYPRE(HYPRE_BoomerAMGSetTol, solver_, 0);
    const double usual = dimensions == 3 ? 0.5 : 0.25;
    KOLAM_HYPRE(HYPRE_BoomerAMGSetStrongThreshold, solver_,
                options.strong_threshold > 0 ? options.strong_threshold : usual);
    // Forward sweeps on the way down and backward sweeps on the way up make the cycle symmetric;
    // Gaussian elimination on the coarsest level.
    KOLAM_HYPRE(HYPRE_BoomerAMGSetCycleRelaxType, solver_, 13, 1);
    KOLAM_HYPRE(HYPRE_BoomerAMGSetCycleRelaxType, solver_, 14, 2);
    KOLAM_HYPRE(HYPRE_BoomerAMGSetCycleRelaxType, solver_, 9, 3);
    if (rows.components == 1) return;
    KOLAM_HYPRE(HYPRE_BoomerAMGSetNumFunctions, solver_, rows.components);
    const auto count = static_cast<std::size_t>(rows.owned * rows.components);
    auto* const component = static_cast<HYPRE_Int*>(std::calloc(count + 1, sizeof(HYPRE_Int)));
    if (component == nullptr) throw std::bad_alloc();
    for (std::size_t i = 0; i < count; ++i)
      component[i] = static_cast<HYPRE_Int>(static_cast<index_t>(i) / rows.owned);
    KOLAM_HYPRE(HYPRE_BoomerAMGSetDofFunc, solver_, component);  // takes ownership
  }
  ~Solver() { HYPRE_BoomerAMGDestroy(solver_); }
  Solver(const Solver&) = delete;
  Solver& operator=(const Solver&) = delete;
  HYPRE_Solver get() const { return solver_; }

 private:
  HYPRE_Solver solver_ = nullptr;
};

// Numbers the rows process by process, and in each process component by component.
template <class T, int Dim, ExecutionSpace Exec>
Rows rows_of(const FunctionSpace<T, Dim, Exec>& space, int components) {
  const comm::RowDistribution of = space.rows(components);
  Rows rows{components, of.here, of.owned, 0, {}};
  const std::vector<index_t> owned = of.communicator.all_gather(of.owned * components);
  const index_t first =
      std::accumulate(owned.begin(), owned.begin() + of.communicator.rank(), index_t{0});
  const index_t all = std::accumulate(owned.begin(), owned.end(), index_t{0});
  if (all > std::numeric_limits<HYPRE_BigInt>::max()) {
    throw InvalidArgument(fmt::format(
        "BoomerAmg: {} rows, and this hypre counts to {}; use one that is configured with "
        "--enable-bigint",
        all, std::numeric_limits<HYPRE_BigInt>::max()));
  }
  rows.first = static_cast<HYPRE_BigInt>(first);
  std::vector<double> number(static_cast<std::size_t>(of.here * components));
  for (int c = 0; c < components; ++c)
    for (index_t i = 0; i < of.owned; ++i)
      number[static_cast<std::size_t>(i + c * of.here)] =
          static_cast<double>(first + i + c * of.owned);
  if (space.shared) {  // Numbers of other processes' rows, from their owners. (Exact to 2^53.)
    const auto numbers = kolam::detail::to_space<double>(space.exec, "kolam::rows", number);
    const auto there =
        kolam::detail::allocate_view<Kokkos::View<double*, typename Exec::memory_space>>(
            space.exec, "kolam::rows", number.size());
    Kokkos::deep_copy(kokkos_instance(space.exec), there, numbers);
    space.shared->template keep_owned<double>(there, components);
    space.shared->template add<double>(there, components);
    space.exec.fence("kolam::BoomerAmg");
    const auto here = kolam::detail::readable_on_host(there);
    std::copy_n(here.data(), number.size(), number.begin());
  }
  for (const double each : number) rows.number.push_back(static_cast<HYPRE_BigInt>(each));
  return rows;
}

}  // namespace
}  // namespace detail

bool has_boomer_amg() { return true; }

template <class T, ExecutionSpace Exec>
struct BoomerAmg<T, Exec>::Implementation {
  template <int Dim>
  Implementation(const Operator<T, Dim, Exec>& a, const BoomerAmgOptions& options)
      : exec(a.exec()),
        shared(a.space().shared),
        processes(a.row_distribution().communicator),
        rows(detail::rows_of(a.space(), a.components())),
        matrix(matrix_of(a)),
        b(processes.comm, rows),
        x(processes.comm, rows),
        solver(rows, Dim, options),
        values(static_cast<std::size_t>(rows.owned * rows.components)),
        on_host("kolam::BoomerAmg", static_cast<std::size_t>(a.rows())) {
    KOLAM_HYPRE(HYPRE_BoomerAMGSetup, solver.get(), matrix->get(), b.get(), x.get());
  }

  template <int Dim>
  std::unique_ptr<detail::Matrix> matrix_of(const Operator<T, Dim, Exec>& a) const {
    const auto here = detail::matrix_of_elements(a);
    exec.fence("kolam::BoomerAmg");
    return std::make_unique<detail::Matrix>(processes.comm, rows,
                                            kolam::detail::readable_on_host(here.row_begin),
                                            kolam::detail::readable_on_host(here.columns),
                                            kolam::detail::readable_on_host(here.values));
  }

  // Calls f(entry in this process' vectors, entry in hypre's vectors) for all owned entries.
  template <class F>
  void for_owned(const F& f) const {
    for (int c = 0; c < rows.components; ++c)
      for (index_t i = 0; i < rows.owned; ++i)
        f(static_cast<std::size_t>(i + c * rows.here),
          static_cast<std::size_t>(i + c * rows.owned));
  }

  Exec exec;
  std::shared_ptr<const comm::SharedDofs<Exec>> shared;
  detail::Processes processes;
  detail::Rows rows;
  std::unique_ptr<detail::Matrix> matrix;
  mutable detail::Vector b, x;
  detail::Solver solver;
  mutable std::vector<HYPRE_Real> values;
  Kokkos::View<T*, Kokkos::HostSpace> on_host;  // host copy of a vector of this process
};

template <class T, ExecutionSpace Exec>
template <int Dim>
BoomerAmg<T, Exec>::BoomerAmg(const Operator<T, Dim, Exec>& a, const BoomerAmgOptions& options)
    : implementation_(std::make_shared<const Implementation>(a, options)) {}

template <class T, ExecutionSpace Exec>
void BoomerAmg<T, Exec>::apply(const linear::ConstVector<T, Exec>& b,
                               const linear::Vector<T, Exec>& x) const {
  const Implementation& it = *implementation_;
  const auto instance = kokkos_instance(it.exec);
  Kokkos::deep_copy(instance, it.on_host, b);
  it.exec.fence("kolam::BoomerAmg");
  it.for_owned([&](std::size_t here, std::size_t there) {
    it.values[there] = static_cast<HYPRE_Real>(it.on_host(here));
  });
  it.b.set(it.values);
  it.x.set_zero();
  detail::check(HYPRE_BoomerAMGSolve(it.solver.get(), it.matrix->get(), it.b.get(), it.x.get()),
                "HYPRE_BoomerAMGSolve");
  it.x.get(it.values);
  Kokkos::deep_copy(it.on_host, T(0));  // (rows of other processes stay zero)
  it.for_owned([&](std::size_t here, std::size_t there) {
    it.on_host(here) = static_cast<T>(it.values[there]);
  });
  Kokkos::deep_copy(instance, x, it.on_host);
  if (it.shared) it.shared->template add<T>(x, it.rows.components);
  it.exec.fence("kolam::BoomerAmg");
}

#define KOLAM_INSTANTIATE(EXEC) \
  KOLAM_BOOMER_AMG(float, EXEC) \
  KOLAM_BOOMER_AMG(double, EXEC)
KOLAM_FOR_EACH_EXECUTION_SPACE(KOLAM_INSTANTIATE)

}  // namespace kolam::fem
