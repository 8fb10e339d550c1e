// SPDX-License-Identifier: Apache-2.0
// miniWeather: dry, stratified, compressible flow in a vertical plane, periodic along x, with rigid
// ground and lid. Finite volumes of fourth order with hyperviscosity, split by direction, three
// Runge-Kutta stages; on one or several processes, one device in each.
//   mini_weather thermal 100 50 400    (thermal, collision or density_current; cells; seconds)
//   mini_weather collision 200 100 700 picture.png       (of potential temperature; one process)
#include <array>
#include <cstdio>
#include <cstdlib>
#include <kolam/kolam.hpp>
#include <map>
#include <string>

using Exec = Kokkos::DefaultExecutionSpace;
using kolam::index_t;
using Field = kolam::grid::Field<double, 2>;
using Plane = Kokkos::View<double**, Kokkos::LayoutLeft, Exec::memory_space>;  // with ghosts
using Faces = Kokkos::View<double***, Kokkos::LayoutLeft, Exec::memory_space>;
using Column = Kokkos::View<double*, Exec::memory_space>;
enum Variable { density, momentum_x, momentum_z, density_theta, variables };
using State = std::array<Field, variables>;
using Planes = Kokkos::Array<Plane, variables>;
using Halo = kolam::grid::HaloExchange<2, Exec>;

constexpr double gravity = 9.8, cp = 1004, cv = 717, rd = 287, p0 = 1e5;
// p = c0 (rho theta)^gamma
constexpr double c0 = 27.5629410929725921310572974482, gamma_air = 1.40027894002789400278940027894;
constexpr double width = 2e4, height = 1e4, theta0 = 300;
constexpr int ghosts = 2;

struct Domain {
  index_t nx, nz, first;  // cells of this process, and its first column
  double dx, dz;
  // The background: density in the cells, ghosts included; density and pressure at the faces
  // between layers.
  Column cell{"cells", nz + 2 * ghosts}, face{"faces", nz + 1}, pressure{"pressure", nz + 1};
  Faces flux{"flux", nx + 1, nz + 1, variables};
  kolam::Box<2> cells() const { return {{{0, nx}, {0, nz}}}; }
};
struct Bubble {  // of warmer or colder air
  double kelvin = 0, z = 0, radius_x = 1, radius_z = 1;
};
using Bubbles = Kokkos::Array<Bubble, 2>;

// The hydrostatic background: constant potential temperature.
KOKKOS_FUNCTION double background(double z) {
  const double pressure = p0 * Kokkos::pow(1 - gravity * z / (cp * theta0), cp / rd);
  return Kokkos::pow(pressure / c0, 1 / gamma_air) / theta0;  // density
}
KOKKOS_FUNCTION double pressure_of(double rho_theta) {
  return c0 * Kokkos::pow(rho_theta, gamma_air);
}

// A variable in column i of layer k. Beyond ground and lid: values of the nearest layer, with no
// vertical momentum and the same wind.
KOKKOS_FORCEINLINE_FUNCTION double above_ground(const Domain& in, const Planes& u, int v, index_t i,
                                                index_t k) {
  const index_t inside = Kokkos::clamp(k, index_t{ghosts}, in.nz + ghosts - 1);
  const double nearest = u[v](i, inside);
  if (k == inside || v == density || v == density_theta) return nearest;
  return v == momentum_z ? 0 : nearest / in.cell(inside) * in.cell(k);
}

Planes planes(const Exec& exec, State& state) {
  Planes all;
  for (int v = 0; v < variables; ++v)
    all[v] = kolam::grid::with_ghosts(state[v].layout(), state[v].read_write(exec));
  return all;
}

// A step of three Runge-Kutta stages in direction D (0: x).
template <int D>
void step(const Exec& exec, const Domain& in, Halo& halo, State& state, State& scratch, double dt) {
  const double size = D == 0 ? in.dx : in.dz;
  for (const int part : {3, 2, 1}) {  // next = state + dt / part rate(u)
    State &u = part == 3 ? state : scratch, &next = part == 1 ? state : scratch;
    if (D == 0) {
      halo.release();
      halo.exchange(u[0], u[1], u[2], u[3]);
    }
    const Planes from = planes(exec, state), at = planes(exec, u), to = planes(exec, next);
    const double stage_dt = dt / part, viscosity = -0.05 * size / (16 * stage_dt);
    // Fluxes through the faces between (i - 1, k) and (i, k), or (i, k - 1) and (i, k).
    kolam::for_each(
        exec, "flux", kolam::Box<2>{{{0, in.nx + 1 - D}, {0, in.nz + D}}},
        KOKKOS_LAMBDA(index_t i, index_t k) {
          double value[variables], third[variables];
          for (int v = 0; v < variables; ++v) {
            double a[4];
            for (int s = 0; s < 4; ++s)
              a[s] = D == 0 ? at[v](i + s, k + ghosts) : above_ground(in, at, v, i + ghosts, k + s);
            value[v] = (-a[0] + 7 * a[1] + 7 * a[2] - a[3]) / 12;  // fourth order
            third[v] = -a[0] + 3 * a[1] - 3 * a[2] + a[3];  // third derivative, for hyperviscosity
          }
          const double rho0 = D == 0 ? in.cell(k + ghosts) : in.face(k);
          value[density] += rho0;
          value[density_theta] += rho0 * theta0;
          double speed = value[momentum_x + D] / value[density];
          const double p = pressure_of(value[density_theta]) - (D == 0 ? 0 : in.pressure(k));
          if (D == 1 && (k == 0 || k == in.nz)) speed = third[density] = 0;  // ground and lid
          for (int v = 0; v < variables; ++v)
            in.flux(i, k, v) =
                value[v] * speed + (v == momentum_x + D ? p : 0) - viscosity * third[v];
        });
    // Inflow minus outflow, and gravity.
    kolam::for_each(
        exec, "advance", in.cells(), KOKKOS_LAMBDA(index_t i, index_t k) {
          const double weight = D == 1 ? gravity * at[density](i + ghosts, k + ghosts) : 0;
          for (int v = 0; v < variables; ++v) {
            const double inflow = (in.flux(i, k, v) - in.flux(i + 1 - D, k + D, v)) / size;
            to[v](i + ghosts, k + ghosts) = from[v](i + ghosts, k + ghosts) +
                                            stage_dt * (inflow - (v == momentum_z ? weight : 0));
          }
        });
  }
}

// Sets the background, and adds bubbles as averages over 3 x 3 Gauss points of each cell.
void start(const Exec& exec, const Domain& in, const Bubbles& bubbles, const Planes& u) {
  kolam::forall(
      exec, "background", in.nz + 2 * ghosts, KOKKOS_LAMBDA(index_t k) {
        in.cell(k) = background((double(k - ghosts) + 0.5) * in.dz);
        if (k > in.nz) return;
        in.face(k) = background(double(k) * in.dz);
        in.pressure(k) = pressure_of(in.face(k) * theta0);
      });
  kolam::for_each(
      exec, "bubbles", in.cells(), KOKKOS_LAMBDA(index_t i, index_t k) {
        const double apart = Kokkos::sqrt(0.15), weight[] = {5.0 / 18, 4.0 / 9, 5.0 / 18};
        double heat = 0;
        for (int q = 0; q < 9; ++q) {
          const double x = (double(in.first + i) + 0.5 + (q % 3 - 1) * apart) * in.dx;
          const double z = (double(k) + 0.5 + (q / 3 - 1) * apart) * in.dz;
          for (const Bubble& b : bubbles) {
            const double r = Kokkos::hypot((x - width / 2) / b.radius_x, (z - b.z) / b.radius_z);
            const double height = Kokkos::cos(Kokkos::fmin(r, 1.0) * Kokkos::numbers::pi / 2);
            heat += weight[q % 3] * weight[q / 3] * background(z) * b.kelvin * height * height;
          }
        }
        for (int v = 0; v < variables; ++v)
          u[v](i + ghosts, k + ghosts) = v == density_theta ? heat : 0;
      });
}

// Returns the mass and the energy, in units of a cell.
std::array<double, 2> totals(const Exec& exec, const kolam::Communicator& all, const Domain& in,
                             const Planes& u) {
  const kolam::BoxSums<2, 2, Exec> sums(exec, in.cells());
  const auto [mass, energy] = sums.of(
      "totals", KOKKOS_LAMBDA(index_t i, index_t k, double(&sum)[2]) {
        const auto at = [&](int v) { return u[v](i + ghosts, k + ghosts); };
        const double rho0 = in.cell(k + ghosts), rho = at(density) + rho0;
        const double x = at(momentum_x) / rho, z = at(momentum_z) / rho;
        const double rho_theta = at(density_theta) + rho0 * theta0;
        const double kelvin = rho_theta / rho / Kokkos::pow(p0 / pressure_of(rho_theta), rd / cp);
        sum[0] += rho;
        sum[1] += rho * (x * x + z * z) + rho * cv * kelvin;
      });
  return {all.sum(mass), all.sum(energy)};
}

// Draws the potential temperature minus that of the background; overwrites rho theta with it.
void draw(const char* path, const Domain& in, State& state) {
  const auto& layout = state[density].layout();
  const auto rho = kolam::grid::interior(layout, state[density].read(kolam::host));
  const auto theta = kolam::grid::interior(layout, state[density_theta].read_write(kolam::host));
  for (index_t k = 0; k < in.nz; ++k) {
    const double rho0 = background((double(k) + 0.5) * in.dz);
    for (index_t i = 0; i < in.nx; ++i)
      theta(i, k) = (theta(i, k) + rho0 * theta0) / (rho(i, k) + rho0) - theta0;
  }
  kolam::write_image(path, theta.data(), in.nx, in.nz, layout.stride[1]);
}

int run(const kolam::Communicator& all, const Bubbles& bubbles, index_t nx, index_t nz,
        double seconds, const char* image) {
  const Exec exec = kolam::make_instances<Exec>(1, all.host_size())[0];
  const kolam::comm::Decomposition<2> cut({nx, nz}, {all.size(), 1}, {true, false});
  const kolam::Range own = cut.own(all.rank())[0];
  const index_t here = own.end - own.begin;
  const Domain in{here, nz, own.begin, width / double(nx), height / double(nz)};
  Halo halo({exec}, cut, ghosts, kolam::grid::Ghosts::faces, all);
  const auto layout = kolam::field_layout<2>({here, nz}, ghosts, sizeof(double));
  const auto variable = [&](int v) { return Field("state", layout, v); };
  State state{variable(0), variable(1), variable(2), variable(3)};
  State scratch{variable(0), variable(1), variable(2), variable(3)};
  start(exec, in, bubbles, planes(exec, state));
  const auto before = totals(exec, all, in, planes(exec, state));

  const Kokkos::Timer timer;
  double dt = Kokkos::min(in.dx, in.dz) / 450 * 1.5;  // fastest wave, Courant number
  bool x_first = true;
  for (double time = 0; time < seconds; time += dt, x_first = !x_first) {
    dt = Kokkos::min(dt, seconds - time);
    if (x_first) step<0>(exec, in, halo, state, scratch, dt);
    step<1>(exec, in, halo, state, scratch, dt);
    if (!x_first) step<0>(exec, in, halo, state, scratch, dt);
  }
  exec.fence();
  const double taken = timer.seconds();
  const auto after = totals(exec, all, in, planes(exec, state));
  const double mass = after[0] / before[0] - 1, energy = after[1] / before[1] - 1;
  if (all.rank() == 0)
    std::printf("time: %.3f s\nd_mass: %.1e\nd_te:   %.6e\n", taken, mass, energy);
  if (image != nullptr) draw(image, in, state);
  return Kokkos::abs(mass) < 1e-12 ? 0 : 1;
}

int main(int argc, char** argv) {
  const kolam::Processes processes(argc, argv);
  const kolam::Runtime runtime(argc, argv);
  const std::map<std::string, Bubbles> problems{
      {"thermal", {{{3, 2000, 2000, 2000}}}},
      {"collision", {{{20, 2000, 2000, 2000}, {-20, 8000, 2000, 2000}}}},
      {"density_current", {{{-20, 5000, 4000, 2000}}}}};
  const std::string problem = argc > 1 ? argv[1] : "thermal";
  const int nx = argc > 2 ? std::atoi(argv[2]) : 100, nz = argc > 3 ? std::atoi(argv[3]) : 50;
  const double seconds = argc > 4 ? std::atof(argv[4]) : 400;
  const int count = processes.all().size();
  if (!problems.contains(problem) || nx < 2 * count || nz < 2 || !(seconds > 0) ||
      (argc > 5 && count > 1)) {
    std::puts("usage: mini_weather [thermal|collision|density_current [NX NZ [SECONDS [PNG]]]]");
    return 2;
  }
  return kolam::comm::abort_on_exception(processes.all(), [&] {
    return run(processes.all(), problems.at(problem), nx, nz, seconds,
               argc > 5 ? argv[5] : nullptr);
  });
}
